"""Tables go together by the fields by which their rows find a partner, and which the question names."""

from neural_enquirer.encoding.actions.joins import find_join
from neural_enquirer.tables import Table

STAFF = Table.of(
    {
        "Name": ["Ada", "Bo", "Cy", "Di", "Eve", "Flo"],
        "Dept": ["D1", "D2", "D1", "D3", "D2", "D9"],
        "Badge": [1, 2, 3, 4, 5, 6],
        "Parking": ["yes", "no", "yes", "no", "no", "no"],
    },
    "staff",
)
DEPARTMENTS = Table.of(
    {
        "ID": ["D1", "D2", "D3"],
        "Head": ["Ada", "Bo", "Di"],
        "Desks": [4, 6, 2],
        "Remote": ["no", "yes", "no"],
    },
    "departments",
)
MOVES = Table.of(
    {"player": ["P", "Q", "R"], "left": ["X", "Y", "Z"], "joined": ["Y", "Z", "X"]},
    "moves",
)
CLUBS = Table.of({"club": ["X", "Y", "Z"], "town": ["Oslo", "Bergen", "Hamar"]}, "clubs")


def fields(*tables: Table, words: frozenset[str] = frozenset()) -> list[tuple[str, str]]:
    join = find_join(tables, 0, 1, words)
    return [] if join is None else [(left.name, right.name) for left, right in join.on]


def test_most_rows_find_a_partner() -> None:
    assert fields(STAFF, DEPARTMENTS) == [("Dept", "ID")]
    assert fields(DEPARTMENTS, STAFF) == [("ID", "Dept")]


def test_of_pairs_that_are_as_likely_the_question_names_one() -> None:
    assert fields(MOVES, CLUBS, words=frozenset({"which", "town", "left"})) == [("left", "club")]
    assert fields(MOVES, CLUBS, words=frozenset({"who", "join"})) == [("joined", "club")]


def test_numbers_that_meet_by_chance_are_no_key() -> None:
    rooms = Table.of({"floor": [1, 2, 3], "beds": [4, 5, 6]}, "rooms")
    assert fields(rooms, Table.of({"grade": [1, 2, 3, 3], "pay": [4, 6, 5, 5]}, "grades")) == []


def test_numbers_that_all_rows_of_a_side_find_are_a_key() -> None:
    orders = Table.of({"cust": [11, 12, 12, 14, 11], "cups": [2, 3, 4, 5, 7]}, "orders")
    people = Table.of({"no": [11, 12, 13, 14, 15], "who": ["A", "B", "C", "D", "E"]}, "people")
    assert fields(orders, people) == []  # three different numbers may meet by chance
    longer = Table.of({"cust": [11, 12, 13, 14, 11], "cups": [2, 3, 4, 5, 7]}, "orders")
    assert fields(longer, people) == [("cust", "no")]
