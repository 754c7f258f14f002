import dataclasses

import pytest

from neural_enquirer.encoding.actions import Asked
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.encoding.tables_index import TablesIndex
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.learning.corrections import (
    CellRef,
    Correction,
    CorrectionError,
    RowRef,
    TableRef,
    references,
)
from neural_enquirer.learning.teaching import is_right, right_program, tables_of
from neural_enquirer.programs import parse, run
from neural_enquirer.programs.text import to_text
from neural_enquirer.tables import Table

STAFF = Table.of(
    [
        {"name": "Ada", "team": "Sales", "pay": 30},
        {"name": "Bo", "team": "Sales", "pay": 50},
        {"name": "Cy", "team": "Tools", "pay": 40},
    ],
    "staff",
)
REFS = references([STAFF])
VOCABULARY = Vocabulary(("who", "is", "in"), frozenset())


def asked_of(question):
    return Asked(question, (STAFF,), TablesIndex.of([TableIndex.of(STAFF)]).link(question, VOCABULARY))


class Preferring:
    """Finds one program likelier than all others, and keeps all that it was shown."""

    def __init__(self, text=""):
        self.text, self.shown = text, set()

    def scores(self, asked, programs):
        found = list(map(to_text, programs))
        self.shown |= set(found)
        return [float(one == self.text) for one in found]


def taught(correction, likeliest="", written=()):
    scorer = Preferring(likeliest)
    program = right_program(correction, asked_of(correction.question), map(parse, written), scorer)
    return None if program is None else to_text(program), scorer.shown


def test_the_likeliest_program_that_gives_the_answer_is_right():
    correction = Correction("the boss", references([STAFF]), answers=("bo",))
    boss = "cells(name, largest(pay))"
    assert taught(correction, boss)[0] == boss


def test_what_the_model_wrote_is_right_where_it_gives_the_answer():
    written = "cells(name, rows(name = Bo))"
    correction = Correction("the boss", REFS, answers=("bo",))
    assert taught(correction, written, [written, "cells(team)"])[0] == written
    assert "cells(team)" not in taught(correction, written, [written, "cells(team)"])[1]


def test_cells_are_told_from_others_with_their_text():
    correction = Correction("the team of cy", REFS, cells=(CellRef("staff", 2, "team"),))
    right = "cells(team, rows(name = Cy))"
    assert taught(correction, right)[0] == right
    other = dataclasses.replace(correction, cells=(CellRef("staff", 0, "team"),))
    assert not is_right(other, asked_of(correction.question))(run(parse(right), (STAFF,)))


def test_rows_are_those_after_the_last_step():
    _, found = taught(Correction("sales", REFS, rows=(RowRef("staff", 0), RowRef("staff", 1))))
    assert {"count(rows(team = Sales))", "cells(name, rows(team = Sales))"} <= found
    assert not {"count(rows())", "cells(name)", "cells(name, largest(pay))"} & found


def test_a_program_means_itself_though_nobody_says_its_values():
    program = "cells(name, rows(name = Bo))"
    assert taught(Correction("the boss", REFS, program=program))[0] == program


def test_what_goes_without_saying_is_found():
    crew = Table.of([{"name": name, "kid": kid} for name, kid in zip("ABCD", "YNYN", strict=True)], "crew")
    asked = Asked("the young", (crew,), TablesIndex.of([TableIndex.of(crew)]).link("the young", VOCABULARY))
    correction = Correction("the young", references([crew]), answers=("A", "C"))
    assert to_text(right_program(correction, asked, (), Preferring())) == "cells(name, rows(kid = Y))"


def test_cells_that_nothing_tells_from_others_are_named_one_by_one():
    letters = Table.of([{"name": name, "place": place} for place, name in enumerate("ABCDEFGHIJ")], "letters")
    asked = Asked("my own", (letters,), TablesIndex.of([TableIndex.of(letters)]).link("my own", VOCABULARY))
    correction = Correction("my own", references([letters]), answers=("B", "E", "F"))
    assert (
        to_text(right_program(correction, asked, (), Preferring()))
        == "cells(name, rows(name one of (B, E, F)))"
    )


def test_an_answer_that_no_program_gives_is_told():
    with pytest.raises(CorrectionError, match="no program"):
        taught(Correction("the boss", REFS, answers=("nobody",)))


def test_a_refusal_has_no_program():
    assert taught(Correction("the weather", REFS, refuse=True))[0] is None


@pytest.mark.parametrize(
    ("right", "told"),
    [
        ({"program": "cells(age)"}, "age"),
        ({"program": "cells("}, "cells"),
        ({"cells": (CellRef("staff", 3, "name"),)}, "no row 4"),
        ({"cells": (CellRef("staff", 0, "age"),)}, "no field 'age'"),
    ],
)
def test_what_tables_do_not_have_is_told(right, told):
    with pytest.raises(CorrectionError, match=told):
        taught(Correction("the boss", REFS, **right))


def test_a_table_is_known_by_its_content_or_name():
    changed = Table.of([{"name": "Ada", "pay": 30}], "staff")
    known = [(TableRef.of(changed), changed)]
    by_answer, by_cell = (
        Correction("who", REFS, answers=("Bo",)),
        Correction("who", REFS, cells=(CellRef("staff", 1, "name"),)),
    )
    assert tables_of(by_answer, known) == (changed,)
    assert tables_of(by_cell, known) is None
    renamed = dataclasses.replace(STAFF, name="people")
    assert tables_of(by_cell, [*known, (TableRef.of(renamed), renamed)]) == (renamed,)
