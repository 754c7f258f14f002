import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neural_enquirer.query import (
    Comparison,
    Condition,
    Direction,
    Nest,
    Query,
    QueryError,
    SelectNest,
    SelectWhere,
    Superlative,
    WhereSuperlative,
    parse,
)

EQUAL, LESS, MORE = Comparison.EQUAL, Comparison.LESS, Comparison.MORE
ARGMAX, ARGMIN = Direction.ARGMAX, Direction.ARGMIN

BEFORE_ATHENS = Nest(
    "year",
    LESS,
    Condition("host_city", EQUAL, "Athens"),
    Superlative("host_country", ARGMAX, "#_duration"),
)

PAPER: list[tuple[str, Query]] = [
    (
        "select #_participants, where host_city = Beijing",
        SelectWhere("#_participants", Condition("host_city", EQUAL, "Beijing")),
    ),
    ("select host_country, where year = 2012", SelectWhere("host_country", Condition("year", EQUAL, 2012))),
    ("argmax(host_city, year)", Superlative("host_city", ARGMAX, "year")),
    ("argmin(country_size, #_duration)", Superlative("country_size", ARGMIN, "#_duration")),
    (
        "where #_participants < 3,000, argmax(#_duration, #_medals)",
        WhereSuperlative(
            Condition("#_participants", LESS, 3000, "3,000"), Superlative("#_duration", ARGMAX, "#_medals")
        ),
    ),
    (
        "where year > 2008, argmin(#_medals, year)",
        WhereSuperlative(Condition("year", MORE, 2008), Superlative("#_medals", ARGMIN, "year")),
    ),
    ("where year < (select year, where host_city = Athens), argmax(host_country, #_duration)", BEFORE_ATHENS),
    (
        "where #_duration < (select #_duration, where year = 1956), argmin(#_audience, year)",
        Nest("#_duration", LESS, Condition("year", EQUAL, 1956), Superlative("#_audience", ARGMIN, "year")),
    ),
]

SEVERAL_CONDITIONS: list[tuple[str, Query]] = [
    (
        "select year, where city = Athens and medals > 20 and day <> 2004-08-13",
        SelectWhere(
            "year",
            Condition("city", EQUAL, "Athens"),
            (
                Condition("medals", MORE, 20),
                Condition("day", Comparison.OTHER, datetime.date(2004, 8, 13)),
            ),
        ),
    ),
    (
        'where city = "and" and year < 2000, argmin(medals, year)',
        WhereSuperlative(
            Condition("city", EQUAL, "and"),
            Superlative("medals", ARGMIN, "year"),
            (Condition("year", LESS, 2000),),
        ),
    ),
    (
        "where year < (select year, where city = Athens) and medals > 20, argmax(city, year)",
        Nest(
            "year",
            LESS,
            Condition("city", EQUAL, "Athens"),
            Superlative("city", ARGMAX, "year"),
            (Condition("medals", MORE, 20),),
        ),
    ),
    (
        "select city, where country = (select country, where city = Athens) and city <> Athens",
        SelectNest(
            "city",
            "country",
            EQUAL,
            Condition("city", EQUAL, "Athens"),
            (Condition("city", Comparison.OTHER, "Athens"),),
        ),
    ),
]

words = st.text(max_size=8) | st.sampled_from(
    ["select", "WHERE", "argmax", "3,500", "2008", "1e5", "2008-08-08", '"', "a b"]
)
values = (
    words
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.dates()
    | st.datetimes(timezones=st.just(datetime.UTC) | st.none())
)
conditions = st.builds(Condition, words, st.sampled_from(Comparison), values)
superlatives = st.builds(Superlative, words, st.sampled_from(Direction), words)
also = st.lists(conditions, max_size=2).map(tuple)
queries = (
    st.builds(SelectWhere, words, conditions, also)
    | superlatives
    | st.builds(WhereSuperlative, conditions, superlatives, also)
    | st.builds(Nest, words, st.sampled_from(Comparison), conditions, superlatives, also)
    | st.builds(SelectNest, words, words, st.sampled_from(Comparison), conditions, also)
)


@pytest.mark.parametrize(("text", "query"), PAPER + SEVERAL_CONDITIONS)
def test_prints_and_parses_the_forms_of_the_paper_and_longer_ones(text: str, query: Query) -> None:
    assert query.to_text() == text
    assert parse(text) == query


@given(queries)
def test_parse_reads_back_what_was_printed(query: Query) -> None:
    text = query.to_text()

    assert parse(text) == query
    assert parse(text).to_text() == text
    assert type(parse(text)) is type(query)


@given(conditions)
def test_values_keep_their_type(condition: Condition) -> None:
    read = parse(SelectWhere("field", condition).to_text())

    assert isinstance(read, SelectWhere)
    assert type(read.condition.value) is type(condition.value)


def test_spaces_and_case_of_keywords_do_not_matter() -> None:
    text = "WHERE year<(Select year,where host_city=Athens),ArgMax(host_country,#_duration)"

    assert parse(text) == BEFORE_ATHENS


def test_a_spelling_is_kept_but_no_part_of_the_query() -> None:
    spelled = parse("select year, where #_medals = 3,500")

    assert spelled.to_text() == "select year, where #_medals = 3,500"
    assert spelled == SelectWhere("year", Condition("#_medals", EQUAL, 3500))
    assert hash(spelled) == hash(SelectWhere("year", Condition("#_medals", EQUAL, 3500)))


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
        ("argmax(host_city)", "expected ',' but found ')'"),
        ("argmax(, year)", "expected a field but found ','"),
        ("where year > 2008", "expected ','"),
        ("where year > 2008, select year, where year = 2008", "expected 'argmax' or 'argmin'"),
        ("where year < (select medals, where city = Athens), argmax(a, b)", "must select 'year'"),
        ("where year < (argmax(a, b)), argmax(a, b)", "expected 'select'"),
        ("select a, where b < (select b, where c = 1 and d = 2)", "one plain condition only"),
        ("select a, where b < (select b, where b > (select b, where c = 1))", "one plain condition only"),
        ('select "year, where host_city = Athens', "cannot read the query from"),
    ],
)
def test_bad_text_is_refused_with_one_line(text: str, complaint: str) -> None:
    with pytest.raises(QueryError) as caught:
        parse(text)

    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_conditions_refuse_what_no_text_can_hold() -> None:
    with pytest.raises(QueryError, match="finite"):
        Condition("GDP", EQUAL, float("nan"))
    with pytest.raises(QueryError, match="not a spelling"):
        Condition("GDP", EQUAL, 3000, "3,500")


def test_fields_are_listed_in_the_order_they_are_read() -> None:
    assert PAPER[0][1].fields() == ("host_city", "#_participants")
    assert PAPER[3][1].fields() == ("#_duration", "country_size")
    assert PAPER[4][1].fields() == ("#_participants", "#_medals", "#_duration")
    assert BEFORE_ATHENS.fields() == ("host_city", "year", "year", "#_duration", "host_country")
    assert SEVERAL_CONDITIONS[0][1].fields() == ("city", "medals", "day", "year")
    assert SEVERAL_CONDITIONS[2][1].fields() == ("city", "year", "year", "medals", "year", "city")
    assert SEVERAL_CONDITIONS[3][1].fields() == ("city", "country", "country", "city", "city")


def test_several_conditions_cannot_be_joined() -> None:
    query = SelectWhere("a", Condition("b", EQUAL, 1), (Condition("c", EQUAL, 2),))

    with pytest.raises(QueryError, match="only one condition"):
        query.to_join_sql("one", "other", on="key")


def test_sql_quotes_names_and_text_but_not_numbers() -> None:
    query = SelectWhere('the "year"', Condition("host_city", EQUAL, "Xi'an"))
    number = WhereSuperlative(Condition("#_participants", LESS, 3000, "3,000"), Superlative("a", ARGMIN, "b"))

    assert query.to_sql("my games") == (
        'SELECT "the ""year""" FROM "my games" WHERE "host_city" = ' + "'Xi''an'"
    )
    assert number.to_sql("t") == (
        'SELECT "a" FROM "t" WHERE "#_participants" < 3000 '
        'AND "b" = (SELECT min("b") FROM "t" WHERE "#_participants" < 3000)'
    )


def test_sql_of_two_tables_joins_them() -> None:
    query = SelectWhere("population", Condition("year", EQUAL, 2012))

    assert query.to_join_sql("countries", "games", on="country") == (
        'SELECT "countries"."population" FROM "countries" JOIN "games" '
        'ON "countries"."country" = "games"."country" WHERE "games"."year" = 2012'
    )
