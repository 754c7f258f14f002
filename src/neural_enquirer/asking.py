"""The commands `enquirer ask` and `enquirer chat`."""

import itertools
import json
import os
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from neural_enquirer.answer import Answer
from neural_enquirer.enquirer import Enquirer, QuestionError
from neural_enquirer.question_files import AskedQuestion, read_questions
from neural_enquirer.table import Table, TableError

_DEFAULT_TOP = 5
_LINES_AT_ONCE = 256


@dataclass(frozen=True)
class Request:
    """What is to be shown of an answer.

    Attributes:
        top: how many candidates to list; None lists none, or a few in JSON.
        explain: whether to print the steps; JSON has them anyway.
        figure: where to draw them.
        figure_width: in inches; None makes the figure as wide as the table needs.
        as_json: whether to print JSON instead of what people read.
        steps: whether the JSON tells the steps.
    """

    top: int | None = None
    explain: bool = False
    figure: Path | None = None
    figure_width: float | None = None
    as_json: bool = False
    steps: bool = True

    def __post_init__(self) -> None:
        if self.top is not None and self.top < 1:
            raise QuestionError(f"--top is how many answers to list: 1 or more, not {self.top}")
        if self.figure is not None:
            _check_figure(self.figure, self.figure_width)


def ask_one(model: str, source: str, question: str, request: Request) -> None:
    """Answers one question and shows the answer."""
    table = _read(source)
    answer = _load(model).ask(table, question, top=request.top or _DEFAULT_TOP)
    if request.as_json:
        print(json.dumps(answer.to_json(request.steps)))
    else:
        _show(answer, request)
    if request.figure is not None:
        answer.plot(request.figure, request.figure_width)


def ask_file(model: str, source: str, questions: str, request: Request) -> None:
    """Answers the questions of a file, in order; each answer is a line."""
    if source == questions == "-":
        raise QuestionError("the table and the questions cannot both come from standard input")
    if request.figure is not None:
        raise QuestionError("--figure is for one question; --questions asks many")
    asked = read_questions(questions)
    _warn_of_replaced(asked)
    for line, answer in _answers(_load(model), _read(source), asked, request):
        if request.as_json:
            print(json.dumps(line.others | answer.to_json(request.steps)))
        else:
            _show_one_of_many(answer, request)


def chat(model: str, source: str) -> None:
    """Opens a conversation about a table."""
    from neural_enquirer import terminal
    from neural_enquirer.conversation import Conversation

    if source == "-":
        raise TableError("standard input is where the questions come from; give the table as a file")
    table = _read(source)
    Conversation(_load(model), table, terminal.console()).run()


def _answers(
    enquirer: Enquirer, table: Table, asked: list[AskedQuestion], request: Request
) -> Iterator[tuple[AskedQuestion, Answer]]:
    """A few at a time: the steps of thousands of answers about a long table would fill the memory."""
    lines = iter(asked)
    while batch := list(itertools.islice(lines, _LINES_AT_ONCE)):
        answers = enquirer.ask_many(table, [line.question for line in batch], top=request.top or _DEFAULT_TOP)
        yield from zip(batch, answers, strict=True)


def _warn_of_replaced(asked: list[AskedQuestion]) -> None:
    ours = {"answer", "row", "field", "confidence", "aggregation", "cells", "ranked", "steps", "model"}
    replaced = sorted(ours & {key for line in asked for key in line.others})
    if replaced:
        message = f"the answers have a key '{replaced[0]}' of their own, which replaces that of the questions"
        warnings.warn(message, stacklevel=2)


def _show(answer: Answer, request: Request) -> None:
    from neural_enquirer import terminal  # and rich, which JSON does not need

    out = terminal.console()
    terminal.show_answer(out, answer, request.top)
    if request.explain:
        terminal.explain(out, answer)


def _show_one_of_many(answer: Answer, request: Request) -> None:
    from neural_enquirer import terminal

    out = terminal.console()
    terminal.show_short_answer(out, answer, request.top)
    if request.explain:
        terminal.explain(out, answer)


def _read(source: str) -> Table:
    table = Table.read(source)
    if table.row_count == 0:
        raise TableError(f"{table.name} has no rows; there is nothing to ask about")
    return table


def _load(model: str) -> Enquirer:
    if "torch" not in sys.modules:
        # Torch's threads otherwise spin while they wait, which slows everything where cores are shared.
        os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    return Enquirer.from_pretrained(model)


def _check_figure(path: Path, width: float | None) -> None:
    """Before the model is loaded: a figure that cannot be drawn is told at once."""
    from neural_enquirer.visualization import check_suffix, check_width

    check_suffix(path)
    check_width(width)
    if not path.absolute().parent.is_dir():
        raise QuestionError(f"{path.parent} is not a folder; make it first")
