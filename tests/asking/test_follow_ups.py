"""Questions that lean on the one before: what they are read as, and which are left alone.

No model has a say here: the questions by themselves are refused, or answered by a given program.
"""

import io
from typing import Final, cast

import pytest

from neural_enquirer.asking import terminal
from neural_enquirer.asking.answer import Answer
from neural_enquirer.asking.conversation import Conversation
from neural_enquirer.asking.enquirer import Enquirer
from neural_enquirer.asking.follow_ups import Last, follow_up
from neural_enquirer.judge.ranked import NO_FIELD, NOT_ABOUT, Ranked
from neural_enquirer.programs import Program, Result, parse, run
from neural_enquirer.tables import Table
from told import CUSTOMERS, ORDERS, answer, refused

GAMES: Final = Table.of(
    {
        "country": ["Chile", "Peru", "France", "Spain", "Italy", "Japan"],
        "continent": ["America", "America", "Europe", "Europe", "Europe", "Asia"],
        "coach": ["Ann Ray", "Bo Lee", "Ann Ray", "Cy Fox", "Di Hall", "Bo Lee"],
        "gold": [3, 1, 9, 4, 6, 7],
        "silver": [2, 8, 1, 3, 5, 4],
        "year": [1996, 1998, 2001, 2004, 1990, 2008],
    },
    "games",
)

_EUROPE: Final = "rows(continent = Europe)"


def _after(program: str, question: str, first: str = "") -> Answer:
    plain = refused(question, NOT_ABOUT, tables=(GAMES,), probability=0.4)
    return follow_up(plain, Last.read(first, program))


def _read(program: str, question: str, first: str = "") -> str | None:
    return _after(program, question, first).program


@pytest.mark.parametrize(
    ("program", "question", "read"),
    [
        ("count(rows(continent = Asia))", "and in Europe?", f"count({_EUROPE})"),
        ("cells(country, rows(gold = 3))", "and just one?", "cells(country, rows(gold = 1))"),
        (f"sum(gold, {_EUROPE})", "no I meant silver", f"sum(silver, {_EUROPE})"),
        (f"cells(country, {_EUROPE})", "sorted by gold", f"cells(country, smallest(3, gold, {_EUROPE}))"),
        (
            f"count({_EUROPE})",
            "sorted by gold, highest first",
            f"cells(country, largest(3, gold, {_EUROPE}))",
        ),
        (f"cells(country, {_EUROPE})", "with their silver totals", f"cells(country, silver, {_EUROPE})"),
        ("cells(gold, rows(country = Peru))", "and the most ever?", "cells(gold, largest(gold))"),
        ("count(rows(continent <> Asia))", "and Europe?", "count(rows(continent <> Europe))"),
        ("count(rows(gold > 4))", "and more than 6?", "count(rows(gold > 6))"),
        ("count(rows(gold > 4))", "and less than 6?", "count(rows(gold < 6))"),
        ("count(rows(gold > 4))", "what about 6?", "count(rows(gold > 6))"),
        ("count(rows(gold > 4))", "and less than that?", "count(rows(gold < 4))"),
        ("cells(gold, rows(country = Peru))", "same for Chile", "cells(gold, rows(country = Chile))"),
        ("cells(gold, rows(country = Peru))", "Chile?", "cells(gold, rows(country = Chile))"),
        (
            f"average(gold, {_EUROPE})",
            "and since 2001?",
            "average(gold, rows(continent = Europe, rows(year >= 2001)))",
        ),
        (f"count({_EUROPE})", "and outside Europe?", "count(rows(continent <> Europe))"),
        (f"count({_EUROPE})", "and the others?", "count(rows(continent <> Europe))"),
        (f"count({_EUROPE})", "and overall?", "count(rows())"),
        ("exists(rows(continent = Asia))", "and Europe?", f"exists({_EUROPE})"),
        (
            "holds(cells(continent, rows(country = France)) = Europe)",
            "and in Asia?",
            "holds(cells(continent, rows(country = France)) = Asia)",
        ),
        (
            "percentage(count(rows(continent = Europe)), count(rows()))",
            "and Asia?",
            "percentage(count(rows(continent = Asia)), count(rows()))",
        ),
        (
            "cells(country, largest(gold))",
            "and in America?",
            "cells(country, largest(gold, rows(continent = America)))",
        ),
        ("cells(country, largest(gold))", "and Chile?", "cells(gold, rows(country = Chile))"),
    ],
)
def test_another_value_takes_the_place_of_one_or_is_added(program: str, question: str, read: str) -> None:
    assert _read(program, question) == read


@pytest.mark.parametrize(
    ("program", "question", "read"),
    [
        ("cells(country, largest(gold))", "what about the second?", "cells(country, nth_largest(2, gold))"),
        ("cells(country, nth_largest(2, gold))", "and the next one?", "cells(country, nth_largest(3, gold))"),
        ("cells(country, largest(gold))", "why not the fewest?", "cells(country, smallest(gold))"),
        ("cells(country, largest(gold))", "the top 3", "cells(country, largest(3, gold))"),
        ("cells(country, largest(gold))", "and the most silver?", "cells(country, largest(silver))"),
        ("cells(country, largest(3, gold))", "and the bottom two?", "cells(country, smallest(2, gold))"),
        ("maximum(gold)", "and the lowest?", "minimum(gold)"),
        ("average(gold)", "and the highest?", "maximum(gold)"),
        (
            "cells(continent, largest(measure, groups(continent, count)))",
            "and the least?",
            "cells(continent, smallest(measure, groups(continent, count)))",
        ),
        (
            "cells(country, rows(year = 1998))",
            "and the year after?",
            "cells(country, smallest(year, rows(year > 1998)))",
        ),
        ("cells(gold, rows(country = Peru))", "and the next one?", "cells(gold, next(rows(country = Peru)))"),
    ],
)
def test_another_place_in_an_order_is_asked_for(program: str, question: str, read: str) -> None:
    assert _read(program, question) == read


@pytest.mark.parametrize(
    ("program", "question", "read"),
    [
        (f"count({_EUROPE})", "list them", f"cells(country, {_EUROPE})"),
        (f"count({_EUROPE})", "which ones?", f"cells(country, {_EUROPE})"),
        (f"cells(country, {_EUROPE})", "how many are there?", f"count({_EUROPE})"),
        (f"sum(gold, {_EUROPE})", "and the average?", f"average(gold, {_EUROPE})"),
        ("cells(country, largest(gold))", "and the average?", "average(gold)"),
        (f"average(gold, {_EUROPE})", "and silver?", f"average(silver, {_EUROPE})"),
        (f"count({_EUROPE})", "what percentage is that?", f"percentage(count({_EUROPE}), count(rows()))"),
        (
            f"average(gold, {_EUROPE})",
            "per continent?",
            "cells(continent, measure, groups(continent, average(gold)))",
        ),
        (
            "count(rows(gold > 4))",
            "and by continent?",
            "cells(continent, measure, groups(continent, count, rows(gold > 4)))",
        ),
        ("cells(country, largest(gold))", "how much is it?", "cells(gold, largest(gold))"),
        ("cells(country, largest(gold))", "when was that?", "cells(year, largest(gold))"),
        ("cells(country, largest(gold))", "in which year?", "cells(year, largest(gold))"),
        (f"count({_EUROPE})", "with which coaches?", f"cells(coach, {_EUROPE})"),
        (f"cells(country, {_EUROPE})", "with their coaches", f"cells(country, coach, {_EUROPE})"),
        ("maximum(gold)", "how many silver is that?", "cells(silver, largest(gold))"),
        ("count(rows(gold > 2))", "on which continents?", "distinct(continent, rows(gold > 2))"),
    ],
)
def test_something_else_is_asked_of_the_same_rows(program: str, question: str, read: str) -> None:
    assert _read(program, question) == read


@pytest.mark.parametrize(
    ("program", "question", "read"),
    [
        (
            f"cells(country, {_EUROPE})",
            "how many of those won more than 5 gold?",
            "count(rows(gold > 5, rows(continent = Europe)))",
        ),
        (
            f"cells(country, {_EUROPE})",
            "only the ones after 2000",
            "cells(country, rows(continent = Europe, rows(year > 2000)))",
        ),
        (f"cells(country, {_EUROPE})", "and their years?", f"cells(year, {_EUROPE})"),
        (f"cells(country, {_EUROPE})", "what is their total gold?", f"sum(gold, {_EUROPE})"),
        (
            f"cells(country, {_EUROPE})",
            "which of them has the most silver?",
            f"cells(country, largest(silver, {_EUROPE}))",
        ),
        (f"maximum(gold, {_EUROPE})", "who is that?", f"cells(country, largest(gold, {_EUROPE}))"),
        ("cells(country, largest(gold))", "and its continent?", "cells(continent, largest(gold))"),
        (
            f"count({_EUROPE})",
            "is Spain one of them?",
            "exists(rows(country = Spain, rows(continent = Europe)))",
        ),
        (f"count({_EUROPE})", "which has the most gold?", f"cells(country, largest(gold, {_EUROPE}))"),
        (
            "cells(continent, measure, groups(continent, average(gold)))",
            "which is the lowest?",
            "cells(continent, smallest(measure, groups(continent, average(gold))))",
        ),
        (
            "cells(continent, measure, groups(continent, average(gold)))",
            "only since 2000",
            "cells(continent, measure, groups(continent, average(gold), rows(year >= 2000)))",
        ),
        (
            "cells(country, largest(2, gold))",
            "which of these has the least silver?",
            "cells(country, smallest(silver, largest(2, gold)))",
        ),
        (
            "cells(continent, largest(measure, groups(continent, count)))",
            "list those",
            f"cells(country, {_EUROPE})",
        ),
        (
            "cells(coach, rows(country = Chile))",
            "how many times did he win?",
            'count(rows(coach = "Ann Ray"))',
        ),
    ],
)
def test_words_that_point_back_stand_for_the_rows_of_the_last_answer(
    program: str, question: str, read: str
) -> None:
    assert _read(program, question) == read


_GROUPED: Final = "cells(continent, measure, groups(continent, average(gold)))"
_MORE: Final = "holds(cells(gold, rows(country = Italy)) > cells(gold, rows(country = Peru)))"


@pytest.mark.parametrize(
    ("program", "question", "read"),
    [
        ("cells(country, largest(gold))", "n the smallest?", "cells(country, smallest(gold))"),
        (f"count({_EUROPE})", "list em", f"cells(country, {_EUROPE})"),
        (
            f"average(gold, {_EUROPE})",
            "could you do the same for the Asia ones, please?",
            "average(gold, rows(continent = Asia))",
        ),
        (f"count({_EUROPE})", "and how many aren't?", "count(rows(continent <> Europe))"),
        (
            "count(rows(gold > 2))",
            "how many of them arent in Europe",
            "count(rows(continent <> Europe, rows(gold > 2)))",
        ),
        (
            "sum(gold)",
            "and the average per continent?",
            "cells(continent, measure, groups(continent, average(gold)))",
        ),
        (_GROUPED, "now the median", "cells(continent, measure, groups(continent, median(gold)))"),
        (f"cells(country, {_EUROPE})", "who is the latest?", f"cells(country, largest(year, {_EUROPE}))"),
        (
            _MORE,
            "by how much?",
            "difference(cells(gold, rows(country = Italy)), cells(gold, rows(country = Peru)))",
        ),
        (
            "cells(gold, rows(country = Peru))",
            "how many more than that does Italy have?",
            "difference(cells(gold, rows(country = Italy)), cells(gold, rows(country = Peru)))",
        ),
        (
            "cells(gold, rows(country = Peru))",
            "how many more is that than Italy?",
            "difference(cells(gold, rows(country = Peru)), cells(gold, rows(country = Italy)))",
        ),
        ("cells(country, largest(gold))", "how many was that, exactly?", "cells(gold, largest(gold))"),
        (
            'count(rows(coach = "Ann Ray"))',
            "what was her highest gold?",
            'cells(gold, largest(gold, rows(coach = "Ann Ray")))',
        ),
    ],
)
def test_short_polite_and_comparing_words_lean_on_the_last_question(
    program: str, question: str, read: str
) -> None:
    assert _read(program, question) == read


@pytest.mark.parametrize(
    ("program", "question", "read"),
    [
        ("cells(gold, rows(country = Peru))", "no, Chile", "cells(gold, rows(country = Chile))"),
        ("cells(gold, rows(country = Peru))", "sorry, I meant Chile", "cells(gold, rows(country = Chile))"),
        ("cells(gold, largest(gold))", "and who had the least?", "cells(country, smallest(gold))"),
        ("cells(gold, rows(country = Peru))", "who came next?", "cells(country, next(rows(country = Peru)))"),
        ("cells(country, largest(gold))", "and silver?", "cells(country, largest(silver))"),
        ("cells(country, largest(gold))", "and the silver?", "cells(silver, largest(gold))"),
        (f"count({_EUROPE})", "how many weren't?", "count(rows(continent <> Europe))"),
        (
            f"cells(country, {_EUROPE})",
            "which of the three won the most silver?",
            f"cells(country, largest(silver, {_EUROPE}))",
        ),
        (
            "cells(continent, rows(country = Spain))",
            "who else?",
            "cells(country, rows(country <> Spain, rows(continent = Europe)))",
        ),
        (
            "cells(gold, rows(country = Spain))",
            "is it more than Italy?",
            "holds(cells(gold, rows(country = Spain)) > cells(gold, rows(country = Italy)))",
        ),
        (
            "cells(continent, rows(measure > 1, groups(continent, count)))",
            "how many are there?",
            "count(rows(measure > 1, groups(continent, count)))",
        ),
    ],
)
def test_corrections_and_questions_for_names_and_others(program: str, question: str, read: str) -> None:
    assert _read(program, question) == read


@pytest.mark.parametrize(
    ("program", "question", "read"),
    [
        ("count(rows(gold > 4))", "and exactly 6?", "count(rows(gold = 6))"),
        (f"average(gold, {_EUROPE})", "compare that with Asia", "average(gold, rows(continent = Asia))"),
        (f"count({_EUROPE})", "and everywhere else?", "count(rows(continent <> Europe))"),
        ("cells(country, rows(gold = 3))", "gold 4?", "cells(country, rows(gold = 4))"),
        ("cells(country, rows(silver = 3))", "and fourth?", "cells(country, rows(silver = 4))"),
        (f"count({_EUROPE})", "their names and years", f"cells(country, year, {_EUROPE})"),
        (
            "cells(coach, rows(country = Chile))",
            "does anybody else have this coach?",
            'exists(rows(country <> Chile, rows(coach = "Ann Ray")))',
        ),
        (f"average(gold, {_EUROPE})", "the median?", f"median(gold, {_EUROPE})"),
        ("count(rows(gold > 2))", "which continents are they on?", "distinct(continent, rows(gold > 2))"),
        (
            f"cells(coach, {_EUROPE})",
            "which of them won gold first?",
            f"cells(coach, smallest(gold, {_EUROPE}))",
        ),
    ],
)
def test_few_words_say_what_changes(program: str, question: str, read: str) -> None:
    assert _read(program, question) == read


def test_another_year_is_another_field_where_fields_have_years_in_their_names() -> None:
    towns = Table.of({"town": ["Ely", "Wells"], "POP1990": [11, 9], "POP2000": [14, 10]}, "towns")
    plain = refused("and in 2000?", NOT_ABOUT, tables=(towns,))
    assert follow_up(plain, Last.read("", "cells(POP1990, rows(town = Ely))")).program == (
        "cells(POP2000, rows(town = Ely))"
    )


def test_words_for_operations_may_name_a_field() -> None:
    planes = Table.of({"model": ["A1", "B2"], "payload": [5, 9], "range": [900, 400]}, "planes")
    plain = refused("and the longest range?", NOT_ABOUT, tables=(planes,))
    assert follow_up(plain, Last.read("", "cells(model, largest(payload))")).program == (
        "cells(model, largest(range))"
    )


@pytest.mark.parametrize("question", ["and density?", "and its top speed?", "how tall is it?"])
def test_what_no_field_has_is_refused(question: str) -> None:
    planes = Table.of({"model": ["A1", "B2"], "payload": [5, 9], "wheels": [4, 6]}, "planes")
    guess = parse("cells(wheels, rows(model = A1))")
    plain = refused(question, NO_FIELD, Ranked(guess, None, run(guess, (planes,)), 0.2), tables=(planes,))
    assert follow_up(plain, Last.read("", "cells(payload, rows(model = A1))")) is plain


@pytest.mark.parametrize(("question", "count"), [("Asia?", "Asia"), ("America", "America")])
def test_a_bare_value_of_the_same_field_keeps_what_was_asked(question: str, count: str) -> None:
    plain = answer(question, f"cells(country, rows(continent = {count}))", GAMES, probability=0.9)
    assert follow_up(plain, Last.read("", f"count({_EUROPE})")).program == f"count(rows(continent = {count}))"


def test_a_bare_comparison_takes_the_place_of_the_last_one() -> None:
    plain = answer("more than 6?", "exists(rows(gold > 6))", GAMES, probability=0.6)
    assert follow_up(plain, Last.read("", "count(rows(gold > 4))")).program == "count(rows(gold > 6))"


def test_a_guess_that_does_not_fit_the_last_program_is_left_out() -> None:
    guess = parse("cells(country, smallest(silver))")
    plain = refused(
        "and the fewest?", NOT_ABOUT, Ranked(guess, None, run(guess, (GAMES,)), 0.2), tables=(GAMES,)
    )
    last = Last.read("", "cells(continent, largest(measure, groups(continent, count)))")
    assert follow_up(plain, last).program == "cells(continent, smallest(measure, groups(continent, count)))"


def test_rows_are_listed_by_the_field_that_the_last_question_names() -> None:
    assert _read("count(rows(gold > 6))", "list them", "how many coaches won more than 6") == (
        "cells(coach, rows(gold > 6))"
    )


@pytest.mark.parametrize(
    ("question", "program"),
    [
        ("which country has the most silver?", "cells(country, largest(silver))"),
        ("how many countries are in America", "count(rows(continent = America))"),
        ("list the coaches of those with more than 5 gold", "cells(coach, rows(gold > 5))"),
        ("average gold of all these countries", "average(gold)"),
        ("gold of Peru", "cells(gold, rows(country = Peru))"),
        ("how much gold did he win in Peru", "cells(gold, rows(country = Peru))"),
        ("Peru", "cells(gold, rows(country = Peru))"),
        (
            "how many more gold than silver did Peru win?",
            "cells(difference(gold, silver), rows(country = Peru))",
        ),
    ],
)
def test_a_question_that_makes_sense_by_itself_stays_as_it_is(question: str, program: str) -> None:
    plain = answer(question, program, GAMES, probability=0.9)
    assert follow_up(plain, Last.read("", f"count({_EUROPE})")) is plain


def test_he_of_the_last_question_is_not_its_answer() -> None:
    plain = answer(
        "where did he win the most gold in all", "cells(country, largest(gold))", GAMES, probability=0.3
    )
    last = Last.read("how many times did he win in Europe", f"count({_EUROPE})")
    assert follow_up(plain, last) is plain


@pytest.mark.parametrize(
    "question",
    ["and on Mars?", "and?", "no wheels", "and the phone number?", "Zorro gold", "what did Zorro win"],
)
def test_a_question_that_no_edit_makes_sense_of_stays_as_it_is(question: str) -> None:
    plain = refused(question, NOT_ABOUT, tables=(GAMES,))
    assert follow_up(plain, Last.read("", f"count({_EUROPE})")) is plain


def test_a_program_of_other_tables_is_nothing_to_lean_on() -> None:
    plain = refused("and in Europe?", NOT_ABOUT, tables=(GAMES,))
    assert follow_up(plain, Last.read("", "count(rows(planet = Mars))")) is plain


def test_what_was_read_is_told_with_an_answer_like_any_other() -> None:
    found = _after("count(rows(continent = Asia))", "and in Europe?")
    assert found.read_as == "the number of rows where continent is Europe"
    assert (found.text, found.aggregation, found.refusal) == ("3", "count", None)
    assert 0.5 < found.confidence < 0.95
    assert found.to_json()["read_as"] == found.read_as
    assert found.understood[0].meaning == "continent = Europe"


def test_an_answer_that_was_doubtful_makes_the_next_one_doubtful() -> None:
    plain = refused("and in Europe?", NOT_ABOUT, tables=(GAMES,))
    program = parse("count(rows(continent = Asia))")
    sure, doubtful = (follow_up(plain, Last("", program, share)) for share in (1.0, 0.3))
    assert doubtful.confidence < sure.confidence


def test_after_a_refusal_the_likeliest_program_is_leaned_on() -> None:
    guess = parse("count(rows(continent = Asia))")
    last = refused("asian ones", NOT_ABOUT, Ranked(guess, None, run(guess, (GAMES,)), 0.2), tables=(GAMES,))
    assert Last.of(last) == Last("asian ones", guess, 0.2)
    assert Last.of(refused("asian ones", NOT_ABOUT)) is None


def test_tables_elsewhere_are_asked_where_they_are() -> None:
    asked: list[Program] = []

    def run_there(program: Program) -> Result:
        asked.append(program)
        return run(program, (GAMES,))

    plain = refused("and in Europe?", NOT_ABOUT, tables=(GAMES,))
    object.__setattr__(plain, "run", run_there)
    found = follow_up(plain, Last.read("", "count(rows(continent = Asia))"))
    assert found.best.program in asked


def test_a_conversation_remembers_its_last_answer_and_says_how_it_read_the_next_question() -> None:
    class Asker:
        def ask(self, tables: tuple[Table, ...], question: str, after: Answer | None) -> Answer:
            plain = refused(question, NOT_ABOUT, tables=tables)
            if after is None:
                return answer(question, "count(rows(continent = Asia))", *tables)
            return follow_up(plain, Last.of(after))

    printed = io.StringIO()
    conversation = Conversation(cast(Enquirer, Asker()), (GAMES,), terminal.console(printed))
    conversation.say("how many are in Asia?")
    assert "Read as" not in printed.getvalue()
    conversation.say("and in Europe?")
    assert "Read as: the number of rows where continent is Europe\n3\n" in printed.getvalue()


def test_one_of_several_tables_is_leaned_on() -> None:
    plain = refused("and Bob?", NOT_ABOUT, tables=(ORDERS, CUSTOMERS))
    last = Last.read("", "count(rows(orders.customer = Ann, orders))")
    assert follow_up(plain, last).text == "1"
