"""Data sets on disk: a Parquet file per split, and `dataset.json`, which says what stands in them."""

import collections
import datetime
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from neural_enquirer.programs.language import ProgramError
from neural_enquirer.programs.paper import to_paper_text
from neural_enquirer.programs.paper_parsing import parse_paper
from neural_enquirer.synthesis.examples import PROGRAM_TYPES, Example, ExampleSet, TableBlock
from neural_enquirer.synthesis.open.sampler import ONE_TABLE
from neural_enquirer.tables import Field, FieldType, Table, Value

if TYPE_CHECKING:
    import pyarrow as pa

T = TypeVar("T")

_FORMAT: Final = 1
_COLUMNS: Final = {
    "type": "the type of the query",
    "question": "the question in natural language",
    "logical_form": "the question as SQL-like text",
    "answer": "the word in the answer's cell",
    "answer_cell": "table, row and column of the answer, each from 0",
    "steps": "the column that each of five steps reads, the answer's last; -1 where there is no step; "
    "columns of a second table count on from those of the first",
    "table_N_fields": "for each column of table N, its field: a position in 'fields'",
    "table_N_cells": "the cells of table N row by row, each a position in 'words'",
}
_OPEN_COLUMNS: Final = {
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


class DatasetError(ValueError):
    """A data set that cannot be read; the message is one line for people."""


def write_dataset(folder: Path, task: str, seed: int, splits: Mapping[str, ExampleSet]) -> None:
    """Writes a data set of an Olympic task into an existing folder; the same examples give the same bytes.

    Whoever wants the folder to appear whole or not at all writes into a :func:`whole_folder`.
    """
    first = next(iter(splits.values()))
    codes = {
        "columns": _COLUMNS,
        "fields": first.field_names,
        "words": first.words,
        "entity_words": [word for word in first.words if word in first.entity_words],
    }
    _write(folder, task, seed, {name: _to_arrow(examples) for name, examples in splits.items()}, codes)


def write_open_dataset(folder: Path, seed: int, splits: Mapping[str, Sequence[Example]]) -> None:
    """The same for the open task on one table."""
    stored = {name: _open_to_arrow(examples) for name, examples in splits.items()}
    _write(folder, ONE_TABLE.name, seed, stored, {"columns": _OPEN_COLUMNS})


def read_dataset(folder: str | Path, split: str) -> ExampleSet:
    """Reads one split of a data set of an Olympic task.

    Raises:
        DatasetError: if there is no such data set or split, or a file of it is damaged.
    """
    description = _read_description(Path(folder))
    return _read(Path(folder), split, lambda stored: _from_arrow(stored, description))


def read_open_dataset(folder: str | Path, split: str) -> list[Example]:
    """The same for the open task on one table."""
    return _read(Path(folder), split, lambda stored: list(_open_from_arrow(stored)))


def _write(
    folder: Path, task: str, seed: int, splits: Mapping[str, "pa.Table"], codes: Mapping[str, Any]
) -> None:
    import pyarrow.parquet

    for name, stored in splits.items():
        pyarrow.parquet.write_table(stored, folder / f"{name}.parquet", compression="zstd")
    description = {
        "format": _FORMAT,
        "task": task,
        "seed": seed,
        "examples": {name: _counts(stored) for name, stored in splits.items()},
        **codes,
    }
    text = json.dumps(description, indent=2, ensure_ascii=False)
    (folder / "dataset.json").write_text(text + "\n", encoding="utf-8")


def _counts(stored: "pa.Table") -> dict[str, int]:
    counts = collections.Counter(stored["type"].to_pylist())
    return {"total": len(stored)} | {name: counts[name] for name in ONE_TABLE.ratio if counts[name]}


def _read(folder: Path, split: str, converted: Callable[["pa.Table"], T]) -> T:
    import pyarrow
    import pyarrow.parquet

    path = folder / f"{split}.parquet"
    if not path.is_file():
        raise DatasetError(f"{folder} has no split '{split}'; there should be a file {path.name}")
    try:
        return converted(pyarrow.parquet.read_table(path))
    except (pyarrow.ArrowException, KeyError, OSError, ProgramError) as error:
        reason = str(error).partition("\n")[0]
        raise DatasetError(f"cannot read {path} ({reason}); generate the data set again") from error


def _read_description(folder: Path) -> dict[str, Any]:
    path = folder / "dataset.json"
    if not path.is_file():
        raise DatasetError(
            f"{folder} is no data set: it has no dataset.json; make one with: enquirer generate"
        )
    try:
        description = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DatasetError(f"cannot read {path} ({error}); generate the data set again") from error
    if not isinstance(description, dict) or description.get("format") != _FORMAT:
        raise DatasetError(f"{path} is not of format {_FORMAT}; generate the data set again")
    return description


# Olympic tasks: columns of codes.


def _to_arrow(examples: ExampleSet) -> "pa.Table":
    import pyarrow as pa

    columns: dict[str, Any] = {
        "type": pa.DictionaryArray.from_arrays(pa.array(examples.types), list(PROGRAM_TYPES)),
        "question": pa.array(examples.questions, pa.string()),
        "logical_form": pa.array(examples.logical_forms, pa.string()),
        "answer": pa.array(examples.answer_words(), pa.string()),
        "answer_cell": _lists(examples.answers),
        "steps": _lists(examples.steps),
    }
    for number, block in enumerate(examples.tables, start=1):
        columns[f"table_{number}_fields"] = _lists(block.fields)
        columns[f"table_{number}_cells"] = _lists(block.cells.reshape(len(examples), -1))
    return pa.table(columns)


def _lists(rows: npt.NDArray[Any]) -> Any:
    import pyarrow as pa

    return pa.FixedSizeListArray.from_arrays(pa.array(rows.ravel()), rows.shape[1])


def _from_arrow(stored: "pa.Table", description: Mapping[str, Any]) -> ExampleSet:
    blocks: list[TableBlock] = []
    while (fields := f"table_{len(blocks) + 1}_fields") in stored.column_names:
        columns = _array(stored, fields, np.uint8)
        cells = _array(stored, fields.replace("fields", "cells"), np.int16)
        blocks.append(TableBlock(columns, cells.reshape(len(cells), -1, columns.shape[1])))
    names = stored["type"].to_pylist()
    return ExampleSet(
        field_names=tuple(description["fields"]),
        words=tuple(description["words"]),
        entity_words=frozenset(description["entity_words"]),
        tables=tuple(blocks),
        types=np.array([PROGRAM_TYPES.index(name) for name in names], dtype=np.uint8),
        questions=stored["question"].to_pylist(),
        logical_forms=stored["logical_form"].to_pylist(),
        answers=_array(stored, "answer_cell", np.int16),
        steps=_array(stored, "steps", np.int8),
    )


def _array(stored: "pa.Table", name: str, dtype: Any) -> npt.NDArray[Any]:
    """A column of lists of one length as a matrix."""
    lists = stored[name].combine_chunks()
    flat: npt.NDArray[Any] = lists.flatten().to_numpy()
    return flat.astype(dtype).reshape(len(lists), lists.type.list_size)


# The open task: values as texts.


def _open_to_arrow(examples: Sequence[Example]) -> "pa.Table":
    import pyarrow as pa

    strings = pa.list_(pa.string())
    special = {"answer_cell": pa.list_(pa.int16())}
    special |= dict.fromkeys(("fields", "field_types", "cells", "spellings"), strings)
    schema = pa.schema([(name, special.get(name, pa.string())) for name in _OPEN_COLUMNS])
    return pa.Table.from_pylist(list(map(_row, examples)), schema)


def _row(example: Example) -> dict[str, Any]:
    (table,), answer = example.tables, [cell[1:] for cell in example.cells]
    cells = (cell for column in table.columns for cell in column)
    return {
        "question": example.question,
        "type": example.type,
        "wording": example.wording,
        "logical_form": None if example.program is None else to_paper_text(example.program),
        "answer": table.text(*answer[0]) if answer else None,
        "answer_cell": answer[0] if answer else None,
        "fields": table.field_names,
        "field_types": [field.type.value for field in table.fields],
        "cells": [None if cell is None else str(cell) for cell in cells],
        "spellings": None if table.texts is None else [text for column in table.texts for text in column],
    }


def _open_from_arrow(stored: "pa.Table") -> Iterator[Example]:
    last: tuple[Any, Table] | None = None
    for row in stored.to_pylist():
        described = (row["fields"], row["field_types"], row["cells"], row["spellings"])
        if last is None or last[0] != described:  # neighbours often share a table
            last = described, _table(*described)
        answer = row["answer_cell"]
        yield Example(
            tables=(last[1],),
            question=row["question"],
            type=row["type"],
            wording=row["wording"],
            cells=() if answer is None else ((0, answer[0], answer[1]),),
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
