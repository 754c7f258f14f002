"""The simple format that both data sets can be brought to: JSON lines of questions, CSV tables beside them.

`questions-<split>.jsonl` (or `.jsonl.xz`) has objects with `id`, `table`, `question`, `answers`, `cells` and,
for WikiSQL, `sql`; the tables are CSV files in a folder `tables` or in `tables-<split>.tar.xz`.
"""

import lzma
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from neural_enquirer.real_questions.denotation import CellFinder, cell_key, value_of
from neural_enquirer.real_questions.example import Condition, RealDataError, RealExample, SqlQuery
from neural_enquirer.real_questions.files import json_lines, read_csv, read_table
from neural_enquirer.tables import Table

COMPUTED = ("count", "sum", "avg")
"""Aggregations whose result is not a cell, even where it looks like one."""


def questions_file(folder: Path, split: str) -> Path | None:
    """Returns the file of a split's questions; None where there is none."""
    names = (f"questions-{split}.jsonl", f"questions-{split}.jsonl.xz")
    return next((folder / name for name in names if (folder / name).is_file()), None)


def read(folder: Path, split: str) -> list[RealExample]:
    """Reads the questions of a split in the order of their file."""
    path = questions_file(folder, split)
    assert path is not None
    records = list(json_lines(path, ("id", "table", "question", "answers")))
    tables = _read_tables(folder, split, {record["table"] for record in records})
    finders: dict[str, CellFinder] = {}
    examples = []
    for record in records:
        table = tables.get(record["table"])
        if table is None:
            raise RealDataError(
                f"{folder}: the table {record['table']} of question {record['id']} is missing"
            )
        if table.name not in finders:
            finders[table.name] = CellFinder(table, value_of if record.get("sql") is None else cell_key)
        examples.append(_example(record, table, finders[table.name]))
    return examples


def _read_tables(folder: Path, split: str, wanted: set[str]) -> dict[str, Table]:
    unpacked = folder / "tables"
    if unpacked.is_dir():
        return {name: read_table(unpacked / f"{name}.csv", name) for name in sorted(wanted)}
    archive = folder / f"tables-{split}.tar.xz"
    if not archive.is_file():
        raise RealDataError(f"{folder} has neither a folder tables nor tables-{split}.tar.xz")
    return dict(_unpack(archive, wanted))


def _unpack(archive: Path, wanted: set[str]) -> Iterator[tuple[str, Table]]:
    try:
        with tarfile.open(archive, "r|*") as members:
            for member in members:
                name = Path(member.name).stem
                file = members.extractfile(member) if member.isfile() and name in wanted else None
                if file is not None:
                    yield name, read_csv(file.read(), name)
    except (tarfile.TarError, lzma.LZMAError, EOFError) as error:
        raise RealDataError(f"{archive} is damaged or no archive of tables") from error


def _example(record: Mapping[str, Any], table: Table, finder: CellFinder) -> RealExample:
    cells, answers = record.get("cells"), tuple(record["answers"])
    query = None if record.get("sql") is None else _query(record["sql"])
    computed = query is not None and query.aggregation in COMPUTED
    return RealExample(
        id=record["id"],
        table=table,
        question=record["question"],
        answers=answers,
        cells=None if computed else finder.cells(answers),
        one_cell=cells is not None and len(cells) == 1,
        query=query,
    )


def _query(sql: Mapping[str, Any]) -> SqlQuery:
    conditions: Sequence[Mapping[str, Any]] = sql["where"]
    where = tuple(Condition(each["col"], each["op"], str(each["value"])) for each in conditions)
    return SqlQuery(sql["select_col"], sql["agg"], where)
