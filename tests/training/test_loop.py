from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from torch import Tensor

from neural_enquirer import checkpoint
from neural_enquirer.encoding.open import prepare
from neural_enquirer.encoding.padding import collate
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.encoding.tables_index import TablesIndex
from neural_enquirer.encoding.words import Vocabulary, entity_vectors
from neural_enquirer.reproduction.experiments import find_experiment
from neural_enquirer.synthesis.examples import PROGRAM_TYPES
from neural_enquirer.synthesis.tasks import generate
from neural_enquirer.tables import Table
from neural_enquirer.training import loop
from neural_enquirer.training.accuracy import Accuracy
from neural_enquirer.training.data import TrainingData
from neural_enquirer.training.experiment import Experiment
from neural_enquirer.training.loop import Trainer, choose_device, new_model
from neural_enquirer.training.starting import draw_data
from neural_enquirer.training.state import TrainingError
from neural_enquirer.training.step import fixed_order

TRAIN, VALIDATION = (generate("olympics-25k", split, examples=40) for split in ("train", "validation"))
SMALL = {"embedding_size": 8, "cell_size": 8, "annotation_size": 8, "hidden_size": 12, "state_size": 10}


def experiment(model: Mapping[str, Any] = {}, **training: Any) -> Experiment:
    settings = {"batch_size": 10, "epochs": 3, **training}
    return Experiment.from_dict({"model": {**SMALL, **model}, "training": settings})


def trainer(chosen: Experiment, **options: Any) -> Trainer:
    return Trainer(chosen, TrainingData.of(chosen, TRAIN, VALIDATION), **options)


def trained(chosen: Experiment, **options: Any) -> Trainer:
    run = trainer(chosen, **options)
    for _ in run.run():
        pass
    return run


def same(ours: Mapping[str, Tensor], theirs: Mapping[str, Tensor]) -> bool:
    return ours.keys() == theirs.keys() and all(
        torch.equal(value, theirs[name]) for name, value in ours.items()
    )


@pytest.mark.parametrize("supervision", ["answers", "steps"])
@pytest.mark.parametrize("grounded", [False, True])
def test_learns_a_few_examples_of_every_type_by_heart(supervision: str, grounded: bool) -> None:
    few = TRAIN.select(slice(20))
    sizes = {"embedding_size": 16, "annotation_size": 16, "hidden_size": 32, "state_size": 32}
    chosen = experiment(
        {**sizes, "grounded": grounded},
        supervision=supervision,
        optimizer="adamw",
        learning_rate=0.01,
        clip=1.0,
        batch_size=20,
        epochs=60,
    )
    run = Trainer(chosen, TrainingData.of(chosen, few, few))
    known = dict.fromkeys(PROGRAM_TYPES, 1.0)
    assert any(report.by_type == known for report in run.run())


def test_annotators_but_the_first_can_begin_almost_blind() -> None:
    plain, dim = trainer(experiment()).model, trainer(experiment(read_scale=0.1)).model
    pairs = zip(plain.state_dict().items(), dim.state_dict().values(), strict=True)
    changed = {name: (before, after) for (name, before), after in pairs if not torch.equal(before, after)}
    layers = range(1, len(plain.cascade.executors))
    assert set(changed) == {f"cascade.executors.{layer}.annotator.first.weight.read" for layer in layers}
    for before, after in changed.values():
        torch.testing.assert_close(after, 0.1 * before)


def test_a_seed_gives_the_same_run() -> None:
    chosen = experiment({"dropout": 0.2}, renaming=True)
    first, second = trained(chosen, seed=5), trained(chosen, seed=5)
    assert same(first.model.state_dict(), second.model.state_dict())
    assert [r.loss for r in first.progress.epochs] == [r.loss for r in second.progress.epochs]
    other = trained(chosen, seed=6)
    assert not torch.equal(first.model.embedding, other.model.embedding)


@pytest.mark.parametrize(
    "training",
    [{}, {"optimizer": "adamw", "learning_rate": 0.01, "renaming": True, "clip": 1.0}],
    ids=["adadelta", "adamw"],
)
def test_resuming_gives_what_no_interruption_would(training: dict[str, Any], tmp_path: Path) -> None:
    chosen = experiment({"dropout": 0.2}, average=True, **training)
    whole = trained(chosen, directory=tmp_path / "whole")
    next(trainer(chosen, directory=tmp_path / "parts").run())
    parts = trained(chosen, directory=tmp_path / "parts", resume=True)
    assert same(whole.model.state_dict(), parts.model.state_dict())
    for name in ("model.safetensors", "state.safetensors"):
        ours, theirs = load_file(tmp_path / "parts" / name), load_file(tmp_path / "whole" / name)
        assert same(ours, theirs)
    assert [r.loss for r in whole.progress.epochs] == [r.loss for r in parts.progress.epochs]
    assert [r.epoch for r in parts.progress.epochs] == [1, 2, 3]


def test_a_finished_run_has_nothing_left_to_do(tmp_path: Path) -> None:
    trained(experiment(), directory=tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert list(trainer(experiment(), directory=tmp_path, resume=True).run()) == []
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_seconds_go_on_counting(tmp_path: Path) -> None:
    first = next(trainer(experiment(), directory=tmp_path).run())
    second = next(trainer(experiment(), directory=tmp_path, resume=True).run())
    assert second.seconds > first.seconds > 0


@pytest.mark.parametrize("options", [{"seed": 1}, {"chosen": experiment(epochs=4)}])
def test_another_run_is_not_resumed(options: dict[str, Any], tmp_path: Path) -> None:
    next(trainer(experiment(), directory=tmp_path).run())
    with pytest.raises(TrainingError, match="holds a run of another experiment or seed"):
        trainer(**{"chosen": experiment(), **options}, directory=tmp_path, resume=True)


def test_the_best_epoch_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first of equally good ones."""
    found = iter([0.1, 0.7, 0.3, 0.7])
    monkeypatch.setattr(loop, "accuracy", lambda *_: Accuracy(value := next(found), {"nest": value}, 40))
    run = trainer(experiment(epochs=4), directory=tmp_path)
    states = [{name: value.clone() for name, value in run.model.state_dict().items()} for _ in run.run()]
    stored = checkpoint.load(tmp_path)
    assert same(stored.model.state_dict(), states[1])
    assert stored.about["epoch"] == 2
    assert stored.about["validation"] == {"overall": 0.7, "by_type": {"nest": 0.7}}
    assert Experiment.from_dict(stored.about["experiment"]) == run.experiment


def test_averaged_weights_are_kept_and_do_not_disturb_training(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A checkpoint has the mean, where epochs count 1 : 5 : 15; training goes on from the latest weights."""
    run = trainer(experiment(epochs=3))
    after: list[Tensor] = []
    run.on_step = lambda _: after.append(run.weights.whole.detach().clone())
    for _ in run.run():
        pass
    found = iter([0.1, 0.2, 0.3])  # the last epoch is the best, and kept
    monkeypatch.setattr(loop, "accuracy", lambda *_: Accuracy(next(found), {}, 40))
    averaged = trained(experiment(epochs=3, average=True), directory=tmp_path)
    assert torch.equal(averaged.weights.whole, after[-1])
    first, second, third = (torch.stack(after[start : start + 4]).mean(dim=0) for start in (0, 4, 8))
    expected = (first + 5 * second + 15 * third) / 21
    torch.testing.assert_close(averaged.average, expected)
    stored = checkpoint.load(tmp_path).model
    torch.testing.assert_close(torch.cat([own.detach().flatten() for own in stored.parameters()]), expected)


def test_what_goes_wrong_with_averaged_weights_leaves_the_latest() -> None:
    run = trained(experiment(epochs=2, average=True))
    latest = run.weights.whole.detach().clone()

    def fail() -> None:
        with run.averaged():
            assert torch.equal(run.weights.whole, run.average)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert not torch.equal(run.average, latest)
    assert torch.equal(run.weights.whole, latest)


@pytest.mark.parametrize("optimizer", ["adadelta", "adamw"])
def test_frozen_entities_do_not_move(optimizer: str) -> None:
    chosen = experiment(optimizer=optimizer, weight_decay=0.5, freeze_entities=True, learning_rate=0.1)
    run = trainer(chosen)
    before = run.model.word_vectors().detach().clone()
    for _ in run.run():
        pass
    after = run.model.word_vectors().detach()
    entities = torch.tensor(
        [code for word, code in run.vocabulary.codes.items() if word in run.vocabulary.entities]
    )
    assert len(entities) > 50
    assert torch.equal(after[entities], before[entities])
    seen = run.shelves[0].table.fields.unique()  # field names are seen in every step
    assert (after[seen] != before[seen]).any(dim=1).all()


def test_entities_are_trained_unless_frozen() -> None:
    run = trained(experiment())
    assert run.model.fixed_embedding.numel() == 0


def test_entities_start_as_their_text_says_and_scaled() -> None:
    chosen = experiment(embedding_scale=0.1, entity_scale=0.2)
    vocabulary = TrainingData.of(chosen, TRAIN, VALIDATION).vocabulary
    words = new_model(chosen, vocabulary, seed=3).word_vectors()
    expected = torch.from_numpy(entity_vectors(["athens"], 8))[0]
    torch.testing.assert_close(words[vocabulary.codes["athens"]], 0.2 * expected)
    others = words[2 : 2 + 100]
    assert abs(others.std() - 0.1) < 0.02


def test_every_epoch_sees_every_example_once_in_its_own_order() -> None:
    run = trainer(experiment())
    orders = [run.orders(epoch, 0)[0].tolist() for epoch in range(3)]
    assert all(sorted(order) == list(range(40)) for order in orders)
    assert orders[0] != orders[1] != orders[2]
    assert run.orders(1, 0)[0].tolist() == orders[1]


def test_a_last_batch_that_is_not_full_is_left_out() -> None:
    seen: list[int] = []
    trained(experiment(batch_size=15, epochs=2), on_step=seen.append)
    assert seen == [15] * 4


def test_a_batch_is_no_larger_than_the_data() -> None:
    assert trainer(experiment(batch_size=1000)).batch_size == 40


def test_loss_is_the_mean_over_steps() -> None:
    """With a rate so low that nothing changes it is the loss of the untrained model."""
    run = trainer(experiment(batch_size=20, learning_rate=1e-12))
    batch = run.shelves[0]
    with torch.no_grad():
        scores = run.model(batch).candidates()
    expected = torch.nn.functional.cross_entropy(scores, batch.answers).item()
    assert next(run.run()).loss == pytest.approx(expected, rel=1e-4)


def test_gradients_of_a_sum_are_those_of_the_mean_times_the_examples() -> None:
    gradients = []
    for summed in (False, True):
        run = trainer(experiment(batch_size=10, summed=summed))
        run.step(torch.arange(10))
        assert run.weights.whole.grad is not None
        gradients.append(run.weights.whole.grad)
    torch.testing.assert_close(gradients[1], 10 * gradients[0])


def test_seeds_are_not_negative() -> None:
    with pytest.raises(TrainingError, match="0 or more, not -1"):
        trainer(experiment(), seed=-1)


def test_processes_share_a_batch_evenly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.distributed, "is_initialized", lambda: True)
    monkeypatch.setattr(torch.distributed, "get_world_size", lambda: 3)
    monkeypatch.setattr(torch.distributed, "get_rank", lambda: 0)
    with pytest.raises(TrainingError, match="3 processes cannot share batches of 10"):
        trainer(experiment())


class TestChooseDevice:
    def test_the_cpu_is_always_there(self) -> None:
        assert choose_device("cpu") == torch.device("cpu")

    def test_auto_takes_what_is_there(self) -> None:
        assert choose_device("auto").type == ("cuda" if torch.cuda.is_available() else "cpu")

    @pytest.mark.parametrize("name", ["abacus", "cuda:99", "meta"])
    def test_what_is_not_there(self, name: str) -> None:
        with pytest.raises(TrainingError, match=name):
            choose_device(name)


@pytest.mark.gpu
def test_a_gpu_learns_what_the_cpu_does() -> None:
    """The captured steps are those of the plain trainer."""
    chosen = experiment(optimizer="adamw", learning_rate=0.01)
    ours, theirs = trained(chosen, device="cuda"), trained(chosen)
    for name, value in theirs.model.state_dict().items():
        torch.testing.assert_close(ours.model.state_dict()[name].cpu(), value, rtol=1e-2, atol=1e-3)
    assert ours.progress.epochs[-1].loss == pytest.approx(theirs.progress.epochs[-1].loss, rel=1e-3)


@pytest.mark.gpu
def test_resuming_on_a_gpu(tmp_path: Path) -> None:
    chosen = experiment({"dropout": 0.2}, renaming=True)
    whole = trained(chosen, device="cuda")
    next(trainer(chosen, device="cuda", directory=tmp_path).run())
    parts = trained(chosen, device="cuda", directory=tmp_path, resume=True)
    assert same(whole.model.state_dict(), parts.model.state_dict())


@pytest.mark.gpu
@pytest.mark.parametrize("name", ["olympics-25k-grounded", "two-tables-paper"])
def test_a_seed_gives_the_same_weights_again_on_a_gpu(name: str) -> None:
    """Many examples with few words: what torch would sum in any order it likes."""
    chosen = Experiment.load(
        find_experiment(name),
        ["task.examples=2000", "task.held_out=100", "training.epochs=2"],
    )
    data = draw_data(chosen)
    once, again = (Trainer(chosen, data, seed=0, device=torch.device("cuda")) for _ in range(2))
    for each in (once, again):
        list(each.run())
    assert same(once.model.state_dict(), again.model.state_dict())


def test_gradients_are_summed_in_a_fixed_order_only_while_a_gpu_sums_them() -> None:
    with fixed_order(torch.device("cuda")):
        assert torch.are_deterministic_algorithms_enabled()
    assert not torch.are_deterministic_algorithms_enabled()
    with fixed_order(torch.device("cpu")):
        assert not torch.are_deterministic_algorithms_enabled()


def test_further_shelves_are_seen_as_often_as_asked_for() -> None:
    data = open_data()
    experiment = Experiment.from_dict(
        {
            "task": {"name": "open"},
            "model": OPEN_SIZES,
            "training": {
                "batch_size": 2,
                "epochs": 2,
                "optimizer": "adamw",
                "learning_rate": 0.01,
                "repeats": 3,
            },
        }
    )
    run = Trainer(experiment, data)
    batches = run.batches(0)
    assert [sum(shelf == wanted for shelf, _ in batches) for wanted in (0, 1)] == [2, 3]
    assert len(list(run.run())) == 2


def test_a_run_may_begin_with_another_models_weights() -> None:
    data = open_data()
    experiment = Experiment.from_dict({"task": {"name": "open"}, "model": OPEN_SIZES})
    first = Trainer(experiment, data, seed=1)
    fewer = replace(data, vocabulary=Vocabulary((*data.vocabulary.words[:-1], "new"), frozenset()))
    second = Trainer(experiment, fewer, seed=2, start=first.checkpoint())
    for name, weight in first.model.state_dict().items():
        if name != "embedding":
            assert torch.equal(weight, second.model.state_dict()[name]), name
    assert torch.equal(first.model.embedding[:-1], second.model.embedding[:-1])
    assert not torch.equal(first.model.embedding[-1], second.model.embedding[-1])


def test_a_run_cannot_begin_with_a_model_of_other_sizes() -> None:
    data = open_data()
    experiment = Experiment.from_dict({"task": {"name": "open"}, "model": OPEN_SIZES})
    other = Experiment.from_dict({"task": {"name": "open"}, "model": OPEN_SIZES | {"cell_size": 7}})
    with pytest.raises(TrainingError, match="other sizes"):
        Trainer(other, data, start=Trainer(experiment, data).checkpoint())


OPEN_SIZES = {
    "embedding_size": 6,
    "field_size": 6,
    "cell_size": 6,
    "annotation_size": 6,
    "hidden_size": 6,
    "state_size": 4,
}


def open_data() -> TrainingData:
    """Four questions on a small table and two on a larger one."""
    vocabulary = Vocabulary(("which", "city", "highest", "what"), frozenset())
    small = TableIndex.of(Table.of([{"city": "Rome", "height": 3}, {"city": "Oslo", "height": 5}]))
    large = TableIndex.of(Table.of([{"city": f"Town {i}", "height": i, "area": -i} for i in range(5)]))
    few = [prepare("which city is the highest", TablesIndex.of([small]), vocabulary)] * 4
    more = [prepare("what is the height of town 3", TablesIndex.of([large]), vocabulary)] * 2
    return TrainingData(
        vocabulary,
        collate(few, answers=[((0, 1, 0),)] * 4),
        collate(few, answers=[((0, 1, 0),)] * 4),
        real_train=(collate(more, answers=[((0, 3, 1),)] * 2),),
    )
