import pytest

from neural_enquirer.encoding.aliases import aliases, common_words, key, senses_of
from neural_enquirer.encoding.codes import senses_of_codes
from neural_enquirer.encoding.text import root, stem


def test_every_line_can_be_found_by_what_people_say() -> None:
    known = aliases()
    for senses in (known.by_name, known.by_code):
        for name, named in senses.items():
            assert name == name.strip().lower()
            assert all(sense.names for sense in named)
    assert {sense.names[0] for sense in known.by_said["swiss"]} == {"switzerland"}


def test_names_of_a_family_are_not_codes_of_another_sense_of_it() -> None:
    for code, senses in aliases().by_code.items():
        for sense in senses:
            others = [other for other in aliases().by_name.get(code, ()) if other.family is sense.family]
            assert others in ([], [sense]), f"{code} is {sense.names[0]} and {others[0].names[0]}"


def test_telling_words_of_the_lists_are_not_common() -> None:
    said = {name for sense in senses_of("gender") for name in sense.names} | {"swiss", "texan", "friday"}
    assert not common_words() & {stem(name) for name in said}


@pytest.mark.parametrize(
    ("one", "other"), [("st", "saint"), ("ii", "2"), ("plans", "plan"), ("nov", "november")]
)
def test_forms_of_a_word_have_one_key(one: str, other: str) -> None:
    assert key(one) == key(other)


@pytest.mark.parametrize(
    ("one", "other"), [("rental", "rented"), ("smoker", "smoking"), ("bankrupt", "bankruptcy")]
)
def test_derived_words_have_one_root(one: str, other: str) -> None:
    assert root(one) == root(other)


@pytest.mark.parametrize(
    ("cells", "name", "coded"),
    [
        (["m", "f"], "female", ["f"]),
        (["g", "b"], "female", ["g"]),
        (["f", "m", "x"], "female", ["f"]),
        (["f"], "female", []),
        (["f", "a", "b", "c"], "female", []),
        (["w 3 1", "l 0 2", "d 1 1"], "loss", ["l 0 2"]),
        (["w bush", "l johnson"], "loss", []),
        (["alonso esp", "hamilton gbr", "vettel ger"], "germany", ["vettel ger"]),
        (["at oslo", "rome", "kyiv"], "home", ["rome", "kyiv"]),
    ],
)
def test_codes_are_recognised_together(cells: list[str], name: str, coded: list[str]) -> None:
    senses = senses_of_codes({f" {cell} " for cell in cells})
    found = [phrases for sense, phrases in senses.items() if sense.names[0] == name]
    assert found == ([{f" {cell} " for cell in coded}] if coded else [])
