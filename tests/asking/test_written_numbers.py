"""Numbers and lists as people write them: money, times, spans of days, equal texts."""

import pytest

from neural_enquirer.tables import Table
from told import answer

RACE = Table.of(
    {
        "name": ["Ann", "Bob", "Cem", "Dan"],
        "club": ["Bern", "Bern", "Thun", "Thun"],
        "time": ["0:37:31", "1:02:33", "DNF", "0:40:00"],
        "lap": ["3:59", "4:10.5", "4:01", "-"],
        "start": ["06:00", "12:30", "18:00", "09:00"],
        "call": ["9:15 am", "12:30 pm", "1:00 pm", "11:45 pm"],
        "fee": ["$1,000.50", "$494.00", "$20.25", "$0.75"],
        "paid": ["2024-01-02", "2024-03-02", "2024-02-01", "2025-01-01"],
    }
)


@pytest.mark.parametrize(
    ("program", "text"),
    [
        ("sum(fee)", "$1,515.50"),
        ("sum(fee, rows(name = Ann or name = Dan or name = Cem))", "$1,021.50"),
        ("average(fee)", "$378.88"),
        ("average(amount_in(time))", "0:46:41"),
        ("maximum(amount_in(time))", "1:02:33"),
        ("average(amount_in(lap))", "4:03.5"),
        ("sum(amount_in(lap))", "12:10.5"),
        ("average(amount_in(start))", "11:22"),
        ("average(amount_in(call), rows(club = Bern))", "10:52 am"),
        ("maximum(amount_in(call))", "11:45 pm"),
        (
            "difference(cells(amount_in(time), rows(name = Ann)), cells(amount_in(time), rows(name = Bob)))",
            "-0:25:02",
        ),
        ("cells(club, rows(fee > 400))", "Bern"),
        ("cells(club)", "Bern, Thun"),
        ("cells(club, fee, rows(fee > 400))", "Bern $1,000.50, Bern $494.00"),
    ],
)
def test_worked_out_numbers_are_written_as_the_column_writes_its_own(program: str, text: str) -> None:
    assert answer("?", program, RACE).text == text


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("cells(time, largest(amount_in(time)))", "The largest time is 1:02:33."),
        ("cells(club, largest(club))", "The last club in the alphabet is Thun, in 2 rows."),
        (
            "cells(club, largest(2, fee, rows(club = Bern)))",
            "Among the 2 rows where club is Bern, the 2 with the largest fee have club Bern ($1,000.50) and "
            "Bern ($494.00).",
        ),
        ("cells(name, smallest(amount_in(time)))", "The name with the smallest time (0:37:31) is Ann."),
    ],
)
def test_the_ends_of_times_are_told_as_their_cells_spell_them(program: str, said: str) -> None:
    assert answer("?", program, RACE).sentence == said


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("days between Ann and Bob paying", "60 days"),
        ("how much later", "60 days"),
        ("months between Ann and Bob paying", "2 months (60 days)"),
        ("weeks between Ann and Bob paying", "8.6 weeks (60 days)"),
        ("days or months between them", "60 days"),
    ],
)
def test_days_are_told_in_the_unit_that_is_asked_for(question: str, text: str) -> None:
    program = "difference(cells(paid, rows(name = Bob)), cells(paid, rows(name = Ann)))"
    found = answer(question, program, RACE)
    assert (found.text, found.value) == (text, 60)
    assert answer("years between first and last", "range(paid)", RACE).text == "1 year (365 days)"
