"""Whether everyday questions get the same answers wherever their tables are, and however long these are.

    python -m benchmarks.engine_questions FOLDER --place duckdb
    python -m benchmarks.engine_questions FOLDER --place duckdb --padded 1000000

The folder has everyday questions with their tables. Without padding, answers of an engine are compared with
those in memory; where a database has numbers without their units, so has memory. With padding, every table
gets further rows with other texts of the same shape (codes such as TX are missing), and with numbers, dates
and amounts of its own but for those at the ends; questions whose SQL then gives another answer are left out.
An answer is stable if its program gives the same with the further rows, whether it is right or not.
"""

import argparse
import contextlib
import dataclasses
import json
import re
import string
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

from benchmarks.engine_places import PLACES, the_place
from neural_enquirer import Answer, Enquirer, Table
from neural_enquirer.engines.addresses import DUCKDB
from neural_enquirer.engines.choosing import engine_of
from neural_enquirer.engines.opening import Opener
from neural_enquirer.programs import ProgramError
from neural_enquirer.real_questions.everyday.questions import EverydayQuestion, read_everyday, read_tables
from neural_enquirer.real_questions.everyday.scoring import is_right, same_parts
from neural_enquirer.tables import TableError, Value

__all__ = ["compared", "padded"]

_LETTERS = string.ascii_lowercase
_OTHERS = str.maketrans(
    _LETTERS + _LETTERS.upper(), "".join(each[7:] + each[:7] for each in (_LETTERS, _LETTERS.upper()))
)
"""Every letter is another."""
_CODE = re.compile("[A-Z]{2}")


def padded(table: Table, rows: int, path: Path) -> None:
    """Writes a table as Parquet, with further rows behind its own."""
    further = Table(table.fields, tuple(_further(table, number) for number in range(len(table.fields))))
    with duckdb.connect() as connection:
        connection.register("own", table.to_arrow())
        connection.register("further", further.to_arrow().cast(table.to_arrow().schema))
        columns = ", ".join(
            f"list_extract(f.c{number}, 1 + (hash(i * 31 + {number}) % len(f.c{number}))::BIGINT)"
            for number in range(len(table.fields))
        )
        lists = ", ".join(
            f"(SELECT list({_quoted(name)}) FROM further WHERE {_quoted(name)} IS NOT NULL) AS c{number}"
            for number, name in enumerate(table.field_names)
        )
        connection.execute("CREATE TABLE rows AS SELECT * FROM own")
        connection.execute(
            f"INSERT INTO rows SELECT {columns} FROM range({rows}) AS n(i), (SELECT {lists}) AS f"
        )
        connection.execute(f"COPY rows TO '{path}' (FORMAT parquet)")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _further(table: Table, number: int) -> tuple[Value | None, ...]:
    """Cells like those of a field: other texts of the same shape; amounts that are at neither end.

    Codes such as TX are missing: among other letters they would be no codes any more.
    """
    cells, reading = table.columns[number], table.reading(number)
    if all(cell is None or _CODE.fullmatch(str(cell)) for cell in cells):
        return (None,) * len(cells)
    if reading is None:
        return tuple(None if cell is None else str(cell).translate(_OTHERS) for cell in cells)
    ends = (np.nanmin(reading.values), np.nanmax(reading.values))
    inner = (amount not in ends and not np.isnan(amount) for amount in reading.values.tolist())
    return tuple(cell if is_inner else None for cell, is_inner in zip(cells, inner, strict=True))


def compared(
    enquirer: Enquirer, questions: Sequence[EverydayQuestion], near: dict[str, Table], far: dict[str, Table]
) -> Iterator[dict[str, Any]]:
    """What is answered to each question near and far."""
    for question in questions:
        answers = [
            _asked(enquirer, [tables[name] for name in question.tables], question) for tables in (near, far)
        ]
        texts = [list(answer.texts) if isinstance(answer, Answer) else [] for answer in answers]
        yield {
            "id": question.id,
            "kind": question.kind,
            "near": texts[0],
            "far": texts[1],
            "same": _same(*texts),
            "programs": [answer.program if isinstance(answer, Answer) else answer for answer in answers],
            "stable": _is_stable(answers[0], [far[name] for name in question.tables]),
            "right": [is_right(each, question.answers) if each else not question.answers for each in texts],
        }


def _is_stable(answer: Answer | str, tables: Sequence[Table]) -> bool:
    """Whether the program that answers near gives the same far away: further rows may change it."""
    if isinstance(answer, str) or answer.best.program is None:
        return True
    try:
        found = engine_of(tables[0]).run(answer.best.program, tables).texts(tables)
    except ProgramError:
        return False
    return _same(list(answer.texts), list(found))


def _asked(enquirer: Enquirer, tables: Sequence[Table], question: EverydayQuestion) -> Answer | str:
    try:
        return enquirer.ask(list(tables), question.question)
    except TableError as error:
        return str(error)


def _same(one: Sequence[str], other: Sequence[str]) -> bool:
    return bool(one) == bool(other) and (not one or same_parts(one, other))


def _unchanged(question: EverydayQuestion, near: dict[str, Table], folder: Path) -> bool:
    """Whether the SQL of a question gives the same with the further rows."""
    if question.sql is None:
        return True
    results = []
    for far in (False, True):
        with duckdb.connect() as connection:
            for name in question.tables:
                path = folder / f"{Path(name).stem}.parquet"
                connection.register("own", near[name].to_arrow())
                source = f"read_parquet('{path}')" if far else "own"
                for view in {Path(name).stem, "t"}:
                    connection.execute(f'CREATE OR REPLACE VIEW "{view}" AS SELECT * FROM {source}')
            try:
                results.append(sorted(map(str, connection.execute(question.sql).fetchall())))
            except duckdb.Error:
                return False
    return results[0] == results[1]


@contextlib.contextmanager
def _far(arguments: argparse.Namespace, near: dict[str, Table], folder: Path) -> Iterator[dict[str, Table]]:
    if arguments.padded:
        opener = Opener(DUCKDB)
        for name, table in near.items():
            padded(table, arguments.padded, folder / f"{Path(name).stem}.parquet")
        yield {name: opener.opened(str(folder / f"{Path(name).stem}.parquet")) for name in near}
        return
    with the_place(arguments.place) as put:
        yield dict(zip(near, put(list(near.values())), strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--place", choices=PLACES, default="duckdb")
    parser.add_argument("--padded", type=int, default=0, metavar="ROWS")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="ask every N-th question only")
    parser.add_argument("--model", default="open")
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    questions = read_everyday(arguments.folder)[:: arguments.every]
    near = read_tables(arguments.folder, questions)
    if arguments.place != "duckdb" or arguments.padded:
        near = {name: dataclasses.replace(table, texts=None) for name, table in near.items()}
    enquirer = Enquirer.from_pretrained(arguments.model)
    with tempfile.TemporaryDirectory() as name, _far(arguments, near, Path(name)) as far:
        asked = questions
        if arguments.padded:
            asked = [one for one in questions if _unchanged(one, near, Path(name))]
        found = list(compared(enquirer, asked, near, far))
    summary = {
        "place": arguments.place,
        "padded": arguments.padded,
        "questions": len(found),
        "same": sum(one["same"] for one in found),
        "right": [sum(one["right"][place] for one in found) for place in (0, 1)],
        "stable": sum(one["stable"] for one in found),
        "stable_and_same": sum(one["stable"] and one["same"] for one in found),
    }
    print(json.dumps(summary))
    for one in found:
        if not one["same"]:
            print(json.dumps(one, ensure_ascii=False))
    if arguments.out:
        arguments.out.write_text(json.dumps(summary, indent=2) + "\n")


if __name__ == "__main__":
    main()
