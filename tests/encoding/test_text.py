import pytest

from neural_enquirer.encoding.text import (
    fold,
    header_words,
    one_edit_away,
    phrase_of,
    phrases_of,
    stem,
    words_of,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("São Paulo", "sao paulo"),
        ("U.S. Open", "us open"),
        ("J. R. R. Tolkien", "J.R.R. Tolkien"),
        ("Côte d’Ivoire", "cote d'ivoire"),
        ("McDonald's", "mcdonald"),
        ("Boeing 747-400", "boeing 747 400"),
        ("ＡＢＣ", "abc"),
    ],
)
def test_spellings_of_one_name_fold_alike(one: str, other: str) -> None:
    assert words_of(one) == words_of(other)
    assert phrase_of(one) == phrase_of(other)


def test_numbers_keep_their_separators() -> None:
    assert words_of("more than 1,200.50 kg in 2004?") == ["more", "than", "1,200.50", "kg", "in", "2004"]


def test_a_text_without_words_has_no_phrase() -> None:
    assert phrase_of("–!?") == ""
    assert fold("") == ""


@pytest.mark.parametrize(
    ("header", "main", "aside"),
    [
        ("Host City", ("host", "city"), ()),
        ("host_city", ("host", "city"), ()),
        ("hireDate", ("hire", "date"), ()),
        ("GDPPerCapita", ("gdp", "per", "capita"), ()),
        ("Runtime (min)", ("runtime",), ("min",)),
        ("gdp_usd_bn", ("gdp", "usd", "bn"), ()),
        ("#participants", ("number", "participants"), ()),
        ("(unknown)", ("unknown",), ()),
    ],
)
def test_headers_of_any_style_are_taken_apart(
    header: str, main: tuple[str, ...], aside: tuple[str, ...]
) -> None:
    assert header_words(header) == (main, aside)


@pytest.mark.parametrize(
    ("one", "other"),
    [("hired", "hire"), ("hiring", "hire"), ("cities", "city"), ("medals", "medal"), ("running", "runs")],
)
def test_forms_of_one_word_have_one_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@pytest.mark.parametrize(
    ("one", "other"), [("status", "state"), ("gas", "gate"), ("bass", "base"), ("us", "use")]
)
def test_different_words_have_different_stems(one: str, other: str) -> None:
    assert stem(one) != stem(other)


def test_one_edit_reaches_every_small_slip() -> None:
    near = one_edit_away("athens")
    assert {"athen", "atehns", "athans", "athenss"} <= near
    assert "rome" not in near


@pytest.mark.parametrize(
    "cells",
    [
        ["Ada Lovelace", "", "U.S. 1,200.5", "São Paulo's", "@ Leeds", "A\nB", "a-b_c <= 3", "\n", "日本 Éa"],
        ["@home", "U.\nS.", "’s", "x@y"],
        [],
    ],
)
def test_cells_are_folded_together_as_they_are_alone(cells):
    assert phrases_of(cells) == [phrase_of(cell) for cell in cells]


def test_a_cell_of_several_lines_is_one_cell():
    assert phrases_of(["A\nB", "@ Leeds"]) == [" a b ", " at leeds "]
