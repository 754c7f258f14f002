"""Data sets on disk: a Parquet file per split, and `dataset.json`, which says what the codes in them mean."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from neural_enquirer.synthesis.examples import PROGRAM_TYPES, ExampleSet, TableBlock

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["DatasetError", "read_dataset", "write_dataset"]

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


class DatasetError(ValueError):
    """A data set that cannot be read; the message is one line for people."""


def write_dataset(folder: Path, task: str, seed: int, splits: Mapping[str, ExampleSet]) -> None:
    """Writes a data set into an existing folder; the same examples give the same bytes.

    Whoever wants the folder to appear whole or not at all writes into a :func:`whole_folder`.
    """
    import pyarrow.parquet

    for name, examples in splits.items():
        pyarrow.parquet.write_table(_to_arrow(examples), folder / f"{name}.parquet", compression="zstd")
    description = json.dumps(_description(task, seed, splits), indent=2, ensure_ascii=False)
    (folder / "dataset.json").write_text(description + "\n", encoding="utf-8")


def read_dataset(folder: str | Path, split: str) -> ExampleSet:
    """Reads one split of a data set.

    Raises:
        DatasetError: if there is no such data set or split, or a file of it is damaged.
    """
    import pyarrow
    import pyarrow.parquet

    description = _read_description(Path(folder))
    path = Path(folder) / f"{split}.parquet"
    if not path.is_file():
        raise DatasetError(f"{folder} has no split '{split}'; there should be a file {path.name}")
    try:
        return _from_arrow(pyarrow.parquet.read_table(path), description)
    except (pyarrow.ArrowException, KeyError, OSError) as error:
        reason = str(error).partition("\n")[0]
        raise DatasetError(f"cannot read {path} ({reason}); generate the data set again") from error


def _description(task: str, seed: int, splits: Mapping[str, ExampleSet]) -> dict[str, Any]:
    first = next(iter(splits.values()))
    return {
        "format": _FORMAT,
        "task": task,
        "seed": seed,
        "examples": {name: _counts(examples) for name, examples in splits.items()},
        "columns": _COLUMNS,
        "fields": first.field_names,
        "words": first.words,
        "entity_words": [word for word in first.words if word in first.entity_words],
    }


def _counts(examples: ExampleSet) -> dict[str, int]:
    by_type = np.bincount(examples.types, minlength=len(PROGRAM_TYPES)).tolist()
    return {"total": len(examples)} | {
        name: count for name, count in zip(PROGRAM_TYPES, by_type, strict=True) if count
    }


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


def _from_arrow(table: "pa.Table", description: Mapping[str, Any]) -> ExampleSet:
    blocks: list[TableBlock] = []
    while (fields := f"table_{len(blocks) + 1}_fields") in table.column_names:
        columns = _array(table, fields, np.uint8)
        cells = _array(table, fields.replace("fields", "cells"), np.int16)
        blocks.append(TableBlock(columns, cells.reshape(len(cells), -1, columns.shape[1])))
    names = table["type"].to_pylist()
    return ExampleSet(
        field_names=tuple(description["fields"]),
        words=tuple(description["words"]),
        entity_words=frozenset(description["entity_words"]),
        tables=tuple(blocks),
        types=np.array([PROGRAM_TYPES.index(name) for name in names], dtype=np.uint8),
        questions=table["question"].to_pylist(),
        logical_forms=table["logical_form"].to_pylist(),
        answers=_array(table, "answer_cell", np.int16),
        steps=_array(table, "steps", np.int8),
    )


def _array(table: "pa.Table", name: str, dtype: Any) -> npt.NDArray[Any]:
    """A column of lists of one length as a matrix."""
    lists = table[name].combine_chunks()
    flat: npt.NDArray[Any] = lists.flatten().to_numpy()
    return flat.astype(dtype).reshape(len(lists), lists.type.list_size)
