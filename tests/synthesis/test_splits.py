import collections

import pytest

from neural_enquirer.programs.language import Direction
from neural_enquirer.programs.paper import superlative, to_paper_text
from neural_enquirer.synthesis.olympics import FIELD_NAMES, TEXT_FIELDS
from neural_enquirer.synthesis.splits import SPLITS, split_of

NUMERIC = [name for name in FIELD_NAMES if name not in TEXT_FIELDS]
SUPERLATIVES = [
    (select, direction, by)
    for direction in Direction
    for by in NUMERIC
    for select in FIELD_NAMES
    if select != by
]


def superlatives_of(split: str) -> list[tuple[str, Direction, str]]:
    return [each for each in SUPERLATIVES if split_of(to_paper_text(superlative(*each))) == split]


@pytest.mark.parametrize(
    ("logical_form", "split"),
    [
        ("argmin(host_country, #_duration)", "test"),
        ("argmax(#_medals, #_participants)", "train"),
        ("select #_participants, where #_duration = 800", "test"),
        ("select host_country, where year = 1996", "test"),
        ("where host_country = Malaysia, argmax(host_city, #_duration)", "test"),
        ("where population > (select population, where year = 1944), argmax(#_audience, GDP)", "test"),
    ],
)
def test_the_split_is_frozen(logical_form: str, split: str) -> None:
    assert split_of(logical_form) == split


def test_superlatives_are_few_and_shared_out_fairly() -> None:
    assert len(SUPERLATIVES) == 144
    assert {split: len(superlatives_of(split)) for split in SPLITS} == {
        "train": 114,
        "validation": 12,
        "test": 18,
    }


def test_training_has_every_superlative_and_every_selected_field() -> None:
    train, test = superlatives_of("train"), superlatives_of("test")
    extremes = collections.Counter((direction, by) for _, direction, by in train)

    assert set(extremes) == {(direction, by) for direction in Direction for by in NUMERIC}
    assert min(extremes.values()) >= 5
    assert {select for select, _, _ in train} == set(FIELD_NAMES)
    assert {by for _, _, by in test} == set(NUMERIC)
    assert len([each for each in test if each[1] is Direction.LARGEST]) == 9


def test_shares_are_as_they_are_said_to_be() -> None:
    forms = [f"select {a}, where {b} = {n}" for a in NUMERIC for b in NUMERIC for n in range(300) if a != b]
    shares = collections.Counter(map(split_of, forms))

    assert shares["test"] / len(forms) == pytest.approx(0.12, abs=0.01)
    assert shares["validation"] / len(forms) == pytest.approx(0.08, abs=0.01)
