import pytest
from tables_for_questions import HEIGHT, NAME, drawn

from neural_enquirer.synthesis.open.columns import Column
from neural_enquirer.synthesis.open.draw import Draw, attempted
from neural_enquirer.synthesis.open.everyday import draw_everyday
from neural_enquirer.synthesis.open.grammar import ordinal
from neural_enquirer.synthesis.open.lexicon import family
from neural_enquirer.synthesis.open.plans import Plan
from neural_enquirer.synthesis.open.tables import DrawnTable, draw_table
from neural_enquirer.synthesis.splits import SPLITS
from neural_enquirer.tables.readings import read_cells

KINDS = ("select_where", "superlative", "where_superlative", "nest")


def asked(table: DrawnTable, kind: str, natural: bool = True) -> dict[str, Plan]:
    draws = (Draw("asked", kind, number) for number in range(1500))
    found = (attempted(draw_everyday, draw, table, kind, natural) for draw in draws)
    return {each[0].lower().rstrip("?."): each[1] for each in found if each is not None}


def test_places_are_spelled_with_their_endings() -> None:
    assert [ordinal(place) for place in (1, 2, 3, 4, 11, 12, 13, 21, 102)] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd",
    ]  # fmt: skip


@pytest.mark.parametrize("split", SPLITS)
def test_texts_are_in_the_order_of_the_numbers_behind_them(split: str) -> None:
    forms = set()
    for number in range(1500):
        draw = Draw("loose", split, number)
        for column in draw_table(draw, split, "natural").columns:
            if column.amounts is None or len(set(column.amounts)) < 2 or None in column.cells:
                continue
            forms.add(column.spelled)
            read = read_cells([str(cell) for cell in column.cells])
            assert read is not None, column.cells
            rows = range(len(column.cells))
            assert sorted(rows, key=lambda row: read.values[row]) == sorted(
                rows, key=column.amounts.__getitem__
            )

    assert forms >= {"clock", "unit", "note"}


def test_places_tell_who_won_and_who_came_last() -> None:
    name = Column("name", "text", ["Aro", "Bela", "Cul"], maker="person", key=True)
    place = Column("place", "text", ["3rd", "1st", "2nd"], family("rank"))
    place.amounts, place.spelled = [3, 1, 2], "place"

    places, last = (asked(drawn(name, place), kind) for kind in ("select_where", "superlative"))

    for question, row in (("who won", 1), ("the runner-up", 2), ("who came third", 0), ("who came 3rd", 0)):
        assert (places[question].row, places[question].target) == (row, name)
    assert last["who came last"].row == 0


def test_a_cell_can_be_the_noun() -> None:
    binding = Column(
        "format",
        "text",
        ["paperback", "ebook", "paperback"],
        family("format"),
        maker=("paperback",),
    )

    questions = asked(drawn(NAME, binding, HEIGHT), "where_superlative")

    assert (questions["tallest paperback"].row, questions["tallest paperback"].target) == (0, NAME)
    assert questions["shortest of the paperbacks"].row == 2


def test_who_asks_for_the_only_persons() -> None:
    owner = Column("owner", "text", ["Ann", "Bob", "Cid"], family("owner"), maker="person")
    seller = Column("seller", "text", ["Dan", "Eve", "Flo"], family("salesperson"), maker="person")

    questions = asked(drawn(NAME, owner, HEIGHT), "superlative")

    assert questions["who has the highest height"].target is owner
    assert not any("who has" in question for question in asked(drawn(NAME, owner, seller), "select_where"))


def test_one_without_any_is_found() -> None:
    goals = Column("goals", "number", [3, 0, 2], family("goals"))

    questions = asked(drawn(NAME, goals), "select_where")

    found = [each for question, each in questions.items() if " no goals" in question]
    assert found
    assert {(each.row, each.target) for each in found} == {(1, NAME)}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("natural", [False, True])
def test_no_slot_is_left(kind: str, natural: bool) -> None:
    found = 0
    for number in range(400):
        draw = Draw("slots", kind, natural, number)
        table = draw_table(draw, "train", "natural" if natural else "literal")
        each = attempted(draw_everyday, draw, table, kind, natural)
        if each is not None:
            question, plan = each
            found += 1
            assert "{" not in question
            assert plan.target in table.columns
            assert plan.target.cells[plan.row] is not None
    assert found > 40
