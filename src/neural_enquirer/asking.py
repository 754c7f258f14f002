"""The commands `enquirer ask` and `enquirer chat`."""

import difflib
import itertools
import json
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from neural_enquirer.answer import Answer, names_of
from neural_enquirer.enquirer import Asked, Enquirer, QuestionError
from neural_enquirer.question_files import AskedQuestion, read_questions
from neural_enquirer.tables import Table, TableError
from neural_enquirer.tables.sources import TABLE_SUFFIXES
from neural_enquirer.tables.wording import listed

_DEFAULT_TOP = 5
_LINES_AT_ONCE = 256
_FEWEST_WORDS = 3


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


def split_sources(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Tells the tables at the beginning of a command's words from the question behind them.

    Words of a question that is not in quotes are no files, and seldom end as files of tables do.

    Raises:
        TableError: where a word before a question in quotes can only be meant as a table that is not there.
    """
    count = next((i for i, word in enumerate(words) if not _is_source(word)), len(words))
    sources, question = list(words[:count]), list(words[count:])
    _check_missing(question)
    return sources, question


def _check_missing(question: Sequence[str]) -> None:
    """A question in quotes may still follow words without, as in who directed "Star Wars": not one word."""
    if len(question) < 2 or any(" " in word for word in question[:-1]):
        return
    word, last = question[0], question[-1]
    meant = _similar_file(word)
    if len(last.split()) >= _FEWEST_WORDS and (meant or len(question) == 2):
        advice = f"did you mean {meant}?" if meant else "put all words of the question in one pair of quotes"
        raise TableError(f"no file '{word}'; {advice}")


def _similar_file(word: str) -> str | None:
    """A table file with this name, its suffix aside, or nearly so."""
    try:
        files = [path for path in Path(word).parent.iterdir() if path.name.lower().endswith(TABLE_SUFFIXES)]
    except (OSError, ValueError):
        return None
    by_stem = {path.name.partition(".")[0].casefold(): path for path in files}
    found = difflib.get_close_matches(Path(word).name.casefold(), by_stem, n=1, cutoff=0.8)
    return str(by_stem[found[0]]) if found else None


def _is_source(word: str) -> bool:
    path, _, _ = word.partition("::")  # a table of a database, a sheet of a workbook
    return word == "-" or _is_file(path) or (" " not in path and path.lower().endswith(TABLE_SUFFIXES))


def _is_file(path: str) -> bool:
    try:
        return Path(path).is_file()
    except (OSError, ValueError):  # a question may be longer than the name of a file
        return False


def ask_one(model: str, sources: Sequence[str], question: str, request: Request) -> None:
    """Answers one question about a table, or about several together, and shows the answer."""
    tables = _read_all(sources)
    answer = _load(model).ask(tables, question, top=request.top or _DEFAULT_TOP)
    if not answer.is_linked:
        _warn_of_unlinked(tables)
    if request.as_json:
        print(json.dumps(answer.to_json(request.steps)))
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
    _warn_of_replaced(asked)
    tables = _read_all(sources)
    is_linked = not asked
    for line, answer in _answers(_load(model), tables, asked, request):
        is_linked = is_linked or answer.is_linked
        if request.as_json:
            print(json.dumps(line.others | answer.to_json(request.steps)))
        else:
            _show_one_of_many(answer, request)
    if not is_linked:
        _warn_of_unlinked(tables)


def chat(model: str, sources: Sequence[str]) -> None:
    """Opens a conversation about a table, or about several together."""
    from neural_enquirer import terminal
    from neural_enquirer.conversation import Conversation

    if "-" in sources:
        raise TableError("standard input is where the questions come from; give the table as a file")
    tables = _read_all(sources)
    Conversation(_load(model), tables, terminal.console()).run()


def _answers(
    enquirer: Enquirer, tables: Asked, asked: list[AskedQuestion], request: Request
) -> Iterator[tuple[AskedQuestion, Answer]]:
    """A few at a time: the steps of thousands of answers about a long table would fill the memory."""
    lines = iter(asked)
    while batch := list(itertools.islice(lines, _LINES_AT_ONCE)):
        answers = enquirer.ask_many(
            tables, [line.question for line in batch], top=request.top or _DEFAULT_TOP
        )
        yield from zip(batch, answers, strict=True)


def _warn_of_replaced(asked: list[AskedQuestion]) -> None:
    ours = {"answer", "table", "row", "field", "confidence", "aggregation", "cells", "ranked", "tables"}
    ours |= {"links", "steps", "model"}
    replaced = sorted(ours & {key for line in asked for key in line.others})
    if replaced:
        message = f"the answers have a key '{replaced[0]}' of their own, which replaces that of the questions"
        warnings.warn(message, stacklevel=2)


def _warn_of_unlinked(tables: Asked) -> None:
    names = listed(names_of(tables))
    message = f"found nothing that links {names}: no names, codes or numbers that are spelled alike"
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


def _read_all(sources: Sequence[str]) -> Asked:
    if sources.count("-") > 1:
        raise TableError("only one table can come from standard input")
    return tuple(_read(source) for source in sources)


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
