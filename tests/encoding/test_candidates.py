import pytest

from neural_enquirer.encoding.candidates import candidates_of
from neural_enquirer.encoding.linking import link
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.programs import condition_text
from neural_enquirer.programs.enumeration import Candidates, LinkedNumber
from neural_enquirer.programs.language import Aggregation, Operation
from neural_enquirer.tables import Table

VOCABULARY = Vocabulary(
    ("which", "what", "the", "of", "in", "was", "more", "than", "who", "2000"), frozenset()
)
FILMS = Table.of_columns(
    ["Title", "Director", "Released", "Gross", "Place", "Note"],
    [
        ["Alien", "Ridley Scott", "Heat", "Up"],
        ["R. Scott", "Ridley Scott", "Michael Mann", "Pete Docter"],
        ["1979-05-25", "1982-06-25", "1995-12-15", "2009-05-29"],
        ["$104", "$41", "$187", "$735"],
        ["1st", "46 (of 50)", "3rd", "21"],
        ["shown in May 1979", "in 1982", "", "May 2009"],
    ],
)


def candidates(question: str, table: Table = FILMS) -> Candidates:
    return candidates_of(question, table, link(question, TableIndex.of(table), VOCABULARY))


def conditions(question: str, table: Table = FILMS) -> set[str]:
    return {condition_text(each.condition) for each in candidates(question, table).conditions}


def test_a_whole_cell_is_equal() -> None:
    assert conditions("who made Heat") == {"Title = Heat"}


def test_a_mention_counts_in_every_field_that_has_it() -> None:
    assert conditions("what of Ridley Scott") == {'Title = "Ridley Scott"', 'Director = "Ridley Scott"'}


def test_a_part_is_contained_where_cells_spell_it_alike() -> None:
    found = conditions("which films of Scott were there")
    assert "Director contains Scott" in found
    assert 'Title = "Ridley Scott"' in found  # only one title has it
    assert "Title contains Scott" in found


def test_cells_that_spell_a_mention_differently_are_a_choice() -> None:
    table = Table.of_columns(["nation", "points"], [["U.S.A.", "USA", "Peru"], ["1", "2", "3"]])
    assert 'nation one of ("U.S.A.", USA)' in conditions("how many points had the USA", table)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            "with a gross of 104",
            {"Gross = 104", "Gross < 104", "Gross > 104", "Gross <= 104", "Gross >= 104"},
        ),
        ("a gross of more than 100", {"Gross < 100", "Gross > 100"}),
        ("a gross of more than 1000", set()),
        ("after 21 May 1982", {"Released < 1982-05-21", "Released > 1982-05-21"}),
        ("between 1 January 1980 and 1 January 1996", {"Released between 1980-01-01 and 1996-01-01"}),
        ("which film was 46th", {"number_in(Place) = 46", "number_in(Place) < 46"}),
        ("the gross between 50 and 150", {"Gross between 50 and 150"}),
        ("films from 1982", {"year_of(Released) = 1982", "year_of(Released) > 1982", "Note contains 1982"}),
        ("released in May", {"month_of(Released) = 5", "Note contains May"}),
        ("released on May 29", {"month_of(Released) = 5", "day_of(Released) = 29"}),
        (
            "in the nineties",
            {"year_of(Released) between 1990 and 1999", "Released between 1990-01-01 and 1999-12-31"},
        ),
        ("in '82", {"year_of(Released) = 1982"}),
        ("on 29 may", {"Released = 2009-05-29"}),
        ("in December 1995", {"Released between 1995-12-01 and 1995-12-31", "Released < 1995-12-01"}),
    ],
)
def test_quantities(question: str, expected: set[str]) -> None:
    found = {text.replace('"', "") for text in conditions(question)}
    assert expected <= found
    if not expected:
        assert not any("Gross" in text for text in found)


def test_a_scaled_number_may_count_as_the_field_does() -> None:
    table = Table.of_columns(["city", "people (millions)"], [["Rome", "Oslo"], ["2.8", "0.7"]])
    assert '"people (millions)" > 1.5' in conditions("more than 1.5 million", table)


def test_a_percentage_counts_as_the_field_does() -> None:
    table = Table.of_columns(["place", "share"], [["a", "b"], ["0.31", "0.52"]])
    assert "share > 0.4" in conditions("over 40%", table)


def test_months_and_years_may_be_fields_of_numbers() -> None:
    table = Table.of_columns(["month", "year", "kwh"], [["12", "6"], ["1999", "2006"], ["310", "290"]])
    assert {"month = 12", "year = 1999"} <= conditions("kwh in dec 1999", table)


def test_many_cells_are_told_by_what_they_share() -> None:
    towns = [
        f"{name}, Puerto Rico" for name in ("Ponce", "Caguas", "Mayagüez", "Carolina", "Guánica", "Yauco")
    ]
    table = Table.of_columns(["town", "x"], [[*towns, "Lima, Peru"], list("1234567")])
    assert 'town ends with "Puerto Rico"' in conditions("how many Puerto Ricans", table)


def test_texts_that_begin_with_a_year_are_numbers_already() -> None:
    table = Table.of_columns(["season", "team"], [["1999", "2000 (half)", "2001"], ["a", "b", "c"]])
    found = conditions("in 2000", table)
    assert "number_in(season) = 2000" in found
    assert not any("contains" in text for text in found)


def test_conditions_know_their_words() -> None:
    found = candidates("was the gross of Heat more than 100")
    words = {condition_text(each.condition): each.words for each in found.conditions}
    assert words["Title = Heat"] == frozenset([4])
    assert words["Gross > 100"] == frozenset([7])
    assert found.numbers == (LinkedNumber(100, frozenset([7])),)


def test_a_number_inside_a_mention_is_no_number() -> None:
    table = Table.of_columns(["mission", "days"], [["Apollo 11", "Apollo 12"], ["8", "10"]])
    found = candidates("how many days was Apollo 11", table)
    assert found.numbers == ()
    assert {condition_text(each.condition) for each in found.conditions} == {'mission = "Apollo 11"'}


def test_fields_and_operations_that_the_question_names() -> None:
    found = candidates("what was the average gross by director")
    assert found.fields == {"Gross", "Director"}
    assert found.operations == {Aggregation.AVERAGE}
    assert candidates("what percentage of films").operations == {Operation.PERCENTAGE}
    assert candidates("the lowest total").operations == {Aggregation.MINIMUM, Aggregation.SUM}


def test_fields_of_one_of_several_tables_are_named_with_it() -> None:
    links = link("who made Heat", TableIndex.of(FILMS), VOCABULARY)
    (only,) = candidates_of("who made Heat", FILMS, links, "films").conditions
    assert condition_text(only.condition) == "films.Title = Heat"
