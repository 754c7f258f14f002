"""SQL says so where it speaks of columns that a database would not read from the file."""

from pathlib import Path

import duckdb
import pytest

from neural_enquirer.asking.sql_note import sql_note
from neural_enquirer.programs import parse, to_sql
from neural_enquirer.tables import Table

CSV = 'parcel,price,shipped,note\nA1,$5.50,12/31/2024,"1,2"\nB2,"$1,200.00",1/2/2025,x\n'


@pytest.fixture
def parcels(tmp_path: Path) -> Table:
    path = tmp_path / "parcels.csv"
    path.write_text(CSV)
    return Table.read(path)


@pytest.mark.parametrize(
    ("program", "note"),
    [
        ("count(rows(price > 6))", "price ($5.50 is 5.5)"),
        ("cells(parcel, rows(shipped < 2025-01-01))", "shipped (12/31/2024 is 2024-12-31)"),
        ("cells(parcel, largest(price))", "price ($5.50 is 5.5)"),
        ("cells(note, rows(parcel = A1))", ""),
        ("count(rows())", ""),
    ],
)
def test_note(parcels: Table, program: str, note: str) -> None:
    wanted = f" /* columns as enquirer reads them: {note} */" if note else ""
    assert sql_note(parse(program), [parcels]) == wanted


def test_no_cell_ends_the_comment() -> None:
    table = Table.of_columns(["n*/; DROP"], [(1,)], "t")
    table = Table(table.fields, table.columns, "t", (("$1 */ SELECT 2; /*",),))
    program = parse('sum("n*/; DROP")')
    note = sql_note(program, [table])
    assert note == " /* columns as enquirer reads them: n/; DROP ($1 / SELECT 2; / is 1) */"
    with duckdb.connect() as connection:
        connection.execute('CREATE TABLE t AS SELECT 1 AS "n*/; DROP"')
        assert connection.execute(to_sql(program, [table]) + note).fetchall() == [(1,)]
