"""Corrections: what people say is the right answer, kept in a file on their own computer, one a line."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from neural_enquirer.engines.stamps import digest
from neural_enquirer.tables import Table

__all__ = [
    "CellRef",
    "Correction",
    "CorrectionError",
    "RowRef",
    "TableRef",
    "append",
    "default_path",
    "read",
    "references",
    "told_path",
]

_RIGHT: Final = ("program", "answers", "cells", "rows", "refuse")
_SHAPE: Final = '{"question": "…", "tables": […], and one of "program", "answers", "cells", "rows", "refuse"}'


class CorrectionError(ValueError):
    """A correction that cannot be kept or read; the message is one line that says what is wrong."""


@dataclass(frozen=True)
class TableRef:
    """Which table a correction is about: its name, and what changes when its content does."""

    name: str
    fingerprint: str

    @classmethod
    def of(cls, table: Table) -> "TableRef":
        """What tells a table from others. Its name is no part of the fingerprint: files are renamed."""
        cells = [
            [table.text(row, field) for row in range(table.row_count)] for field in range(len(table.fields))
        ]
        return cls(table.name, digest(json.dumps([table.field_names, table.rows_there, cells])))


@dataclass(frozen=True)
class CellRef:
    """A cell: the name of its table, its row from 0, the name of its field."""

    table: str
    row: int
    field: str


@dataclass(frozen=True)
class RowRef:
    """A row: the name of its table, and its place from 0."""

    table: str
    row: int


@dataclass(frozen=True)
class Correction:
    """A question, and what is right: one of a program, answers, cells, rows, or that nothing answers it.

    Attributes:
        question: as it was asked.
        tables: what it was asked of.
        program: the text of the right program.
        answers: the texts of the right answer.
        cells: the cells that are the answer.
        rows: the rows that the answer is about.
        refuse: whether nothing answers it.
    """

    question: str
    tables: tuple[TableRef, ...]
    program: str | None = None
    answers: tuple[str, ...] = ()
    cells: tuple[CellRef, ...] = ()
    rows: tuple[RowRef, ...] = ()
    refuse: bool = False

    def __post_init__(self) -> None:
        if not self.question.strip() or not self.tables:
            raise CorrectionError("a correction has a question and the tables that it was asked of")
        if len(self._given) != 1:
            raise CorrectionError(f"a correction says what is right in one way: {', '.join(_RIGHT)}")

    @property
    def kind(self) -> str:
        """In which way it says what is right."""
        return self._given[0]

    @property
    def _given(self) -> list[str]:
        return [name for name in _RIGHT if getattr(self, name)]

    def to_json(self) -> dict[str, Any]:
        """The correction as an object of JSON: a line of the file."""
        right = getattr(self, self.kind)
        if isinstance(right, tuple):
            right = [vars(one) if isinstance(one, CellRef | RowRef) else one for one in right]
        return {"question": self.question, "tables": [vars(one) for one in self.tables], self.kind: right}

    @classmethod
    def of_json(cls, content: object) -> "Correction":
        """The correction that an object of JSON is; keys that it does not know are left aside.

        Raises:
            CorrectionError: if it is none.
        """
        if not isinstance(content, Mapping):
            raise CorrectionError(f"a correction is {_SHAPE}")
        try:
            return cls(
                _text(content["question"]),
                tuple(TableRef(_text(one["name"]), _text(one["fingerprint"])) for one in content["tables"]),
                None if content.get("program") is None else _text(content["program"]),
                tuple(map(_text, _list(content.get("answers")))),
                tuple(CellRef(*_place(one), _text(one["field"])) for one in _list(content.get("cells"))),
                tuple(RowRef(*_place(one)) for one in _list(content.get("rows"))),
                content.get("refuse") is True,
            )
        except (KeyError, TypeError):
            raise CorrectionError(f"a correction is {_SHAPE}") from None


def references(tables: Sequence[Table]) -> tuple[TableRef, ...]:
    """Which tables a correction is about."""
    return tuple(map(TableRef.of, tables))


def default_path() -> Path:
    """The file that keeps corrections where none is named, in the user's own folder of data."""
    home = os.environ.get("XDG_DATA_HOME")
    folder = Path(home) if home else Path.home() / ".local" / "share"
    return folder / "neural-enquirer" / "corrections.jsonl"


def told_path(path: Path) -> str:
    """How a file of corrections is told of: that in the user's own folder in full, as a shell takes it."""
    if path != default_path():
        return path.name  # whoever named it knows where it is; others need not
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)


def append(path: Path, correction: Correction) -> int:
    """Adds a correction to a file, which is made where there is none; returns how many it has now.

    The line goes into the file in one piece, so that several programs may add to it at once.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    line = json.dumps(correction.to_json(), ensure_ascii=False) + "\n"
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
    with os.fdopen(descriptor, "r+b") as file:
        before = file.read()
        # A line that somebody wrote by hand may lack its end.
        file.write((b"" if not before or before.endswith(b"\n") else b"\n") + line.encode("utf-8", "replace"))
    return sum(bool(one.strip()) for one in before.split(b"\n")) + 1


def read(path: Path) -> list[Correction]:
    """Reads the corrections of a file, in their order; of two to the same question the later one counts.

    Raises:
        CorrectionError: if there is no such file, or a line of it is no correction.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except FileNotFoundError:
        raise CorrectionError(f"{path} does not exist; the page and :wrong in chat make such files") from None
    except UnicodeDecodeError:
        raise CorrectionError(f"{path} is not UTF-8 text; it should hold a correction a line") from None
    found: dict[tuple[str, tuple[str, ...]], Correction] = {}
    for number, line in enumerate(lines, start=1):
        if line.strip():
            one = _of_line(line, f"{path}, line {number}")
            key = one.question.casefold(), tuple(table.fingerprint for table in one.tables)
            found.pop(key, None)
            found[key] = one
    return list(found.values())


def _of_line(line: str, place: str) -> Correction:
    try:
        return Correction.of_json(json.loads(line))
    except CorrectionError as error:
        raise CorrectionError(f"{place}: {error}") from None
    except (ValueError, RecursionError):
        raise CorrectionError(f"{place}: not JSON; a line is {_SHAPE}") from None


def _list(content: object) -> list[Any]:
    if content is None:
        return []
    if not isinstance(content, list):
        raise TypeError
    return content


def _place(content: Mapping[str, object]) -> tuple[str, int]:
    row = content["row"]
    if not isinstance(row, int) or isinstance(row, bool) or row < 0:
        raise TypeError
    return _text(content["table"]), row


def _text(content: object) -> str:
    if not isinstance(content, str):
        raise TypeError
    return content
