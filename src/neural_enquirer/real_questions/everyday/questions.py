"""Everyday questions, read from a folder with `questions.jsonl` (or `.jsonl.xz`) and tables in `tables`."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from neural_enquirer.real_questions.example import RealDataError
from neural_enquirer.real_questions.files import json_lines, read_table
from neural_enquirer.tables import Table

UNANSWERABLE = "unanswerable"
KINDS = (
    "average",
    "comparison",
    "count",
    "difference",
    "distinct",
    "either_or",
    "filter_superlative",
    "group_by",
    "join",
    "list",
    "lookup",
    "sequence",
    "sum",
    "superlative",
    "topk",
    "two_filters",
    UNANSWERABLE,
    "yes_no",
)
"""What a question asks for; `UNANSWERABLE` where its tables do not say."""
REASONS = ("no_field", "no_row", "off_topic")
"""Why nothing answers a question: no field has it, no row has it, or it is not about the table at all."""

_FILES = ("questions.jsonl", "questions.jsonl.xz")
_NEEDED = frozenset({"id", "tables", "question", "kind", "answers", "sql"})


@dataclass(frozen=True)
class EverydayQuestion:
    """A question as somebody may type it about a table of their own, or about two.

    Attributes:
        id: unique in its part; wordings of one question differ in the last number alone.
        question: as it is typed.
        kind: one of `KINDS`.
        reason: one of `REASONS` where nothing answers it and the part says why; else None.
        tables: the files of its tables, as paths under the folder `tables`.
        answers: the accepted answers, each a list of texts; none where nothing answers it.
        sql: DuckDB SQL that gives the answer; None where nothing does.
    """

    id: str
    question: str
    kind: str
    reason: str | None
    tables: tuple[str, ...]
    answers: tuple[tuple[str, ...], ...]
    sql: str | None


def is_everyday(folder: Path) -> bool:
    """Whether a folder holds everyday questions."""
    return any((folder / name).is_file() for name in _FILES) and (folder / "tables").is_dir()


def read_everyday(folder: Path) -> list[EverydayQuestion]:
    """Reads the questions of a folder, in the order of their file; the tables need not be there.

    Raises:
        RealDataError: with one line that says what is wrong with the folder.
    """
    path = next((folder / name for name in _FILES if (folder / name).is_file()), None)
    if path is None:
        raise RealDataError(f"{folder} has no {' or '.join(_FILES)}; give a folder of everyday questions")
    numbered = enumerate(json_lines(path, _NEEDED), start=1)
    return [_question(record, f"{path}: line {number}") for number, record in numbered]


def read_tables(folder: Path, questions: Iterable[EverydayQuestion]) -> dict[str, Table]:
    """Reads the tables of questions, each once, typed as those of users are.

    Raises:
        RealDataError: if a table is missing or cannot be read.
    """
    hint = "; enquirer everyday tables makes the tables"
    return {
        name: read_table(folder / "tables" / name, Path(name).stem, hint=hint)
        for name in dict.fromkeys(name for question in questions for name in question.tables)
    }


def _question(record: Mapping[str, Any], place: str) -> EverydayQuestion:
    kind, reason, answers = record["kind"], record.get("reason"), record["answers"]
    if kind not in KINDS:
        raise RealDataError(f"{place}: unknown kind '{kind}'")
    if reason is not None and reason not in REASONS:
        raise RealDataError(f"{place}: unknown reason '{reason}'")
    if len({kind == UNANSWERABLE, not answers, record["sql"] is None}) != 1:
        raise RealDataError(f"{place}: answers and SQL belong to all kinds but {UNANSWERABLE}")
    return EverydayQuestion(
        id=record["id"],
        question=record["question"],
        kind=kind,
        reason=reason,
        tables=tuple(record["tables"]),
        answers=tuple(tuple(answer) for answer in answers),
        sql=record["sql"],
    )
