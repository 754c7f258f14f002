"""How many real CSV files are read right: with the headers and cells that Python's csv module gives.

python -m benchmarks.reading_tables DATA...

DATA are CSV files, archives of them (.tar.xz), and folders with either. Each file must be RFC 4180: the first
record names the fields, and all records have as many cells. Prints one JSON object.
"""

import argparse
import csv
import io
import json
import tarfile
import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

from neural_enquirer.tables import Table, TableError, TableWarning

_LONGEST_CELL = 2**24
_SHOWN = 5


def files_in(data: Path) -> Iterator[tuple[str, bytes]]:
    """All CSV files of a file, an archive or a folder, each with where it stands."""
    if data.is_dir():
        for path in sorted(data.rglob("*")):
            if path.name.endswith((".csv", ".tar.xz")):
                yield from files_in(path)
    elif data.name.endswith(".tar.xz"):
        with tarfile.open(data) as archive:
            for member in archive:
                file = archive.extractfile(member)
                if member.name.endswith(".csv") and file is not None:
                    yield f"{data.parent.name}/{data.name}/{member.name}", file.read()
    else:
        yield str(data), data.read_bytes()


def expected(content: bytes) -> Table:
    """The table that Python's csv module gives, typed and with its headers repaired as any other."""
    text = io.StringIO(content.decode("utf-8-sig"), newline="")
    headers, *rows = [record for record in csv.reader(text) if record]
    return Table.of_columns(headers, list(zip(*rows, strict=True)) or [()] * len(headers))


def difference(read: Table, right: Table) -> str | None:
    """What is not as it should be, in a few words; None where all is."""
    if read.field_names != right.field_names:
        return f"the headers are {list(read.field_names)}, not {list(right.field_names)}"
    if read.row_count != right.row_count:
        return f"{read.row_count} rows, not {right.row_count}"
    for column, name in enumerate(right.field_names):
        for row in range(right.row_count):
            if read.text(row, column) != right.text(row, column):
                told = f"{read.text(row, column)!r}, not {right.text(row, column)!r}"
                return f"row {row}, '{name}': {told}"
    return None if read == right else "the types or values differ"


def compared(content: bytes, folder: Path) -> tuple[bool, str | None]:
    """Whether a file is read at all, and what is wrong with it."""
    path = folder / "table.csv"
    path.write_bytes(content)
    right = expected(content)
    try:
        read = Table.read(path)
    except TableError as error:
        return False, str(error)
    return True, difference(Table(read.fields, read.columns, right.name, read.texts), right)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", nargs="+", type=Path, metavar="DATA")
    parser.add_argument("--shown", type=int, default=_SHOWN, help="how many that differ are told")
    arguments = parser.parse_args()
    csv.field_size_limit(_LONGEST_CELL)
    warnings.simplefilter("ignore", TableWarning)
    start = time.perf_counter()
    tables = read = 0
    wrong: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, content in (file for data in arguments.data for file in files_in(data)):
            is_read, why = compared(content, Path(folder))
            tables += 1
            read += is_read
            if why is not None:
                wrong[name] = why
    counts = {"tables": tables, "read": read, "equal": tables - len(wrong)}
    told = dict(list(wrong.items())[: arguments.shown])
    print(json.dumps({**counts, "seconds": round(time.perf_counter() - start, 1), "differ": told}, indent=1))


if __name__ == "__main__":
    main()
