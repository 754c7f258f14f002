import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neural_enquirer.programs.language import (
    Aggregate,
    Aggregation,
    All,
    Cells,
    Compare,
    Comparison,
    Constant,
    Direction,
    Extreme,
    Field,
    Groups,
    Join,
    Program,
    ProgramError,
    Where,
)
from neural_enquirer.programs.paper import (
    Shape,
    against,
    condition,
    over,
    select_where,
    shape,
    spelled,
    steps,
    superlative,
    the_cell,
    to_paper_text,
)
from neural_enquirer.programs.paper_parsing import parse_paper
from neural_enquirer.programs.result import Cell
from neural_enquirer.programs.text import to_text
from neural_enquirer.tables import Field as TableField
from neural_enquirer.tables import FieldType, Table

EQUAL, LESS, MORE, DIFFERS = Comparison.EQUAL, Comparison.LESS, Comparison.MORE, Comparison.DIFFERS
LARGEST, SMALLEST = Direction.LARGEST, Direction.SMALLEST

BEFORE_ATHENS = superlative(
    "host_country", LARGEST, "#_duration", against("year", LESS, condition("host_city", EQUAL, "Athens"))
)

FORMS: list[tuple[str, Cells, Shape, tuple[str, ...]]] = [
    (
        "select #_participants, where host_city = Beijing",
        select_where("#_participants", condition("host_city", EQUAL, "Beijing")),
        Shape.SELECT_WHERE,
        ("host_city", "#_participants"),
    ),
    (
        "argmin(country_size, #_duration)",
        superlative("country_size", SMALLEST, "#_duration"),
        Shape.SUPERLATIVE,
        ("#_duration", "country_size"),
    ),
    (
        "where #_participants < 3,000, argmax(#_duration, #_medals)",
        superlative("#_duration", LARGEST, "#_medals", condition("#_participants", LESS, 3000)),
        Shape.WHERE_SUPERLATIVE,
        ("#_participants", "#_medals", "#_duration"),
    ),
    (
        "where year < (select year, where host_city = Athens), argmax(host_country, #_duration)",
        BEFORE_ATHENS,
        Shape.NEST,
        ("host_city", "year", "year", "#_duration", "host_country"),
    ),
    (
        "select year, where city = Athens and medals > 20 and day <> 2004-08-13",
        select_where(
            "year",
            condition("city", EQUAL, "Athens"),
            condition("medals", MORE, 20),
            condition("day", DIFFERS, datetime.date(2004, 8, 13)),
        ),
        Shape.SELECT_WHERE,
        ("city", "medals", "day", "year"),
    ),
    (
        'where city = "and" and year < 2000, argmin(medals, year)',
        superlative(
            "medals", SMALLEST, "year", condition("city", EQUAL, "and"), condition("year", LESS, 2000)
        ),
        Shape.WHERE_SUPERLATIVE,
        ("city", "year", "year", "medals"),
    ),
    (
        "where year < (select year, where city = Athens) and medals > 20, argmax(city, year)",
        superlative(
            "city",
            LARGEST,
            "year",
            against("year", LESS, condition("city", EQUAL, "Athens")),
            condition("medals", MORE, 20),
        ),
        Shape.NEST,
        ("city", "year", "year", "medals", "year", "city"),
    ),
    (
        "select city, where country = (select country, where city = Athens) and city <> Athens",
        select_where(
            "city",
            against("country", EQUAL, condition("city", EQUAL, "Athens")),
            condition("city", DIFFERS, "Athens"),
        ),
        Shape.NEST,
        ("city", "country", "country", "city", "city"),
    ),
]


@pytest.mark.parametrize(("text", "program", "kind", "read"), FORMS)
def test_forms_of_the_paper_and_longer_ones(
    text: str, program: Cells, kind: Shape, read: tuple[str, ...]
) -> None:
    assert parse_paper(text) == program
    assert to_paper_text(parse_paper(text)) == text
    assert shape(program) is kind
    assert steps(program) == read


def test_forms_are_programs_of_the_language() -> None:
    assert to_text(BEFORE_ATHENS) == (
        "cells(host_country, largest(#_duration, rows(year < cells(year, rows(host_city = Athens)))))"
    )


words = st.text(max_size=8) | st.sampled_from(
    ["select", "WHERE", "argmax", "3,500", "2008", "1e5", "2008-08-08", '"', "a b"]
)
values = (
    words
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.dates()
    | st.datetimes(min_value=datetime.datetime(1000, 1, 1))
)
comparisons = st.sampled_from([EQUAL, LESS, MORE, DIFFERS])
conditions = st.builds(condition, words, comparisons, values)
first = conditions | st.builds(against, words, comparisons, conditions)
further = st.lists(conditions, max_size=2)
directions = st.sampled_from(Direction)
programs = (
    st.builds(lambda select, one, more: select_where(select, one, *more), words, first, further)
    | st.builds(superlative, words, directions, words)
    | st.builds(
        lambda select, direction, by, one, more: superlative(select, direction, by, one, *more),
        words,
        directions,
        words,
        first,
        further,
    )
)


@given(programs)
def test_what_was_written_is_read_back(program: Cells) -> None:
    text = to_paper_text(program)

    assert parse_paper(text) == program
    assert to_paper_text(parse_paper(text)) == text


@given(conditions)
def test_values_keep_their_type(given: Compare) -> None:
    read = parse_paper(to_paper_text(select_where("field", given)))

    assert isinstance(given.operand, Constant)
    match read.rows:
        case Where(_, Compare(_, _, Constant(value))):
            assert type(value) is type(given.operand.value)
        case _:
            pytest.fail(f"{read} has no condition on a value")


def test_spaces_and_case_of_keywords_do_not_matter() -> None:
    text = "WHERE year<(Select year,where host_city=Athens),ArgMax(host_country,#_duration)"

    assert parse_paper(text) == BEFORE_ATHENS


def test_a_spelling_is_kept_but_no_part_of_the_program() -> None:
    read = parse_paper("select year, where #_medals = 3,500")

    assert to_paper_text(read) == "select year, where #_medals = 3,500"
    assert read == select_where("year", condition("#_medals", EQUAL, 3500))
    assert read == select_where("year", spelled("#_medals", EQUAL, "3500"))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "expected 'select', 'where', 'argmax' or 'argmin' but found the end"),
        ("delete year", "found 'delete'"),
        ("select year", "expected ',' but found the end"),
        ("select year, host_city = Athens", "expected 'where'"),
        ("select year, where host_city Athens", "expected '=', '<', '>' or '<>' but found 'Athens'"),
        ("select year, where host_city =", "expected a value but found the end"),
        ("select year, where host_city = Athens Greece", "expected the end but found 'Greece'"),
        ("select year, where host_city = 1e999", "a value is a finite number"),
        ("argmax(host_city)", "expected ',' but found ')'"),
        ("argmax(, year)", "expected a field but found ','"),
        ("where year > 2008", "expected ','"),
        ("where year > 2008, select year, where year = 2008", "expected 'argmax' or 'argmin'"),
        ("where year < (select medals, where city = Athens), argmax(a, b)", "must select 'year'"),
        ("where year < (argmax(a, b)), argmax(a, b)", "expected 'select'"),
        ("select a, where b < (select b, where c = 1 and d = 2)", "one plain condition only"),
        ("select a, where b < (select b, where b > (select b, where c = 1))", "one plain condition only"),
        ('select "year, where host_city = Athens', "cannot read the program from"),
    ],
)
def test_bad_text_is_refused_with_one_line(text: str, complaint: str) -> None:
    with pytest.raises(ProgramError) as caught:
        parse_paper(text)

    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


IN_ATHENS = condition("city", EQUAL, "Athens")


@pytest.mark.parametrize(
    "program",
    [
        Aggregate(Aggregation.COUNT, None, All()),
        Cells((Field("a"),), All()),
        Cells((Field("a"), Field("b")), Where(All(), IN_ATHENS)),
        Cells((Field("a"),), Where(All(), IN_ATHENS), distinct=True),
        Cells((Field("a"),), Extreme(LARGEST, None, All())),
        Cells((Field("a"),), Extreme(LARGEST, Field("b"), All(), count=2)),
        Cells((Field("a"),), Extreme(LARGEST, Field("b"), All(), nth=2)),
        Cells((Field("a"),), Where(Extreme(LARGEST, Field("b"), All()), IN_ATHENS)),
        Cells((Field("a"),), Where(All(Groups(Field("a"), Aggregation.COUNT, None, All())), IN_ATHENS)),
        select_where("a", condition("b", Comparison.AT_LEAST, 3)),
        select_where("a", against("b", Comparison.AT_LEAST, IN_ATHENS)),
        select_where("a", IN_ATHENS, against("b", LESS, IN_ATHENS)),
        select_where("a", against("b", LESS, against("c", LESS, IN_ATHENS))),
        select_where("a", Compare(Field("b"), LESS, select_where("c", IN_ATHENS))),
        select_where("a", Compare(Field("b"), LESS, Field("c"))),
    ],
    ids=to_text,
)
def test_what_the_paper_cannot_say_is_refused(program: Program) -> None:
    for work in (to_paper_text, steps, shape):
        with pytest.raises(ProgramError, match="the paper has no logical form"):
            work(program)


GAMES = Table.of(
    [
        {"year": "2000", "host_city": "Sydney", "#_duration": "20", "#_medals": "2,000"},
        {"year": "2004", "host_city": "Athens", "#_duration": "35", "#_medals": "1,500"},
        {"year": "2008", "host_city": "Beijing", "#_duration": "30", "#_medals": "2,500"},
        {"year": "2012", "host_city": "London", "#_duration": "40", "#_medals": "2,300"},
    ]
)


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("select #_medals, where host_city = Beijing", 2),
        ("argmin(host_city, #_medals)", 1),
        ("where year < 2012, argmax(host_city, #_duration)", 1),
        ("where year > (select year, where host_city = Athens), argmax(#_medals, #_duration)", 3),
        ("select year, where #_medals > 1,800 and #_duration = 30", 2),
        ("where year > 2000 and year < 2012, argmin(host_city, #_duration)", 2),
        ("where year > (select year, where host_city = Sydney) and #_duration < 38, argmax(year, year)", 2),
        ("select year, where #_medals > (select #_medals, where year = 2012) and host_city <> Athens", 2),
    ],
)
def test_finds_the_cell(text: str, row: int) -> None:
    program = parse_paper(text)

    assert the_cell(program, [GAMES]) == Cell(0, row, GAMES.field_index(steps(program)[-1]))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("select year, where host_city = Paris", "no cells answer"),
        ("where year > 2012, argmax(host_city, year)", "no cells answer"),
        ("where year > (select year, where host_city = Paris), argmax(year, year)", "no cells answer"),
        ("select year, where #_medals > 2,000", "2 cells answer"),
        ("where year > (select year, where #_medals > 2,000), argmax(year, year)", "2 cells answer"),
        ("where year <> (select year, where host_city = Paris), argmax(year, year)", "no cells answer"),
        ("select year, where city = Paris", "no field 'city'"),
        ("select year, where host_city < 12", "text"),
    ],
)
def test_says_in_one_line_why_there_is_no_one_cell(text: str, complaint: str) -> None:
    with pytest.raises(ProgramError, match=complaint) as caught:
        the_cell(parse_paper(text), [GAMES])

    assert "\n" not in str(caught.value)


def test_a_missing_cell_neither_matches_nor_answers() -> None:
    fields = (TableField("year", FieldType.NUMBER), TableField("city", FieldType.TEXT))
    table = Table(fields, ((2000, None, 2008), ("Sydney", "Athens", None)))

    assert the_cell(parse_paper("argmin(city, year)"), [table]) == Cell(0, 0, 1)
    for text in (
        "argmax(city, year)",
        "where year > (select year, where city = Athens), argmax(city, year)",
    ):
        with pytest.raises(ProgramError, match="no cells answer"):
            the_cell(parse_paper(text), [table])


TWO = [
    Table.of([{"country": "China", "year": 2008}, {"country": "Greece", "year": 2004}], "games"),
    Table.of([{"country": "Greece", "size": 130}, {"country": "China", "size": 960}], "countries"),
]


def test_a_select_over_two_tables_joins_them_by_the_field_they_share() -> None:
    program = over(parse_paper("select size, where year = 2004"), TWO)

    on = (Field("country", "countries"), Field("country", "games"))
    given = Compare(Field("year", "games"), EQUAL, Constant(2004))
    assert program == Cells(
        (Field("size", "countries"),), Where(All(Join("countries", "games", (on,))), given)
    )
    assert to_paper_text(program) == "select size, where year = 2004"
    assert the_cell(program, TWO) == Cell(1, 0, 1)


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("select size, where country = China", Cell(1, 1, 1)),
        ("select country, where year = 2004", Cell(0, 1, 0)),
        ("select country, where size = 960", Cell(1, 1, 0)),
    ],
)
def test_the_field_that_two_tables_share_needs_no_join(text: str, cell: Cell) -> None:
    program = over(parse_paper(text), TWO)

    assert "join" not in to_text(program)
    assert the_cell(program, TWO) == cell


def test_a_row_answers_once_for_each_row_that_it_joins_with() -> None:
    twice = Table.of([{"country": "China", "year": 2008}, {"country": "China", "year": 2008}], "games")

    with pytest.raises(ProgramError, match="2 cells answer"):
        the_cell(over(parse_paper("select size, where year = 2008"), [twice, TWO[1]]), [twice, TWO[1]])


@pytest.mark.parametrize(
    ("tables", "text", "complaint"),
    [
        (TWO, "argmax(year, year)", "only asked to select by one condition"),
        (TWO, "select size, where year = 2004 and size = 130", "only asked to select by one condition"),
        (TWO, "select GDP, where year = 2004", "no table has the field 'GDP'"),
        ([GAMES, GAMES], "select year, where year = 2008", "these share 4"),
        ([GAMES, GAMES, GAMES], "select year, where year = 2008", "not of 3"),
    ],
)
def test_tables_that_do_not_go_together_are_refused(tables: list[Table], text: str, complaint: str) -> None:
    with pytest.raises(ProgramError, match=complaint):
        over(parse_paper(text), tables)
