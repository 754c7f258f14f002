"""The report on wrong answers to real questions."""

import pytest

from benchmarks.real_errors import CAUSES, WrongAnswer, cause, report
from neural_enquirer.evaluation import Answered, Response
from neural_enquirer.real_questions import Condition, RealExample, SqlQuery
from neural_enquirer.real_questions.denotation import same_rows
from neural_enquirer.real_questions.sets import AskedQuestion
from neural_enquirer.tables import Table

TABLE = Table.of(
    [
        {"city": "Oslo", "country": "Norway", "people": 5},
        {"city": "Rome", "country": "Italy", "people": 7},
        {"city": "Pisa", "country": "Italy", "people": 1},
    ]
)


def wrong(
    question: str,
    cells: tuple[tuple[int, int], ...] | None = ((0, 1),),
    answered: tuple[int, int] | None = (1, 2),
    query: SqlQuery | None = None,
    answers: tuple[str, ...] = ("Norway",),
) -> WrongAnswer:
    example = RealExample("q1", TABLE, question, answers, cells, cells is not None, query)
    question = AskedQuestion("q1", (TABLE,), example.question, "none", (answers,), same_rows, example)
    if answered is None:
        return WrongAnswer(Answered(question, Response((), 0.7)))
    return WrongAnswer(Answered(question, Response((TABLE.text(*answered),), 0.7, cell=(0, *answered))))


def selecting(column: int, aggregation: str = "none", *where: Condition) -> SqlQuery:
    return SqlQuery(column, aggregation, where)


OSLO = Condition(0, "=", "Oslo")


@pytest.mark.parametrize(
    ("one", "expected"),
    [
        (wrong("how many", None, query=selecting(0, "count")), "aggregation (count, sum, average)"),
        (wrong("which cities", ((1, 0), (2, 0)), answers=("Rome", "Pisa")), "several answers"),
        (wrong("how many are in Italy", None), "counting or arithmetic"),
        (wrong("which", None), "answer in no cell"),
        (wrong("the largest country"), "superlative"),
        (wrong("country of oslo", query=selecting(1, "max")), "superlative"),
        (wrong("country", query=selecting(1, "none", Condition(2, ">", "3"))), "comparison"),
        (wrong("which country comes after Italy"), "order of rows"),
        (wrong("is it Rome or Oslo"), "choice among values"),
        (wrong("country of the town", query=selecting(1, "none", OSLO)), "value not linked"),
        (wrong("where is oslo", query=selecting(1, "none", OSLO)), "header not mentioned"),
        (wrong("country of oslo", answered=None, query=selecting(1, "none", OSLO)), "refused"),
        (
            wrong("country of oslo", answered=(0, 2), query=selecting(1, "none", OSLO)),
            "wrong field, though named",
        ),
        (
            wrong("country of oslo", answered=(1, 1), query=selecting(1, "none", OSLO)),
            "wrong row, though mentioned",
        ),
        (wrong("country of oslo", query=selecting(1, "none", OSLO)), "wrong row and field"),
    ],
)
def test_each_wrong_answer_has_a_cause(one: WrongAnswer, expected: str) -> None:
    assert cause(one) == expected
    assert expected in CAUSES


def test_the_report_has_shares_and_questions() -> None:
    answers = [wrong("the largest | country").answer, wrong("country of oslo", answered=(1, 1)).answer]
    text = "\n".join(report(answers, count=1, seed=0))
    assert "2 of 2 answers are wrong" in text
    assert "| superlative | 50.0% | 1 |" in text
    assert text.count("(q1, table table)") == 1
    assert "**Norway**" in text
