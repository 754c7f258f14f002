"""Decades and places: what several years, or 1st, compare with."""

import pytest

from asked_games import VOCABULARY, ask
from neural_enquirer.encoding.actions import build, derive
from neural_enquirer.encoding.actions.asked import Asked
from neural_enquirer.encoding.linking import link
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.programs.execution import run
from neural_enquirer.programs.parsing import parse
from neural_enquirer.tables import Table

RACE = Table.of(
    [{"rider": rider, "pos": pos} for rider, pos in (("Ada", "1st"), ("Bo", "2nd"), ("Cem", "DNF"))], "race"
)


@pytest.mark.parametrize(
    ("question", "program"),
    [
        ("games of the 1890s", "cells(city, rows(year between 1890 and 1899))"),
        ("games before the 1950s", "count(rows(year < 1950))"),
        ("games after the 1920s", "count(rows(year > 1929))"),
        ("opened in the 1890s", "count(rows(opened between 1890-01-01 and 1899-12-31))"),
        ("any games from 1890 to 1895", "exists(rows(year between 1890 and 1895))"),
    ],
)
def test_decades(question: str, program: str) -> None:
    asked, wanted = ask(question), parse(program)
    derivations = derive(wanted, asked)
    assert derivations
    assert run(build(derivations[0], asked), asked.tables).values == run(wanted, asked.tables).values


def test_places_are_numbers_that_texts_spell_their_own_way() -> None:
    question, wanted = "winner of the race", parse("cells(rider, rows(pos = 1st))")
    asked = Asked(question, (RACE,), [link(question, TableIndex.of(RACE), VOCABULARY)])
    (derivation, *_) = derive(wanted, asked)
    assert build(derivation, asked) == wanted
