"""Data sets of the open task on disk: a Parquet file per split, and `dataset.json`, which describes them."""

import collections
import datetime
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from neural_enquirer.programs.language import ProgramError
from neural_enquirer.programs.paper import to_paper_text
from neural_enquirer.programs.paper_parsing import parse_paper
from neural_enquirer.synthesis.open.dataset import TASK
from neural_enquirer.synthesis.open.examples import OPEN_TYPES, OpenExample
from neural_enquirer.synthesis.storage import DatasetError
from neural_enquirer.tables import Field, FieldType, Table, Value

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["read_open_dataset", "write_open_dataset"]

_FORMAT: Final = 1
_COLUMNS: Final = {
    "question": "the question in natural language",
    "type": "the type of the query; either, order; or absent or unsupported where the table cannot answer",
    "wording": "literal where fields are called by words of their headers only, else natural",
    "logical_form": "the question as SQL-like text; null where there is none",
    "answer": "the answer's cell as it is spelled; null where there is none",
    "answer_cell": "row and column of the answer, each from 0; null where there is none",
    "fields": "the headers of the table",
    "field_types": "text, number or date, for each field",
    "cells": "the values of the table column by column; null where missing",
    "spellings": "how the cells are spelled, where that differs from the values; else null",
}


def write_open_dataset(folder: Path, seed: int, splits: Mapping[str, Sequence[OpenExample]]) -> None:
    """Writes a data set into an existing folder; the same examples give the same bytes."""
    import pyarrow.parquet

    for name, examples in splits.items():
        pyarrow.parquet.write_table(_to_arrow(examples), folder / f"{name}.parquet", compression="zstd")
    description = {
        "format": _FORMAT,
        "task": TASK,
        "seed": seed,
        "examples": {name: _counts(examples) for name, examples in splits.items()},
        "columns": _COLUMNS,
    }
    text = json.dumps(description, indent=2, ensure_ascii=False)
    (folder / "dataset.json").write_text(text + "\n", encoding="utf-8")


def read_open_dataset(folder: str | Path, split: str) -> list[OpenExample]:
    """Reads one split of a data set.

    Raises:
        DatasetError: if there is no such data set or split, or a file of it is damaged.
    """
    import pyarrow
    import pyarrow.parquet

    path = Path(folder) / f"{split}.parquet"
    if not path.is_file():
        raise DatasetError(f"{folder} has no split '{split}'; there should be a file {path.name}")
    try:
        return list(_from_arrow(pyarrow.parquet.read_table(path)))
    except (pyarrow.ArrowException, KeyError, OSError, ProgramError) as error:
        reason = str(error).partition("\n")[0]
        raise DatasetError(f"cannot read {path} ({reason}); generate the data set again") from error


def _counts(examples: Sequence[OpenExample]) -> dict[str, int]:
    counts = collections.Counter(example.type for example in examples)
    return {"total": len(examples)} | {name: counts[name] for name in OPEN_TYPES if counts[name]}


def _to_arrow(examples: Sequence[OpenExample]) -> "pa.Table":
    import pyarrow as pa

    tables = [example.table for example in examples]
    strings = pa.list_(pa.string())
    columns = {
        "question": pa.array([example.question for example in examples], pa.string()),
        "type": pa.array([example.type for example in examples], pa.string()),
        "wording": pa.array([example.wording for example in examples], pa.string()),
        "logical_form": pa.array(
            [None if example.program is None else to_paper_text(example.program) for example in examples],
            pa.string(),
        ),
        "answer": pa.array(
            [None if example.answer is None else example.table.text(*example.answer) for example in examples],
            pa.string(),
        ),
        "answer_cell": pa.array(
            [None if example.answer is None else list(example.answer) for example in examples],
            pa.list_(pa.int16()),
        ),
        "fields": pa.array([table.field_names for table in tables], strings),
        "field_types": pa.array([[field.type.value for field in table.fields] for table in tables], strings),
        "cells": pa.array([_cells(table) for table in tables], strings),
        "spellings": pa.array([_spellings(table) for table in tables], strings),
    }
    return pa.table(columns)


def _cells(table: Table) -> list[str | None]:
    return [None if cell is None else str(cell) for column in table.columns for cell in column]


def _spellings(table: Table) -> list[str] | None:
    return None if table.texts is None else [text for column in table.texts for text in column]


def _from_arrow(stored: "pa.Table") -> Iterator[OpenExample]:
    last: tuple[Any, Table] | None = None
    for row in stored.to_pylist():
        described = (row["fields"], row["field_types"], row["cells"], row["spellings"])
        if last is None or last[0] != described:  # neighbours often share a table
            last = described, _table(*described)
        answer = row["answer_cell"]
        yield OpenExample(
            table=last[1],
            question=row["question"],
            type=row["type"],
            wording=row["wording"],
            answer=None if answer is None else (answer[0], answer[1]),
            program=None if row["logical_form"] is None else parse_paper(row["logical_form"]),
        )


def _table(names: list[str], types: list[str], cells: list[str | None], spellings: list[str] | None) -> Table:
    rows = len(cells) // len(names)
    starts = range(0, len(cells), rows)
    fields = tuple(Field(name, FieldType(kind)) for name, kind in zip(names, types, strict=True))
    columns = tuple(
        tuple(None if cell is None else _value(cell, field.type) for cell in cells[start : start + rows])
        for field, start in zip(fields, starts, strict=True)
    )
    texts = None if spellings is None else tuple(tuple(spellings[start : start + rows]) for start in starts)
    return Table(fields, columns, texts=texts)


def _value(cell: str, kind: FieldType) -> Value:
    if kind is FieldType.TEXT:
        return cell
    if kind is FieldType.DATE:
        return datetime.date.fromisoformat(cell)
    try:
        return int(cell)
    except ValueError:
        return float(cell)
