import pytest

from neural_enquirer.real_questions.denotation import CellFinder, same_rows, same_values, value_of
from neural_enquirer.tables import Table


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("São Paulo", "sao paulo"),
        ("“Quoted”", "quoted"),
        ("Rock ‘n’ roll", "rock 'n' roll"),
        ("1–0", "1-0"),
        ("Lisbon [3]", "Lisbon"),
        ("Lisbon†", "Lisbon"),
        ("Lisbon*#", "Lisbon"),
        ("Lisbon (Portugal) (EU)", "Lisbon"),
        ("Lisbon (Portugal)[2]", "Lisbon"),
        ("The end.", "the end"),
        ("two  words", "two words"),
        ("5", "5.0"),
        ("5 (tie)", "5"),
        ("1,234", "1234"),
        ("1995-xx-xx", "1995"),
        ("2001-02-XX", "2001-2-xx"),
        ("-3", "−3"),
    ],
)
def test_one_value_in_two_spellings(one: str, other: str) -> None:
    assert same_values([one], [other])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("5", "5.1"),
        ("12", "12 km"),
        ("Lisbon", "Lisbon, Portugal"),
        ("(Portugal)", "Lisbon"),
        ("1995-01-xx", "1995"),
        ("1995-13-01", "1995-01-01"),
        ("nan", "inf"),
        ("1_000", "1000"),
    ],
)
def test_two_values(one: str, other: str) -> None:
    assert not same_values([one], [other])


def test_a_set_of_values_has_no_order_and_nothing_twice() -> None:
    assert same_values(["a", "b"], ["b", "a", "A"])
    assert not same_values(["a", "b"], ["a"])
    assert not same_values(["a"], ["a", "b"])
    assert not same_values(["a"], [])


def test_dates_are_values() -> None:
    assert value_of("2001-02-03") == ("date", (2001, 2, 3))
    assert value_of("xx-02-03") == ("date", (-1, 2, 3))
    assert value_of("xxxx-xx-xx")[0] == "text"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Robinson R-22", "robinson r - 22"),
        ("53,658", "53658"),
        ("5", "5.0"),
        ("O'Neill", "o neill"),
        ("-", "-"),
    ],
)
def test_one_cell_of_wikisql_in_two_spellings(one: str, other: str) -> None:
    assert same_rows([one], [other])


def test_rows_of_wikisql_count_as_often_as_they_come() -> None:
    assert same_rows(["a", "b", "a"], ["a", "a", "B"])
    assert not same_rows(["a", "a"], ["a"])
    assert not same_rows(["-"], ["–"])
    assert same_rows([], [])


def test_all_cells_of_an_answer_are_found() -> None:
    table = Table.of([{"a": "Rome [1]", "b": "5"}, {"a": "rome", "b": None}, {"a": "Oslo", "b": "5.0"}])
    finder = CellFinder(table, value_of)
    assert finder.cells(["Rome"]) == ((0, 0), (1, 0))
    assert finder.cells(["5", "oslo"]) == ((0, 1), (2, 0), (2, 1))
    assert finder.cells(["5", "Bern"]) is None
    assert finder.cells([""]) is None
    assert finder.cells([]) is None
