import dataclasses

import pytest

from neural_enquirer.encoding.actions import build
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.learning.corrections import (
    CellRef,
    Correction,
    CorrectionError,
    RowRef,
    TableRef,
    references,
)
from neural_enquirer.learning.teaching import Ground, derivations_for, is_right, tables_of
from neural_enquirer.programs.execution import run
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
GROUND = Ground((STAFF,), Vocabulary(("who", "is", "in"), frozenset()))
REFS = references([STAFF])


def programs_for(correction):
    asked = GROUND.asked(correction.question)
    return {to_text(build(one, asked)) for one in derivations_for(correction, asked, ())}


def test_answers_are_found():
    assert "cells(name, largest(pay))" in programs_for(Correction("the boss", REFS, answers=("bo",)))


def test_cells_are_told_from_others_with_their_text():
    correction = Correction("the team of cy", REFS, cells=(CellRef("staff", 2, "team"),))
    found = programs_for(correction)
    assert "cells(team, rows(name = Cy))" in found
    asked = GROUND.asked(correction.question)
    other = dataclasses.replace(correction, cells=(CellRef("staff", 0, "team"),))
    assert not any(is_right(other, asked)(run(build(one, asked), (STAFF,))) for one in derived(correction))


def derived(correction):
    return derivations_for(correction, GROUND.asked(correction.question), ())


def test_rows_are_those_after_the_last_step():
    found = programs_for(Correction("sales", REFS, rows=(RowRef("staff", 0), RowRef("staff", 1))))
    assert {"count(rows(team = Sales))", "cells(name, rows(team = Sales))"} <= found
    assert not {"count(rows())", "cells(name)", "cells(name, largest(pay))"} & found


def test_a_program_means_itself():
    program = "average(pay, rows(team = Sales))"
    assert programs_for(Correction("sales", REFS, program=program)) == {program}


def test_a_program_whose_values_are_not_said_is_replaced():
    found = programs_for(Correction("the boss", REFS, program="cells(name, rows(name = Bo))"))
    assert "cells(name, largest(pay))" in found


def test_a_refusal_has_a_derivation_of_each_kind():
    assert len(derived(Correction("the weather", REFS, refuse=True))) == 3


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
        derived(Correction("the boss", REFS, **right))


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
