"""Values that people mean without saying them."""

from dataclasses import replace

from asked_games import VOCABULARY, ask, linked
from neural_enquirer.encoding.actions import build, derive
from neural_enquirer.encoding.actions.grammar import Pool
from neural_enquirer.encoding.linking import link
from neural_enquirer.encoding.unsaid import MOST, unsaid_values
from neural_enquirer.programs.parsing import parse
from neural_enquirer.tables import Table

PATIENTS = Table.of(
    [
        {"name": name, "outcome": outcome, "ward": ward, "note": note}
        for name, outcome, ward, note in (
            ("Ada", "survived", "A", "x"),
            ("Bo", "died", "B", "a long story of seven words here"),
            ("Cem", "died", "A", "y"),
            ("Dee", "survived", "C", "z"),
            ("Total", "survived", "B", "w"),
            ("Eve", "died", "C", "v"),
        )
    ],
    "patients",
)


def test_values_of_fields_with_few_come_first_and_totals_are_among_them() -> None:
    found = [(PATIENTS.field_names[one.field], one.value) for one in unsaid_values(PATIENTS)]
    assert found == [
        ("name", "Total"),
        ("outcome", "survived"),
        ("outcome", "died"),
        ("ward", "A"),
        ("ward", "B"),
        ("ward", "C"),
    ]


def test_no_more_than_so_many() -> None:
    table = Table.of([{f"f{n}": "abcd"[row % 4] * 2 for n in range(9)} for row in range(16)], "t")
    assert len(unsaid_values(table)) == MOST


def test_a_program_may_have_a_value_that_no_word_stands_for() -> None:
    for text in (
        "count(rows(kind = winter))",
        "cells(city, largest(days, rows(kind <> winter)))",
    ):
        asked = ask("which ones were cold")
        derivations = derive(parse(text), asked)
        assert derivations
        assert build(derivations[0], asked) == parse(text)
        pointed = [action.number for action in derivations[0] if action.pool is Pool.MENTION]
        assert pointed
        assert min(pointed) >= asked.spoken_count == 0


def test_what_is_said_is_not_unsaid_as_well() -> None:
    said = [one.value for _, one in ask("winter games").unsaid]
    assert "winter" not in said
    assert "summer" in said


def test_a_model_that_does_not_know_them_gets_none() -> None:
    asked, (index,) = linked("which ones were cold")
    assert index.unsaid
    assert asked.unsaid

    assert link("which ones were cold", index, replace(VOCABULARY, unsaid=False)).unsaid == ()
