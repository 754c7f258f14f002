"""Fields by the words of their names."""

import pytest

from neural_enquirer.asking.follow_ups.headers import called_like


@pytest.mark.parametrize(
    ("name", "words", "like"),
    [
        ("POP1996", ["1991"], ["POP1991"]),
        ("Elo Jun", ["in", "january"], ["Elo Jan"]),
        ("rate_women", ["men"], ["rate_men"]),
        ("rate_women", ["of", "awards"], []),  # of which there is none for women
        ("POP1996", ["people"], []),
        ("town", ["state"], []),  # which have no word in common
    ],
)
def test_fields_are_called_alike_but_for_a_word_that_is_said(
    name: str, words: list[str], like: list[str]
) -> None:
    fields = [
        "POP1991",
        "POP1996",
        "Elo Jan",
        "Elo Jun",
        "rate_women",
        "rate_men",
        "awards_men",
        "town",
        "state",
    ]
    assert called_like(name, fields, words) == like
