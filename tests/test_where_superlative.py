from pathlib import Path

import numpy as np
import pytest

from benchmarks.where_superlative import (
    KINDS,
    OWN_NUMBERS,
    TRIALS,
    TYPE,
    drawn_from,
    kind,
    kinds,
    measured,
    train,
)
from neural_enquirer.programs.paper import field_name, parts, said_value
from neural_enquirer.programs.paper_parsing import parse_paper
from neural_enquirer.synthesis.examples import Example
from neural_enquirer.synthesis.olympics_sampler import OlympicSampler
from neural_enquirer.tables import Field, FieldType, Table
from neural_enquirer.training.experiment import Experiment

PLACES = {"medals": np.arange(10.0, 30.0)}
SMALL = ["task.examples=100", "task.held_out=40", "model.state_size=4", "training.epochs=2"]


def asked(text: str, answer: int) -> Example:
    table = Table(
        fields=(
            Field("city", FieldType.TEXT),
            Field("medals", FieldType.NUMBER),
            Field("days", FieldType.NUMBER),
        ),
        columns=(("Oslo", "Rome", "Rome", "Bonn"), (10, 20, 26, 28), (4, 3, 2, 1)),
    )
    return Example((table,), "", "where_superlative", "natural", ((0, answer, 0),), parse_paper(text))


@pytest.mark.parametrize(
    ("text", "answer", "expected"),
    [
        ("where city = Rome, argmax(city, days)", 1, "entity"),
        ("where medals > 18, argmax(city, days)", 1, "close"),  # The answer's row barely passes.
        ("where medals > 20, argmax(city, days)", 2, "close"),  # A row with more days barely fails …
        ("where medals > 20, argmin(city, days)", 3, "clear"),  # … which matters to the most days only.
        ("where medals < 23, argmin(city, days)", 1, "clear"),
    ],
)
def test_a_question_is_close_where_a_row_that_decides_is(text: str, answer: int, expected: str) -> None:
    assert kind(asked(text, answer), PLACES) == expected


def test_fields_draw_from_numbers_of_their_own() -> None:
    with drawn_from(OWN_NUMBERS):
        drawn = OlympicSampler("validation").draw(np.random.default_rng(0), TYPE, 60)
    (block,) = drawn.tables
    fields = range(len(drawn.field_names))
    held = [set(block.cells.swapaxes(1, 2)[block.fields == field].flat) for field in fields]
    assert sum(map(len, held)) == len(set().union(*held))
    for index in range(len(drawn)):
        (condition,) = parts(drawn.example(index).program).conditions
        words = {drawn.words[code] for code in held[drawn.field_names.index(field_name(condition.term))]}
        assert said_value(condition) in words


def test_rare_questions_are_added() -> None:
    experiment = Experiment.load(Path("experiments/olympics-100k-n2n.toml"), ["task.examples=600"])
    plain, _ = TRIALS["olympics-100k-n2n"].examples(experiment)
    more, _ = TRIALS["ws-more-entities"].examples(experiment)
    assert more.questions[: len(plain)] == plain.questions
    assert set(kinds(more.select(slice(len(plain), None)))) == {"entity"}


def test_a_small_trial_is_measured_on_all_kinds(tmp_path: Path) -> None:
    train("ws-own-numbers", tmp_path / "ws-own-numbers-0", "cpu", 0.0, SMALL)
    found = measured(tmp_path / "ws-own-numbers-0", TRIALS["ws-own-numbers"].asked(SMALL, 100))
    assert found["epochs"] == 1  # Time was up.
    assert found["new"].keys() | found["trained on"].keys() == {"all", "bounds", *KINDS}
