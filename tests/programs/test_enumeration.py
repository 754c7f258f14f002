import datetime
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass

import pytest
from example_tables import CUSTOMERS, GAMES, ORDERS
from hypothesis import HealthCheck, given, settings
from strategies import table_and_programs

from neural_enquirer.programs import Program, ProgramError, parse, run, to_text
from neural_enquirer.programs.enumeration import (
    Candidates,
    LinkedCondition,
    LinkedNumber,
    NamedOperation,
    Wanted,
    columns_of,
)
from neural_enquirer.programs.enumeration.search import programs_for
from neural_enquirer.programs.language import (
    Aggregation,
    Between,
    Compare,
    Constant,
    Extreme,
    Field,
    Join,
    OneOf,
    Operation,
    Where,
)
from neural_enquirer.tables import Table
from neural_enquirer.tables.measures import number


def key(text: str) -> tuple[str, str | float]:
    amount = number(text)
    return ("text", text) if amount is None else ("number", round(float(amount), 6))


def condition(text: str) -> Compare | Between:
    program = parse(f"count(rows({text}))")
    assert isinstance(program.rows, Where)
    assert isinstance(program.rows.condition, Compare | Between)
    return program.rows.condition


def asked(
    *conditions: str,
    numbers: Sequence[int] = (),
    mentions: Sequence[str] = (),
    operations: Sequence[NamedOperation] = (),
) -> Candidates:
    """Each condition and each number is a word of the question."""
    linked = [LinkedCondition(condition(text), frozenset([word])) for word, text in enumerate(conditions)]
    named = [LinkedNumber(n, frozenset([word])) for word, n in enumerate(numbers, start=len(conditions))]
    return Candidates(tuple(linked), tuple(named), frozenset(mentions), frozenset(operations))


def found(
    answers: Sequence[str],
    candidates: Candidates,
    table: Table = GAMES,
    counted: bool = True,
    limit: int = 1000,
) -> list[str]:
    """The programs that are found, as text; all of them give the answer."""
    wanted = Wanted.of(answers, key, counted=counted)
    programs = programs_for([table], [candidates], wanted, limit=limit)
    for program in programs:
        given = Wanted.of(run(program, [table]).texts([table]), key, counted=counted)
        same = given.counts == wanted.counts if counted else given.counts.keys() == wanted.counts.keys()
        assert same, to_text(program)
    return [to_text(program) for program in programs]


@pytest.mark.parametrize(
    ("program", "answers", "candidates"),
    [
        ("cells(city, rows(year = 1980))", ["Moscow"], asked("year = 1980")),
        ("cells(city, rows(kind <> summer))", ["London"], asked("kind = summer")),
        ("cells(city, rows(kind is missing))", ["Rome"], asked()),
        (
            "cells(city, rows(kind = summer and days > 10))",
            ["Paris", "Moscow"],
            asked("kind = summer", "days > 10"),
        ),
        (
            "cells(city, rows(city one of (Rome, Paris)))",
            ["Paris", "Rome"],
            asked("city = Rome", "city = Paris"),
        ),
        ("cells(city, rows(not city contains o))", ["Athens", "Paris"], asked("city contains o")),
        ("cells(city, rows(days between 15 and 20))", ["Paris", "Moscow"], asked("days between 15 and 20")),
        ("cells(city, largest(days))", ["London", "Rome"], asked()),
        ("cells(city, smallest(days, rows(kind = summer)))", ["Athens"], asked("kind = summer")),
        ("cells(city, last(rows(kind = summer)))", ["Moscow"], asked("kind = summer")),
        ("cells(city, largest(2, year))", ["Moscow", "Rome"], asked(numbers=[2])),
        ("cells(city, nth_largest(3, year))", ["London"], asked(numbers=[3])),
        ("cells(city, nth_first(2))", ["Paris"], asked(numbers=[2])),
        ("cells(city, next(rows(city = Paris)))", ["London"], asked("city = Paris")),
        ("cells(city, before(rows(city = London)))", ["Athens", "Paris"], asked("city = London")),
        (
            "cells(city, rows(kind = summer, after(rows(city = Paris))))",
            ["Moscow"],
            asked("kind = summer", "city = Paris"),
        ),
        (
            "cells(city, rows(year > cells(year, rows(city = London))))",
            ["Moscow", "Rome"],
            asked("city = London"),
        ),
        (
            "cells(city, rows(days = cells(days, rows(city = Rome)) and city <> Rome))",
            ["London"],
            asked("city = Rome"),
        ),
        ("cells(city, year, rows(days > 100))", ["London", "1908", "Rome", "1984"], asked("days > 100")),
        ("distinct(days, rows(year > 1900))", ["188", "15"], asked("year > 1900")),
        (
            "cells(city, rows(days > its(price)))",
            ["Athens", "Paris", "London", "Rome"],
            asked(mentions=["days", "price"]),
        ),
        ("cells(city, largest(difference(year, days)))", ["Moscow"], asked(mentions=["days", "year"])),
        ("count(rows(kind = summer))", ["3"], asked("kind = summer")),
        ("count(rows(kind = winter and year = 1980))", ["0"], asked("kind = winter", "year = 1980")),
        ("count_distinct(days)", ["4"], asked()),
        ("sum(price)", ["5.6"], asked()),
        ("range(year, rows(kind = summer))", ["84"], asked("kind = summer")),
        ("maximum(days, rows(kind = summer))", ["20"], asked("kind = summer")),
        (
            "average(days, rows(kind = summer))",
            ["15"],
            asked("kind = summer", operations=[Aggregation.AVERAGE]),
        ),
        ("median(price)", ["0.25"], asked(operations=[Aggregation.MEDIAN])),
        ("minimum(days, rows(city = Rome))", ["188"], asked("city = Rome", operations=[Aggregation.MINIMUM])),
        (
            "cells(city, rows(price > average(price)))",
            ["Rome"],
            asked(operations=[Aggregation.AVERAGE]),
        ),
        (
            "difference(cells(year, rows(city = Rome)), cells(year, rows(city = Paris)))",
            ["84"],
            asked("city = Rome", "city = Paris"),
        ),
        (
            "difference(average(days, rows(kind = summer)), average(days, rows(year < 1905)))",
            ["0"],
            asked("kind = summer", "year < 1905", operations=[Aggregation.AVERAGE]),
        ),
        (
            "difference(count(rows(kind = summer)), count(rows(kind = winter)))",
            ["2"],
            asked("kind = summer", "kind = winter"),
        ),
        (
            "percentage(count(rows(year < 1905)), count(rows(days < 100)))",
            ["66.6666666667"],
            asked("year < 1905", "days < 100", operations=[Operation.PERCENTAGE]),
        ),
        ("distance(cells(days, rows(city = Rome)), 200)", ["12"], asked("city = Rome", numbers=[200])),
        ("cells(kind, largest(measure, groups(kind, count)))", ["summer"], asked()),
        ("cells(kind, largest(measure, groups(kind, sum(days))))", ["winter"], asked()),
        (
            "cells(kind, largest(2, measure, groups(kind, sum(days))))",
            ["winter", "summer"],
            asked(numbers=[2]),
        ),
        ("cells(days, rows(measure > 1, groups(days, count)))", ["188"], asked()),
        ("count(rows(measure = 1, groups(days, count)))", ["3"], asked()),
        ("maximum(measure, groups(kind, count))", ["3"], asked()),
        ("exists(rows(city = Rome and days > 100))", ["yes"], asked("city = Rome", "days > 100")),
        ("exists(rows(city = Rome))", ["yes"], asked("city = Rome")),
        ("exists(rows(city = Paris and days > 100))", ["no"], asked("city = Paris", "days > 100")),
        ("holds(cells(days, rows(city = Rome)) > 200)", ["no"], asked("city = Rome", numbers=[200])),
        (
            "holds(cells(days, rows(city = Rome)) > cells(days, rows(city = Paris)))",
            ["yes"],
            asked("city = Rome", "city = Paris"),
        ),
    ],
)
def test_operations(program: str, answers: list[str], candidates: Candidates) -> None:
    assert program in found(answers, candidates)


@pytest.mark.parametrize(
    ("program", "answers", "candidates"),
    [
        ("cells(customer, rows(year_of(day) = 2024))", ["Ann", "Bob", "Ann"], asked("year_of(day) = 2024")),
        ("cells(customer, largest(number_in(note)))", ["Bob"], asked()),
        ("sum(number_in(note), rows(customer = Ann))", ["-1"], asked("customer = Ann")),
        ("cells(customer, rows(number_in(note) = 1200))", ["Bob"], asked("number_in(note) = 1200")),
        ("range(day)", ["31"], asked()),
        ("cells(customer, largest(measure, groups(customer, sum(total))))", ["Cid"], asked()),
    ],
)
def test_dates_and_numbers_in_texts(program: str, answers: list[str], candidates: Candidates) -> None:
    assert program in found(answers, candidates, ORDERS)


def test_without_a_word_for_it_nothing_is_averaged() -> None:
    named = found(["15"], asked("kind = summer", operations=[Aggregation.AVERAGE]))
    unnamed = found(["15"], asked("kind = summer"))
    assert any("average(" in text for text in named)
    assert not any("average(" in text for text in unnamed)


def test_the_best_programs_use_what_the_question_says() -> None:
    first, *_ = found(["summer"], asked("city = Paris", "year = 1900"))
    assert first == "cells(kind, rows(city = Paris and year = 1900))"
    first, *_ = found(["188"], asked("city = London", mentions=["days"]))
    assert first == "cells(days, rows(city = London))"


def test_what_takes_no_row_away_is_left_out_unless_it_is_named() -> None:
    programs = found(["summer"], asked("city = Paris", "year < 1950"))
    assert "cells(kind, rows(city = Paris))" in programs
    assert "cells(kind, rows(city = Paris and year < 1950))" not in programs
    mentioned = found(["summer"], asked("city = Paris", "year < 1950", mentions=["year"]))
    assert "cells(kind, rows(city = Paris and year < 1950))" in mentioned


def test_a_field_has_one_lower_and_one_upper_bound() -> None:
    programs = found(["Paris", "London"], asked("year > 1896", "year > 1850", "year < 1980", numbers=[2]))
    assert "cells(city, rows(year > 1896 and year < 1980))" in programs
    assert not any("year > 1896 and year > 1850" in text for text in programs)


def test_no_word_is_used_twice() -> None:
    twice = (
        LinkedCondition(condition("city = Paris"), frozenset([0])),
        LinkedCondition(condition("year = 1900"), frozenset([0])),
    )
    for text in found(["20"], Candidates(twice)):
        assert not ("Paris" in text and "1900" in text and " or " not in text)


def test_lists_count_their_answers_and_sets_do_not() -> None:
    assert "cells(kind, rows(days < 100))" not in found(["summer"], asked("days < 100"))
    assert "cells(kind, rows(days < 100))" in found(["summer"], asked("days < 100"), counted=False)


@pytest.mark.parametrize(
    ("answers", "counted"), [(["2", "2"], True), (["yes", "yes"], True), (["yes", "no"], False)]
)
def test_a_list_is_neither_a_number_nor_a_truth(answers: list[str], counted: bool) -> None:
    wanted = Wanted.of(answers, key, counted=counted)
    assert wanted.number is None
    assert wanted.truth is None


def test_what_comes_twice_in_a_set_comes_once() -> None:
    assert Wanted.of(["2", "2.0"], key, counted=False).number == 2
    assert Wanted.of(["no", "no"], key, counted=False).truth is False


def test_the_limit_leaves_room_for_several_shapes() -> None:
    candidates = asked("city = Rome", "year > 1900", "kind = summer", numbers=[2])
    everything, some = found(["2"], candidates), found(["2"], candidates, limit=12)
    assert len(everything) == len(set(everything)) > 50
    assert len(some) == 12
    assert some[0] == everything[0]
    assert len({text.split("(")[0] for text in some}) >= 3


def test_nothing_is_found_for_no_answer_and_in_no_rows() -> None:
    assert programs_for([GAMES], [asked()], Wanted.of([], key, counted=True)) == []
    empty = Table.of_columns(["a"], [[]])
    assert programs_for([empty], [asked()], Wanted.of(["0"], key, counted=True)) == []


def test_two_tables_are_searched_alone_and_together() -> None:
    tables = [ORDERS, CUSTOMERS]
    join = Join("orders", "customers", ((Field("customer", "orders"), Field("name", "customers")),))
    france = Candidates((LinkedCondition(condition("customers.country = France"), frozenset([0])),))
    wanted = Wanted.of(["15"], key, counted=True)
    programs = programs_for(tables, [Candidates(), france], wanted, joins=[join])
    source = "join(orders, customers, orders.customer = customers.name)"
    assert parse(f"sum(orders.total, rows(customers.country = France, {source}))") in programs
    for program in programs:
        assert run(program, tables).texts(tables) == ("15",)
    alone = programs_for(tables, [Candidates(), france], Wanted.of(["Ann", "Dan"], key, counted=True))
    assert parse("cells(customers.name, rows(customers.country = France, customers))") in alone


def test_a_tables_columns_are_kept_by_the_table_itself() -> None:
    one = Table.of_columns(["price"], [["$5", "$7"]])
    other = Table.of_columns(["price"], [["5 €", "7 €"]])
    assert one == other
    assert columns_of(one) is columns_of(one)
    assert columns_of(one) is not columns_of(other)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(table_and_programs(count=3))
def test_all_that_is_found_for_any_answer_gives_it(drawn: tuple[list[Table], list[Program]]) -> None:
    """The conditions and numbers of a drawn program are given, and its answer is wanted."""
    tables, programs = drawn
    table = tables[0]
    for program in programs:
        try:
            answers = run(program, tables).texts(tables)
        except ProgramError:
            continue
        candidates = Candidates(
            tuple(
                LinkedCondition(each, frozenset([word]))
                for word, each in enumerate(_conditions(program, table))
            ),
            tuple(LinkedNumber(n, frozenset([100 + n])) for n in _counts(program)),
            frozenset(table.field_names[:3]),
            frozenset({*Aggregation, *Operation}),
        )
        wanted = Wanted.of(answers, key, counted=True)
        for each in programs_for([table], [candidates], wanted):
            given = Wanted.of(run(each, [table]).texts([table]), key, counted=True)
            assert given.counts == wanted.counts, to_text(each)


def _conditions(program: object, table: Table) -> Iterator[Compare | Between]:
    """The comparisons of a program with constants that fit the first table's cells exactly."""
    for part in _parts(program):
        if isinstance(part, Compare | Between):
            column = columns_of(table).column(part.term)
            operands = (part.low, part.high) if isinstance(part, Between) else (part.operand,)
            values = [
                each.value
                for operand in operands
                for each in (operand.values if isinstance(operand, OneOf) else [operand])
                if isinstance(each, Constant)
            ]
            kinds = {_kind(value) for value in values}
            if column is not None and values and kinds == {_kind(value) for value in column.rows_by_value}:
                yield part


def _kind(value: object) -> type:
    return next(
        kind for kind in (str, datetime.datetime, datetime.date, int | float) if isinstance(value, kind)
    )  # type: ignore


def _counts(program: object) -> set[int]:
    return {max(part.nth, part.count) for part in _parts(program) if isinstance(part, Extreme)}


def _parts(part: object) -> Iterator[object]:
    yield part
    if is_dataclass(part):
        for each in fields(part):
            yield from _parts(getattr(part, each.name))
    elif isinstance(part, tuple):
        for each in part:
            yield from _parts(each)
