"""Learning of the semantic parser: from answers alone, the same whatever happens."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from neural_enquirer.baselines.semantic_parser import parser as parser_module
from neural_enquirer.baselines.semantic_parser.learning import Lesson, learn
from neural_enquirer.baselines.semantic_parser.parser import SemanticParser, answers_of
from neural_enquirer.baselines.semantic_parser.training import ParserTrainer
from neural_enquirer.encoding.closed import EncodingError
from neural_enquirer.evaluation.closed import score_of
from neural_enquirer.programs.execution import run
from neural_enquirer.programs.result import Cell
from neural_enquirer.synthesis.examples import ExampleSet
from neural_enquirer.synthesis.tasks import generate
from neural_enquirer.training.experiment import Experiment
from neural_enquirer.training.state import TrainingError

SIMPLE = [0, 1]
"""SELECT_WHERE and SUPERLATIVE: enough to tell right forms from those that only happen to be consistent."""


def examples(split: str, count: int) -> ExampleSet:
    drawn = generate("olympics-25k", split, examples=count)
    return drawn.select(np.flatnonzero(np.isin(drawn.types, SIMPLE)))


def experiment(**model: object) -> Experiment:
    return Experiment.from_dict(
        {
            "system": "semantic-parser",
            "task": {"name": "olympics-25k", "answer": "value"},
            "model": {"beam": 20, "part": 200, "size": 2, **model},
            "training": {"batch_size": 50, "epochs": 3},
        }
    )


@pytest.fixture(scope="module")
def trained() -> SemanticParser:
    trainer = ParserTrainer(experiment(part=1200), examples("train", 3000), examples("validation", 100))
    for _ in trainer.run():
        pass
    return trainer.checkpoint()


def test_answers_alone_tell_right_forms_from_spurious_ones(trained: SemanticParser) -> None:
    unseen = examples("validation", 400)
    right = 0
    for index in range(len(unseen)):
        example = unseen.example(index)
        (parsed,) = trained.parse([(example.tables[0], example.question)])
        right += parsed.program == example.program
    assert right / len(unseen) > 0.85


def test_shown_program_executes_to_the_shown_answer(trained: SemanticParser) -> None:
    unseen = examples("validation", 100)
    for index in range(len(unseen)):
        table, question = unseen.example(index).tables[0], unseen.questions[index]
        (parsed,) = trained.parse([(table, question)])
        assert parsed.program is not None
        row, column = np.unravel_index(parsed.probabilities.argmax(), parsed.probabilities.shape)
        assert run(parsed.program, [table]).cells == (Cell(0, row, column),)


def test_accuracy_counts_the_cells_that_parses_name(trained: SemanticParser) -> None:
    unseen = examples("validation", 100)
    hits = []
    for index in range(len(unseen)):
        example = unseen.example(index)
        (parsed,) = trained.parse([(example.tables[0], example.question)])
        best = np.unravel_index(parsed.probabilities.argmax(), parsed.probabilities.shape)
        hits.append(best == example.cells[0][1:])
    found = score_of("semantic-parser", trained, unseen, "cpu")
    assert found.overall == pytest.approx(np.mean(hits))
    assert set(found.by_type) == {"select_where", "superlative"}
    assert found.examples == len(unseen)


def test_gradient_is_that_of_the_likelihood() -> None:
    trainer = ParserTrainer(experiment(beam=1000), examples("train", 50), examples("validation", 20))
    weights = trainer.weights
    rng = np.random.default_rng(0)
    for array in (weights.phrases, weights.contexts, weights.plain):
        array[:] = rng.normal(scale=0.1, size=array.shape)
    chosen = np.arange(8)

    def lesson() -> Lesson:
        _, scorer, derivations = trainer.checkpoint().derive(trainer.train.select(chosen))
        return learn(scorer, derivations, trainer.consistent[chosen])

    gradient = lesson().gradient
    step = 1e-2
    for array, ids, slopes in (
        (weights.phrases, gradient.phrase_ids, gradient.phrases),
        (weights.contexts, gradient.context_ids, gradient.contexts),
        (weights.plain, np.arange(len(weights.plain)), gradient.plain),
    ):
        direction = rng.normal(size=slopes.shape).astype(np.float32)
        direction /= np.linalg.norm(direction)
        array[ids] += step * direction
        above = lesson().log_likelihood
        array[ids] -= 2 * step * direction
        below = lesson().log_likelihood
        array[ids] += step * direction
        assert (above - below) / (2 * step) == pytest.approx(
            float((slopes * direction).sum()), rel=0.05, abs=0.02
        )


def test_same_weights_on_one_thread_and_on_several_and_after_a_kill(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    train, validation = examples("train", 500), examples("validation", 50)
    whole = ParserTrainer(experiment(), train, validation)
    reports = list(whole.run())

    killed = ParserTrainer(experiment(), train, validation, directory=tmp_path)
    next(killed.run())
    monkeypatch.setattr(parser_module.os, "sched_getaffinity", lambda _: {0}, raising=False)
    resumed = ParserTrainer(experiment(), train, validation, directory=tmp_path, resume=True)
    assert len(resumed.progress.epochs) == 1
    rest = list(resumed.run())

    np.testing.assert_array_equal(whole.weights.phrases, resumed.weights.phrases)
    np.testing.assert_array_equal(whole.weights.contexts, resumed.weights.contexts)
    assert [dataclasses.replace(r, seconds=0.0) for r in reports[1:]] == [
        dataclasses.replace(r, seconds=0.0) for r in rest
    ]
    assert SemanticParser.load(tmp_path).about["seed"] == 0


def test_run_of_another_seed_is_not_resumed(tmp_path: Path) -> None:
    train, validation = examples("train", 100), examples("validation", 20)
    next(ParserTrainer(experiment(part=50), train, validation, directory=tmp_path).run())
    with pytest.raises(TrainingError, match="another experiment or seed"):
        ParserTrainer(experiment(part=50), train, validation, directory=tmp_path, seed=1, resume=True)


def test_features_without_roles_do_not_tell_filters_from_selections() -> None:
    trainer = ParserTrainer(experiment(roles=False), examples("train", 50), examples("validation", 20))
    columns = trainer.space.predicates
    fields = np.arange(3)[None]
    assert not trainer.space.contexts
    assert (columns.filters(fields)[0, ::3, 0] == columns.selections(fields, fields < 2)[0, :, 0]).all()
    next(trainer.run())


def test_questions_on_two_tables_are_refused_in_one_line(trained: SemanticParser) -> None:
    with pytest.raises(EncodingError, match="have 2 tables each"):
        answers_of(trained, generate("olympics-two-tables", "validation", examples=20), "cpu")
