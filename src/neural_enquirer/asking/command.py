"""The commands `enquirer ask` and `enquirer chat`."""

import itertools
import json
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from neural_enquirer.asking.answer import Answer
from neural_enquirer.asking.enquirer import Enquirer
from neural_enquirer.asking.progress import waiting
from neural_enquirer.asking.questions import AskedQuestion, QuestionError, read_questions
from neural_enquirer.asking.sources import read_sources
from neural_enquirer.engines.addresses import AUTO
from neural_enquirer.installed import check_installed
from neural_enquirer.prediction import Tables
from neural_enquirer.tables import TableError
from neural_enquirer.tables.wording import listed

_DEFAULT_TOP: Final = 5
_DEFAULT_DIALECT: Final = "duckdb"
_LINES_AT_ONCE: Final = 256


@dataclass(frozen=True)
class Request:
    """What is to be shown of an answer.

    Attributes:
        top: how many candidates to list; None lists none, or a few in JSON.
        explain: whether to print the steps; JSON has them anyway.
        sql: the dialect of the SQL to print; None prints none, and JSON has DuckDB's.
        figure: where to draw how it was found.
        figure_width: in inches; None makes the figure as wide as the table needs.
        as_json: whether to print JSON instead of what people read.
        steps: whether the JSON tells the steps.
        engine: what asks the tables.
    """

    top: int | None = None
    explain: bool = False
    sql: str | None = None
    figure: Path | None = None
    figure_width: float | None = None
    as_json: bool = False
    steps: bool = True
    engine: str = AUTO

    def __post_init__(self) -> None:
        if self.top is not None and self.top < 1:
            raise QuestionError(f"--top is how many answers to list: 1 or more, not {self.top}")
        if self.sql is not None:
            from neural_enquirer.programs.sql import check_dialect

            check_dialect(self.sql)
        if self.figure is not None:
            _check_figure(self.figure, self.figure_width)

    def json_of(self, answer: Answer) -> dict[str, object]:
        """The answer as an object of JSON."""
        return answer.to_json(self.steps, self.sql or _DEFAULT_DIALECT)


def ask_one(model: str, sources: Sequence[str], question: str, request: Request) -> None:
    """Answers one question about a table, or about several together, and shows the answer."""
    tables = read_sources(sources, request.engine)
    with waiting("asking"):
        answer = Enquirer.from_pretrained(model).ask(tables, question, top=request.top or _DEFAULT_TOP)
    if not answer.is_linked:
        _warn_of_unlinked(tables)
    if request.as_json:
        print(json.dumps(request.json_of(answer)))
    else:
        _show(answer, request)
    if request.figure is not None:
        answer.plot(request.figure, request.figure_width)


def ask_file(model: str, sources: Sequence[str], questions: str, request: Request) -> None:
    """Answers the questions of a file, in order; each answer is a line."""
    if questions == "-" and "-" in sources:
        raise QuestionError("the table and the questions cannot both come from standard input")
    if request.figure is not None:
        raise QuestionError("--figure is for one question; --questions asks many")
    asked = read_questions(questions)
    tables = read_sources(sources, request.engine)
    replaced: set[str] = set()
    is_linked = not asked
    for line, answer in _answers(Enquirer.from_pretrained(model), tables, asked, request):
        is_linked = is_linked or answer.is_linked
        if request.as_json:
            content = request.json_of(answer)
            replaced |= content.keys() & line.others.keys()
            print(json.dumps(line.others | content))
        else:
            _show(answer, request, short=True)
    if replaced:
        message = (
            f"the answers have a key '{min(replaced)}' of their own, which replaces that of the questions"
        )
        warnings.warn(message, stacklevel=2)
    if not is_linked:
        _warn_of_unlinked(tables)


def chat(model: str, sources: Sequence[str], engine: str = AUTO) -> None:
    """Opens a conversation about a table, or about several together."""
    from neural_enquirer.asking import terminal
    from neural_enquirer.asking.conversation import Conversation

    if "-" in sources:
        raise TableError("standard input is where the questions come from; give the table as a file")
    tables = read_sources(sources, engine)
    Conversation(Enquirer.from_pretrained(model), tables, terminal.console()).run()


def _answers(
    enquirer: Enquirer, tables: Tables, asked: list[AskedQuestion], request: Request
) -> Iterator[tuple[AskedQuestion, Answer]]:
    """A few at a time: the steps of thousands of answers about a long table would fill the memory."""
    lines = iter(asked)
    while batch := list(itertools.islice(lines, _LINES_AT_ONCE)):
        questions = [line.question for line in batch]
        with waiting("asking"):
            answers = enquirer.ask_many(tables, questions, top=request.top or _DEFAULT_TOP)
        yield from zip(batch, answers, strict=True)


def _warn_of_unlinked(tables: Tables) -> None:
    names = listed(table.name for table in tables)
    message = f"found nothing that links {names}: no names, codes or numbers that are spelled alike"
    warnings.warn(message, stacklevel=2)


def _show(answer: Answer, request: Request, short: bool = False) -> None:
    from neural_enquirer.asking import terminal  # and rich, which JSON does not need

    out = terminal.console()
    show = terminal.show_short_answer if short else terminal.show_answer
    show(out, answer, request.top)
    if request.sql is not None:
        terminal.show_sql(out, answer, request.sql)
    if request.explain:
        from neural_enquirer.asking.explaining import explain

        explain(out, answer)


def _check_figure(path: Path, width: float | None) -> None:
    """Before the model is loaded: a figure that cannot be drawn is told at once."""
    check_installed("matplotlib", "figure", "--figure")
    from neural_enquirer.asking.figure import check_suffix, check_width

    check_suffix(path)
    check_width(width)
    if not path.absolute().parent.is_dir():
        raise QuestionError(f"{path.parent} is not a folder; make it first")
