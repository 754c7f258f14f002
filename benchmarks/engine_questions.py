"""Whether everyday questions get the same answers wherever their tables are, and however long these are.

    python -m benchmarks.engine_questions FOLDER --place duckdb
    python -m benchmarks.engine_questions FOLDER --place duckdb --padded 1000000

The folder has everyday questions with their tables. Without padding, answers of an engine are compared with
those in memory; where a database has numbers without their units, so has memory. Where rows have no order,
memory is asked once more with its rows in the order in which they came back. With padding, every table gets
further rows with other texts of the same shape (codes such as TX are missing; where no two rows share a text,
no two of the further rows do), and with numbers, dates and amounts of its own but for those at the ends.
Questions whose SQL then gives another answer, or one that depends on the order of rows, are left out.
An answer is stable if its program gives the same with the further rows, whether it is right or not.
"""

import argparse
import contextlib
import json
import re
import string
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

from benchmarks.engine_places import PLACES, the_place
from neural_enquirer import Answer, Enquirer, Table
from neural_enquirer.engines.addresses import DUCKDB
from neural_enquirer.engines.choosing import engine_of
from neural_enquirer.engines.known import EngineTable
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
_CODE = re.compile(r"\b[A-Z]{2}\b")
_BACKWARDS = """(
    SELECT * EXCLUDE file_row_number FROM read_parquet('{path}', file_row_number = true)
    ORDER BY file_row_number DESC
)"""
_DIGITS = "'0123456789', 'qwertzuiop'"
"""The digits of a row, and the letters that stand for them where no two rows shall share a text."""


def padded(table: Table, rows: int, path: Path) -> None:
    """Writes a table as Parquet, with further rows behind its own."""
    further = Table(table.fields, tuple(_further(table, number) for number in range(len(table.fields))))
    with duckdb.connect() as connection:
        connection.register("own", table.to_arrow())
        connection.register("further", further.to_arrow().cast(table.to_arrow().schema))
        columns = ", ".join(_drawn(table, number) for number in range(len(table.fields)))
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


def _drawn(table: Table, number: int) -> str:
    """In SQL, what a field has in a further row."""
    cell = f"list_extract(f.c{number}, 1 + (hash(i * 31 + {number}) % len(f.c{number}))::BIGINT)"
    there = [value for value in table.columns[number] if value is not None]
    is_key = table.reading(number) is None and len(there) == len(set(there)) == table.row_count
    return f"{cell} || translate(i::VARCHAR, {_DIGITS})" if is_key else cell


def _further(table: Table, number: int) -> tuple[Value | None, ...]:
    """Cells like those of a field: other texts of the same shape; amounts that are at neither end.

    Codes such as TX are missing: among other letters they would be no codes any more.
    """
    cells, reading = table.columns[number], table.reading(number)
    if reading is None:
        return tuple(
            None if cell is None or _CODE.search(str(cell)) else str(cell).translate(_OTHERS)
            for cell in cells
        )
    ends = (np.nanmin(reading.values), np.nanmax(reading.values))
    inner = (amount not in ends and not np.isnan(amount) for amount in reading.values.tolist())
    return tuple(cell if is_inner else None for cell, is_inner in zip(cells, inner, strict=True))


def compared(
    enquirer: Enquirer, questions: Sequence[EverydayQuestion], near: dict[str, Table], far: dict[str, Table]
) -> Iterator[dict[str, Any]]:
    """What is answered to each question near and far."""
    for question in questions:
        sides = [[tables[name] for name in question.tables] for tables in (near, far)]
        answers = [_asked(enquirer, tables, question) for tables in sides]
        texts = [list(answer.texts) if isinstance(answer, Answer) else [] for answer in answers]
        yield {
            "id": question.id,
            "kind": question.kind,
            "near": texts[0],
            "far": texts[1],
            "same": _same(*texts),
            "because": "" if _same(*texts) else _cause(enquirer, question, sides[0], sides[1], answers[1]),
            "question": question.question,
            "programs": [answer.program if isinstance(answer, Answer) else answer for answer in answers],
            "stable": _is_stable(answers[0], sides[1]),
            "right": [is_right(each, question.answers) if each else not question.answers for each in texts],
        }


def _cause(
    enquirer: Enquirer,
    question: EverydayQuestion,
    near: Sequence[Table],
    far: Sequence[Table],
    answer: Answer | str,
) -> str:
    """Why an answer far away is another, as far as the order of rows tells."""
    if isinstance(answer, Answer) and "no order" in (answer.reason or ""):
        return "needs an order of rows"
    there = [table for table in far if isinstance(table, EngineTable) and table.known.is_whole]
    if len(there) < len(far) or all(table.relation.order is not None for table in there):
        return "other"
    rows = [replace(own, columns=table.columns) for own, table in zip(near, there, strict=True)]
    again = _asked(enquirer, rows, question)
    same = isinstance(answer, Answer) and isinstance(again, Answer) and _same(again.texts, answer.texts)
    return "as in memory with the rows in this order" if same else "other"


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
    """Whether the SQL of a question gives the same with the further rows, whatever the order of all rows."""
    if question.sql is None:
        return True
    results = []
    for source in ("own", "read_parquet('{path}')", _BACKWARDS):
        with duckdb.connect() as connection:
            for name in question.tables:
                path = folder / f"{Path(name).stem}.parquet"
                connection.register("own", near[name].to_arrow())
                rows = source.format(path=path)
                for view in {Path(name).stem, "t"}:
                    connection.execute(f'CREATE OR REPLACE VIEW "{view}" AS SELECT * FROM {rows}')
            try:
                results.append(sorted(map(str, connection.execute(question.sql).fetchall())))
            except duckdb.Error:
                return False
    return results[0] == results[1] == results[2]


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
        near = {name: replace(table, texts=None) for name, table in near.items()}
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
        "because": Counter(one["because"] for one in found if not one["same"]),
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
