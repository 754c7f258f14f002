import datetime

import pytest
from tables_for_questions import HEIGHT, NAME, drawn

from neural_enquirer.synthesis.open.columns import Column
from neural_enquirer.synthesis.open.draw import Draw, attempted
from neural_enquirer.synthesis.open.tables import DrawnTable, draw_table
from neural_enquirer.synthesis.open.without_program import Order, draw_order, order_is_plain, write_order
from neural_enquirer.synthesis.open.wording import Wording

PLAIN = ("listed", "table", "list", "row", "chart", "above", "below", "under", "underneath", "entry")


def brute_force(plan: Order, table: DrawnTable) -> int:
    """The row that is meant: the rows are read one after another, from the top."""
    seen: int | None = None
    for row in range(table.rows):
        if plan.among is not None and plan.among.column.cells[row] != plan.among.value:
            continue
        if plan.form == "first":
            return row
        here = plan.named is not None and plan.named.column.cells[row] == plan.named.value
        if plan.form == "before" and here:
            assert seen is not None
            return seen
        before = seen is not None and plan.named is not None
        if plan.form == "after" and before and plan.named.column.cells[seen] == plan.named.value:  # type: ignore[index, union-attr]
            return row
        seen = row
    assert plan.form == "last"
    assert seen is not None
    return seen


@pytest.mark.parametrize("wording", ["literal", "natural"])
def test_the_answer_is_in_that_place(wording: str) -> None:
    forms = set()
    for number in range(600):
        draw = Draw("order", wording, number)
        table = draw_table(draw, "train", wording)
        plan = attempted(draw_order, draw, table)
        if plan is not None:
            assert plan.row == brute_force(plan, table)
            assert plan.target.cells[plan.row] is not None
            forms.add((plan.form, plan.among is None))

    assert len(forms) == 6


@pytest.mark.parametrize("wording", ["literal", "natural"])
def test_dates_and_ranks_make_the_order_be_said(wording: str) -> None:
    for number in range(600):
        draw = Draw("plain", wording, number)
        table = draw_table(draw, "train", wording)
        plan = attempted(draw_order, draw, table)
        if plan is None or order_is_plain(table):
            continue
        question = write_order(draw, table, plan, Wording(draw, table, wording == "natural"))
        words = set(question.lower().replace("?", " ").replace(",", " ").replace("'s", " ").split())
        misspelled = any(len(set(word) ^ set(plain)) < 3 for word in words for plain in PLAIN)
        assert misspelled or words & set(PLAIN), question
        assert "{" not in question


def test_an_order_is_plain_where_no_column_contradicts_it() -> None:
    days = [datetime.date(2020, 1, day) for day in (1, 2, 3)]
    rising = Column("date", "date", list(days))
    falling = Column("date", "date", list(reversed(days)))
    rank = Column("rank", "number", [3, 1, 2])

    assert order_is_plain(drawn(NAME, HEIGHT))
    assert order_is_plain(drawn(NAME, rising))
    assert not order_is_plain(drawn(NAME, falling))
    assert not order_is_plain(drawn(NAME, rank))
