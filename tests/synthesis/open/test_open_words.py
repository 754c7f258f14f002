import datetime

import pytest

from neural_enquirer.synthesis.open.amounts import written_date, written_month, written_number
from neural_enquirer.synthesis.open.columns import Column, content_words, plain_name, styled
from neural_enquirer.synthesis.open.draw import Draw
from neural_enquirer.synthesis.open.grammar import does, misspelled, of_many, opposite, plural_of
from neural_enquirer.synthesis.open.makers import MAKERS, pool, share, split_of_text
from neural_enquirer.synthesis.open.vocabulary import field_words, phrase_words
from neural_enquirer.synthesis.splits import SPLITS


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("Host City", "host city"),
        ("host_city", "host city"),
        ("hostCity", "host city"),
        ("HOST CITY", "host city"),
        ("Runtime (min)", "runtime"),
        ("gdp_usd_bn", "gdp"),
        ("#participants", "participants"),
        ("Height in cm", "height"),
        ("km", "km"),
        ("(km)", "km"),
    ],
)
def test_a_header_is_called_by_its_words(header: str, name: str) -> None:
    assert plain_name(header) == name


def test_every_style_keeps_the_words() -> None:
    assert {plain_name(styled("host city", style)) for style in range(10)} == {"host city"}


def test_telling_words_are_without_endings_and_small_words() -> None:
    assert content_words("number of goals") == {"goal"}
    assert content_words("cities") == {"city"}


@pytest.mark.parametrize("split", SPLITS)
def test_makers_have_values_for_every_split(split: str) -> None:
    for maker in MAKERS:
        values = pool(maker, split)
        assert len(values) > 10, maker
        assert {split_of_text(value) for value in values} == {split}, maker
        assert all(value == value.strip() and "  " not in value for value in values), maker


def test_a_list_of_values_is_shared_out_among_the_splits() -> None:
    values = ("red", "green", "blue", "yellow", "black", "white", "pink", "brown", "grey", "orange")
    shares = [set(share(values, split)) for split in SPLITS]

    assert set(values) <= set.union(*shares)
    assert not shares[0] & shares[1]
    assert not shares[0] & shares[2]
    assert not shares[1] & shares[2]
    assert all(len(each) >= 4 for each in shares)


def test_words_of_fields_are_in_no_phrase_and_in_no_two_splits() -> None:
    words = [set(field_words(split)) for split in SPLITS]

    assert all(len(each) > 200 for each in words)
    assert not words[0] & words[1]
    assert not words[0] & words[2]
    assert not set.union(*words) & phrase_words()


def test_numbers_are_written_in_ways_that_mean_the_same() -> None:
    draw = Draw("numbers")
    column = Column("Price ($)", "number", [1_200_000], unit="$")

    written = {written_number(draw, 1_200_000, column) for _ in range(300)}

    assert {"1200000", "1,200,000", "1.2 million", "$1,200,000"} <= written
    assert all(text.strip("$") in ("1200000", "1,200,000", "1.2 million") for text in written)
    assert {written_number(draw, 1999, Column("y", "number", [], year=True)) for _ in range(50)} == {"1999"}


def test_dates_are_written_in_ways_that_mean_the_same() -> None:
    draw = Draw("dates")
    day = datetime.date(2021, 3, 5)

    written = {written_date(draw, day) for _ in range(300)}

    assert {"2021-03-05", "March 5, 2021", "5 March 2021", "5 Mar 2021", "5th of March 2021"} <= written
    assert {written_month(draw, day) for _ in range(100)} == {"March 2021", "Mar 2021", "2021-03"}


def test_a_slip_changes_one_longer_word() -> None:
    draw = Draw("slips")
    for _ in range(50):
        words = misspelled(draw, "the population of Rome").split(" ")
        assert words[0::2] == ["the", "of"]
        assert words[3] == "Rome"
        assert abs(len(words[1]) - len("population")) <= 1


def test_modifiers_become_actions_and_plurals() -> None:
    draw = Draw("verbs")

    assert does(draw, "that costs the most") == "costs the most"
    assert does(draw, "with a dome") == "has a dome"
    assert does(draw, "whose price is 5") == "is the one whose price is 5"
    assert of_many("that costs 5 and that is red") == "that cost 5 and that are red"
    assert [plural_of(name) for name in ("city", "box", "goals", "day")] == [
        "cities",
        "boxes",
        "goals",
        "days",
    ]


@pytest.mark.parametrize(
    ("phrase", "turned"),
    [
        ("with more goals than", "with fewer goals than"),
        ("that scored more than", "that scored less than"),
        ("in which the most people took part", "in which the fewest people took part"),
        ("that costs the most", "that costs the least"),
        ("more expensive than", "less expensive than"),
        ("built last", "built first"),
        ("last seen after", "last seen before"),
        ("comelier than", None),
    ],
)
def test_phrases_are_turned_the_other_way_round(phrase: str, turned: str | None) -> None:
    assert opposite(phrase) == turned
