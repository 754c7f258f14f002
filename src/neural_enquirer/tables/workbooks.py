"""Sheets of workbooks: Excel's .xlsx and .xls with their kin, and OpenDocument's .ods."""

import contextlib
import functools
import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from neural_enquirer.tables.header_row import LINES_READ, lines_above_header, with_header
from neural_enquirer.tables.raw_table import RawTable, TableError, reason, warn

if TYPE_CHECKING:
    from python_calamine import CalamineSheet, CalamineWorkbook

_PROTECTED = "EncryptedPackage".encode("utf-16-le")
_LAST_CELL = re.compile(rb'<dimension ref="[A-Z]+\d+:([A-Z]+)(\d+)"')
_MOST_CELLS = 100_000_000
_EXACT = 2**53


def read_workbook(path: Path, name: str, wanted: str | None) -> RawTable:
    """A sheet of a workbook: the one that is wanted, or the first that has cells; a warning names the others.

    Raises:
        TableError: where it cannot be read, or has no such sheet.
    """
    content = path.read_bytes()
    if _PROTECTED in content:
        raise _protected(name)
    if _is_vast(content):
        raise TableError(f"{name} has a cell far below or beside the table; delete it, and what is near it")
    with _one_line(name):
        sheet, others = _chosen(content, name, wanted)
        rows = [_plain(row) for row in sheet.to_python()]
    if others:
        told = f"{name} holds {len(others) + 1} sheets, of which '{sheet.name}' was read"
        warn(f"{told}; the others: {_addresses(name, others)}")
    texts = [["" if cell is None else str(cell).strip() for cell in row] for row in rows[:LINES_READ]]
    place = lines_above_header(texts)
    rows[place] = list(texts[place])
    return _without_gaps(with_header(rows, place, name, sheet.name if others or wanted else path.stem))


def _chosen(content: bytes, name: str, wanted: str | None) -> tuple["CalamineSheet", list[str]]:
    """The sheet to read, and the names of others that might have been meant."""
    from python_calamine import CalamineWorkbook

    workbook = CalamineWorkbook.from_filelike(io.BytesIO(content))
    names = _shown(workbook) if wanted is None else [wanted]
    if not set(names) <= set(workbook.sheet_names):
        choices = _addresses(name, workbook.sheet_names)
        raise TableError(f"{name} holds no sheet '{wanted}'; choose one of {choices}")
    sheets = [workbook.get_sheet_by_name(each) for each in names]
    filled = [sheet for sheet in sheets if sheet.start is not None]
    if not filled:
        what = name if wanted is None else f"the sheet '{wanted}' of {name}"
        raise TableError(f"{what} is empty; a table needs a line of headers")
    return filled[0], [sheet.name for sheet in filled[1:]]


def _shown(workbook: "CalamineWorkbook") -> list[str]:
    """The sheets with cells that people see: no hidden ones, and no charts."""
    from python_calamine import SheetTypeEnum, SheetVisibleEnum

    kind = (SheetTypeEnum.WorkSheet, SheetVisibleEnum.Visible)
    return [sheet.name for sheet in workbook.sheets_metadata if (sheet.typ, sheet.visible) == kind]


def _addresses(name: str, sheets: Sequence[str]) -> str:
    return ", ".join(f"{name}::{sheet}" for sheet in sheets)


def _protected(name: str) -> TableError:
    return TableError(f"{name} is protected by a password; save it without one")


@contextlib.contextmanager
def _one_line(name: str) -> Iterator[None]:
    """Whatever goes wrong in the reader of workbooks is told in one line."""
    from python_calamine import PasswordError

    try:
        yield
    except (TableError, MemoryError):
        raise
    except PasswordError:
        raise _protected(name) from None
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":  # of code in Rust
            raise
        message = f"{name} cannot be read as a workbook: {reason(error)}; save it anew as .xlsx or CSV"
        raise TableError(message) from None


def _is_vast(content: bytes) -> bool:
    """Whether a sheet spans so many cells that the reader would end the program for lack of memory."""
    with contextlib.suppress(Exception), zipfile.ZipFile(io.BytesIO(content)) as archive:
        for part in archive.namelist():
            if part.startswith("xl/worksheets/"):
                with archive.open(part) as file:
                    found = _LAST_CELL.search(file.read(4096))
                if found:
                    columns = functools.reduce(lambda count, letter: count * 26 + letter - 64, found[1], 0)
                    if columns * int(found[2]) > _MOST_CELLS:
                        return True
    return False  # also where it is broken: the reader says how


def _plain(row: Sequence[object]) -> list[object]:
    """The cells of a row, missing ones as None; none at all if the row is blank."""
    cells = [_whole(cell) if isinstance(cell, float) else None if cell == "" else cell for cell in row]
    return cells if any(cell is not None for cell in cells) else []


def _whole(number: float) -> int | float:
    """Sheets have one kind of numbers; those that count are integers elsewhere."""
    return int(number) if number.is_integer() and abs(number) < _EXACT else number


def _without_gaps(raw: RawTable) -> RawTable:
    """The table without columns that only set others apart: no name, no cells."""
    kept = [
        place
        for place, (header, column) in enumerate(zip(raw.headers, raw.columns, strict=True))
        if header or any(cell is not None for cell in column)
    ]
    headers = [raw.headers[place] for place in kept]
    return replace(raw, headers=headers, columns=[raw.columns[place] for place in kept])
