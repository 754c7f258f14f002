"""Neural Enquirer-M with a closed vocabulary: it is the single-table model, and it learns to join."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from model_samples import WORDS, random_batch
from neural_enquirer import Table, TableError, checkpoint
from neural_enquirer.checkpoint import Checkpoint
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.evaluation.closed import score_on
from neural_enquirer.model.enquirer import ModelConfig, NeuralEnquirer
from neural_enquirer.prediction.closed import ClosedPredictor
from neural_enquirer.synthesis.examples import ExampleSet
from neural_enquirer.synthesis.tasks import generate
from neural_enquirer.training.accuracy import accuracy, encode_questions
from neural_enquirer.training.experiment import Experiment
from neural_enquirer.training.loop import Trainer
from neural_enquirer.training.starting import draw_data

SIZES = {"embedding_size": 4, "cell_size": 3, "annotation_size": 2, "hidden_size": 5, "state_size": 4}


@pytest.mark.parametrize("settings", [{}, {"grounded": True, "linked": True}])
def test_one_table_gives_the_numbers_of_the_single_table_model(settings: dict[str, Any]) -> None:
    torch.manual_seed(0)
    vectors = torch.randn(WORDS - 1, 4)
    config = ModelConfig(executors=3, tables=2, **SIZES, **settings)
    alone = replace(config, tables=1, linked=False)
    several, single = (
        NeuralEnquirer(own, vectors[:-2], vectors[-2:]).double().eval() for own in (config, alone)
    )
    known = single.state_dict()
    single.load_state_dict({name: value for name, value in several.state_dict().items() if name in known})
    batch = random_batch()
    assert torch.equal(several(batch).candidates(), single(batch).candidates())


LEARNED = {
    "task": {"name": "olympics-two-tables", "form": "sql", "examples": 1500, "held_out": 300},
    "model": {
        "executors": 3,
        "grounded": True,
        "linked": True,
        "state_size": 32,
        "embedding_size": 16,
    },
    "training": {"optimizer": "adamw", "learning_rate": 0.01, "batch_size": 50, "epochs": 3, "clip": 1.0},
}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Trainer, Path]:
    """A small linked model after a few epochs."""
    experiment = Experiment.from_dict(LEARNED)
    directory = tmp_path_factory.mktemp("run") / "model"
    trainer = Trainer(experiment, draw_data(experiment), directory=directory)
    list(trainer.run())
    return trainer, directory


@pytest.fixture(scope="module")
def test_examples() -> ExampleSet:
    return generate("olympics-two-tables", "test", examples=300)


def test_it_learns_joins_from_answers_alone(run: tuple[Trainer, Path], test_examples: ExampleSet) -> None:
    found = score_on(run[1], test_examples, "cpu")
    assert set(found.by_type) == {"non_join", "join"}
    assert found.by_type["join"] > 0.9


def test_it_finds_the_linking_field(run: tuple[Trainer, Path], test_examples: ExampleSet) -> None:
    """Countries link the tables, though no label says so."""
    trained = checkpoint.load(run[1])
    batch = encode_questions(trained, test_examples)
    with torch.no_grad():
        links = trained.model(batch).links[0, 1].fields
    country = trained.vocabulary.codes["country"]
    games, countries = (table.fields == country for table in batch.tables)
    assert links[games[:, :, None] & countries[:, None]].mean() > 0.8


def test_a_checkpoint_answers_as_the_model_did(run: tuple[Trainer, Path], test_examples: ExampleSet) -> None:
    trainer, directory = run
    trained = checkpoint.load(directory)
    best = max(report.overall for report in trainer.progress.epochs)
    assert accuracy(trained.model, trainer.validation, trainer.type_names).overall == best
    knowing = trained.knowing(frozenset({"Atlantis"}))
    batch = encode_questions(trained, test_examples)
    assert torch.equal(knowing.model(batch).candidates(), trained.model(batch).candidates())


def test_tables_with_executors_of_their_own_have_to_be_as_many() -> None:
    games, countries = (
        Table.of([{"country": "China", name: value}], name=table)
        for table, name, value in (("games", "year", 2008), ("countries", "population", 130))
    )
    vocabulary = Vocabulary(("select", "country", "year", "population"), frozenset(("china",)))
    config = ModelConfig(executors=3, tables=2, executor_sets=2, **SIZES)
    model = NeuralEnquirer(config, torch.randn(len(vocabulary) - 1, 4), torch.zeros(0, 4)).eval()
    predictor = ClosedPredictor(Checkpoint(model, vocabulary, "sql"), "mine")
    (found,) = predictor.predict([((games, countries), "select population")])
    assert len(found.tables) == 2
    for tables in ((games,), (games, countries, games)):
        with pytest.raises(TableError, match=f"give 2 tables, .*, not {len(tables)}"):
            predictor.predict([(tables, "select population")])
