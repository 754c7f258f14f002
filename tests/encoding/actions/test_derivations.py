"""Programs as sequences of actions: written, read back, and the same rows whatever the words."""

from random import Random

import pytest

from asked_games import GAMES, LANDS, actions, ask, random_derivation
from neural_enquirer.encoding.actions import PRODUCTIONS, Action, Pool, build, derive
from neural_enquirer.encoding.actions.grammar import PRODUCTION_NUMBERS, REFUSALS
from neural_enquirer.programs.execution import run
from neural_enquirer.programs.language import ProgramError
from neural_enquirer.programs.parsing import parse
from neural_enquirer.programs.text import to_text
from neural_enquirer.tables import Table

BOTH = (GAMES, LANDS)
TRIES, ENOUGH = 1000, 1
ASKED = (
    ask("how many days in athens, st moritz or greece in summer, more than 9 or 17, 1900 or 2004, february"),
    ask("days in greece, paris or asia after 1900 with 17 days and 60 people", BOTH),
)

CASES = [
    ("which city in 1900", "cells(city, rows(year = 1900))", "cells city where = q0 year all"),
    ("all the countries", "distinct(country, rows())", "distinct country all"),
    ("city and year", "cells(city, year, rows())", "pairs city year all"),
    ("games in oslo?", 'exists(rows(city = "Oslo"))', "exists where is m0 city all"),
    ("how many not in greece", 'count(rows(country <> "Greece"))', "count where is_not m0 country all"),
    ("at least 17 days", "count(rows(days >= 17))", "count where >= q0 days all"),
    ("not 17 days", "count(rows(not days = 17))", "count where not = q0 days all"),
    ("1900 to 1952", "count(rows(year between 1900 and 1952))", "count where between q0 q1 year all"),
    ("in february", "count(rows(month_of(opened) = 2))", "count where = q0 opened all"),
    ("opened in 2004", "count(rows(year_of(opened) = 2004))", "count where = q0 opened all"),
    ("on 1928-02-11", "cells(city, rows(opened = 1928-02-11))", "cells city where = q0 opened all"),
    ("longer than 1 hour", "cells(city, rows(amount_in(length) > 60))", "cells city where > q0 length all"),
    ("short", "count(rows(days < 10))", "count where than_< days 10 all"),
    ("days missing", "cells(city, rows(days is missing))", "cells city where missing days all"),
    ("days known", "count(rows(not days is missing))", "count where present days all"),
    ("longest ago", "cells(city, smallest(year))", "cells city smallest year all"),
    ("the 3 longest", "cells(city, largest(3, days))", "cells city n_largest q0 days all"),
    ("three longest", "cells(city, largest(3, days))", "cells city n_largest q0 days all"),
    ("second longest", "cells(city, nth_largest(2, days))", "cells city nth_largest q0 days all"),
    ("a pair of the longest", "cells(city, largest(2, days))", "cells city n_largest 2 days all"),
    ("first", "cells(city, first())", "cells city first all"),
    ("after oslo", 'cells(city, previous(rows(city = "Oslo")))', "cells city previous where is m0 city all"),
    ("most games", "cells(city, largest(measure, groups(city, count)))", "groups most count_by city all"),
    (
        "days by kind",
        "cells(kind, measure, groups(kind, sum(days)))",
        "groups_with_measures sum_by kind days all",
    ),
    (
        "more than 1 games",
        "cells(city, rows(measure > 1, groups(city, count)))",
        "groups measure_> number q0 count_by city all",
    ),
    ("typical", "average(measure, groups(city, count))", "average_of_measures count_by city all"),
    ("longest run", "maximum(amount_in(length), rows())", "maximum length all"),
    (
        "share",
        'percentage(count(rows(country = "Norway")), count(rows()))',
        None,  # no word says summer
    ),
    (
        "share in summer",
        'percentage(count(rows(kind = "summer")), count(rows()))',
        "percentage count where is m0 kind all count all",
    ),
    (
        "longer than the mean",
        "count(rows(days > average(days, rows())))",
        "count where than_> days average days all all",
    ),
    (
        "year less days",
        "maximum(difference(year, days), rows())",
        "maximum difference_of_fields year days all",
    ),
    (
        "is it oslo",
        'holds(cells(city, last()) = "Oslo")',
        "holds_= cells city last all text m0",
    ),
    ("half of 17", "product(17, maximum(days, rows()))", "product number q0 maximum days all"),
]


@pytest.mark.parametrize(("question", "program", "derivation"), CASES, ids=[case[1] for case in CASES])
def test_a_program_is_derived_and_built_again(question: str, program: str, derivation: str | None) -> None:
    asked, wanted = ask(question), parse(program)
    found = derive(wanted, asked)
    if derivation is None:
        assert not found
        return
    assert found[0] == actions(asked, derivation)
    values = run(wanted, asked.tables).values
    assert values
    assert [run(build(one, asked), asked.tables).values for one in found] == [values] * len(found)


@pytest.mark.parametrize(
    ("question", "program"),
    [
        ("games in rome", 'count(rows(city = "Oslo"))'),
        ("many days", "count(rows(days > 17))"),
        ("in 1900", "count(rows(height = 1900))"),
        ("the longest", "cells(city, largest(11, days))"),
        ("what a city", 'cells(city, rows(city contains "o", first(3)))'),
        ("is it long", "holds(maximum(days, rows()) = 4711)"),
    ],
)
def test_what_no_link_says_cannot_be_derived(question: str, program: str) -> None:
    assert derive(parse(program), ask(question)) == []


def test_other_words_will_do_where_they_select_the_same_rows() -> None:
    asked = ask("days of st moritz")
    program = parse('cells(days, rows(country = "Switzerland"))')
    (found,) = derive(program, asked)
    assert found == actions(asked, "cells days where is m0 city all")


def test_denied_words_must_also_miss_the_same_cells() -> None:
    """Oslo's days are missing: it is among the cities that differ, and not among the days."""
    asked = ask("years but that of paris")
    assert derive(parse("cells(year, rows(days = 20))"), asked)
    assert derive(parse("cells(year, rows(days <> 20))"), asked) == []


def test_denied_twice_is_said() -> None:
    asked = ask("days in 1900")
    (found, *_) = derive(parse("cells(days, rows(not year <> 1900))"), asked)
    assert found == actions(asked, "cells days where = q0 year all")


def test_conditions_come_in_the_order_of_the_question() -> None:
    program = parse('count(rows(kind = "summer" and year > 1900 and city = "Athens"))')
    asked = ask("how many in athens after 1900 in summer")
    named = {asked.links[0].words[start]: f"m{k}" for k, (start, _) in enumerate(asked.links[0].mentions)}
    text = f"count where is {named['athens']} city where > q0 year where is {named['summer']} kind all"
    assert derive(program, asked)[0] == actions(asked, text)


def test_a_list_of_values_is_one_or_the_other() -> None:
    asked = ask("games in oslo or paris")
    program = parse('count(rows(city one of ("Paris", "Oslo")))')
    (found,) = derive(program, asked)
    assert [PRODUCTIONS[one.number].name for one in found if one.pool is Pool.PRODUCTION][:3] == [
        "count",
        "where",
        "or",
    ]
    assert run(build(found, asked), asked.tables).values == (2,)


@pytest.mark.parametrize(
    ("question", "program"),
    [
        (
            "days of games in asia or greece",
            'sum(games.days, rows(lands.country = "Greece", '
            "join(games, lands, games.country = lands.country)))",
        ),
        ("countries with games", "count(rows(lands))"),
        (
            "people where games lasted more than 17 days",
            "cells(lands.people, rows(games.days >= 17, join(lands, games, lands.country = games.country)))",
        ),
        (
            "games per continent",
            "cells(lands.continent, measure, groups(lands.continent, count, "
            "join(games, lands, games.country = lands.country)))",
        ),
        ("how many more", "difference(count(rows(games)), count(rows(lands)))"),
        ("more people than days", "count(rows(lands.people > maximum(games.days, rows(games)), lands))"),
    ],
)
def test_several_tables_go_together_by_what_they_share(question: str, program: str) -> None:
    asked, wanted = ask(question, BOTH), parse(program)
    found = derive(wanted, asked)
    assert found
    for one in found:
        assert run(build(one, asked), BOTH).values == run(wanted, BOTH).values


def test_tables_that_share_nothing_cannot_be_joined() -> None:
    far = Table.of([{"country": "Japan", "people": 124}, {"country": "Peru", "people": 34}], "far")
    asked = ask("days and people", (GAMES, far))
    with pytest.raises(ProgramError, match="share no values"):
        build(actions(asked, "pairs days people all t0"), asked)
    assert to_text(build(actions(asked, "cells people all t1"), asked)) == "cells(far.people, rows(far))"


def test_whatever_is_built_can_be_derived() -> None:
    """Of every production: something is built of it that runs, and what is derived again gives the same."""
    names = [name for name in PRODUCTION_NUMBERS if name not in REFUSALS]
    assert {name: count for name in names if (count := surviving(name)) < ENOUGH} == {}


def surviving(name: str) -> int:
    """How many drawn programs with a production can be derived again, as far as enough are looked for."""
    asked, draw = ASKED[len(name) % 2], Random(name)
    survived = 0
    for _ in range(TRIES):
        derivation = random_derivation(asked, draw, name)
        if derivation is None:
            continue
        try:
            program = build(derivation, asked)
            values = run(program, asked.tables).values
        except ProgramError:
            continue
        again = [build(one, asked) for one in derive(program, asked)]
        for other in again:
            assert run(other, asked.tables).values == values, (to_text(program), to_text(other))
        survived += bool(again)
        if survived == ENOUGH:
            break
    return survived


@pytest.mark.parametrize("tables", [(GAMES,), BOTH])
@pytest.mark.parametrize("refusal", REFUSALS)
def test_a_refusal_is_no_program(tables: tuple[Table, ...], refusal: str) -> None:
    with pytest.raises(ProgramError):
        build([Action(Pool.PRODUCTION, PRODUCTION_NUMBERS[refusal])], ask("what", tables))
