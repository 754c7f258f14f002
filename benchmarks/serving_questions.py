"""Questions of every kind for the load of the server: on example tables, on uploads, across tables."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.drawn_tables import make_question, make_table
from neural_enquirer import Enquirer, Table
from neural_enquirer.asking.answer import Answer
from neural_enquirer.web.example_questions import examples, examples_across
from neural_enquirer.web.server import example_tables

__all__ = ["UPLOADS", "Asked", "asked_of", "uploads"]

UPLOADS = 4
_QUESTIONS_OF_AN_UPLOAD = 20
_NOT_THERE = "What is the favourite colour of the prime minister?"


@dataclass(frozen=True)
class Asked:
    """A question that clients send.

    Attributes:
        kind: what kind of question it is.
        tables: the ids of its tables; uploads are numbers until they have been sent.
        question: the question.
        after: the answer to the question before, where it leans on one.
        right: what the model answers when it is asked directly.
    """

    kind: str
    tables: tuple[str, ...]
    question: str
    after: Answer | None
    right: str | None


def uploads() -> list[Table]:
    """Tables that clients send: 10 rows and 10 fields each."""
    draw = random.Random(0)
    return [make_table(draw) for _ in range(UPLOADS)]


def asked_of(enquirer: Enquirer) -> list[Asked]:
    """All questions, with the model's answers."""
    asked = []
    for kind, ids, tables, question in _questions():
        answer = enquirer.ask(tables, question)
        asked.append(Asked(kind, ids, question, None, answer.text))
        if kind == "count":
            then = enquirer.ask(tables, "list them", after=answer)
            asked.append(Asked("follow-up", ids, "list them", answer, then.text))
    return asked


def _questions() -> Iterator[tuple[str, tuple[str, ...], list[Table], str]]:
    known = {name.partition(".")[0]: table for name, table in example_tables()}
    for name, table in known.items():
        for example in examples(table):
            yield example.kind, (name,), [table], example.question
        yield "refusal", (name,), [table], _NOT_THERE
    together = [known["orders"], known["customers"]]
    for example in examples_across(together):
        yield "across tables", ("orders", "customers"), together, example.question
    draw = random.Random(1)
    for number, table in enumerate(uploads()):
        for _ in range(_QUESTIONS_OF_AN_UPLOAD):
            yield "upload", (str(number),), [table], make_question(draw, table)
