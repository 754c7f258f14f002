"""What the words of a command name: tables at the beginning, then the question."""

import difflib
import glob
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from neural_enquirer.asking.enquirer import named_apart
from neural_enquirer.asking.progress import progress
from neural_enquirer.engines.addresses import AUTO, is_address
from neural_enquirer.engines.choosing import open_sources
from neural_enquirer.prediction import Tables
from neural_enquirer.tables import TableError
from neural_enquirer.tables.sources import TABLE_SUFFIXES

_FEWEST_WORDS: Final = 3
"""Fewer words in quotes may be a part of a question; so many are a question."""


def split_sources(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Tells the tables at the beginning of a command's words from the question behind them.

    Unquoted words of a question rarely look like file names.

    Raises:
        TableError: where a word before a question in quotes can only be meant as a table that is not there.
    """
    count = next((i for i, word in enumerate(words) if not is_source(word)), len(words))
    sources, question = list(words[:count]), list(words[count:])
    _check_missing(question)
    return sources, question


def read_sources(sources: Sequence[str], engine: str = AUTO) -> Tables:
    """Opens the tables of a command, each of which has rows, where an engine asks them."""
    if sources.count("-") > 1:
        raise TableError("only one table can come from standard input")
    return named_apart(open_sources(sources, engine, progress))


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


def is_source(word: str) -> bool:
    """Whether a word of a command names a table: an address, a pattern of files, a file."""
    path, _, _ = word.partition("::")  # a table of a database, a sheet of a workbook
    return (
        word == "-"
        or is_address(word)
        or _is_pattern(path)
        or _is_file(path)
        or (" " not in path and path.lower().endswith(TABLE_SUFFIXES))
    )


def _is_pattern(path: str) -> bool:
    return " " not in path and glob.has_magic(path) and bool(glob.glob(path, recursive=True))


def _is_file(path: str) -> bool:
    try:
        return Path(path).is_file()
    except (OSError, ValueError):  # a question may be longer than the name of a file
        return False
