"""What the SQL of an answer speaks of, where a file spells its cells in another way."""

import datetime
import re
from collections.abc import Sequence
from typing import Final

from neural_enquirer.asking.parts import columns_in
from neural_enquirer.programs.language import Program
from neural_enquirer.programs.trees import parts
from neural_enquirer.tables import FieldType, Table, spelling
from neural_enquirer.tables.wording import cut

_NUMBER: Final = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
_LONGEST: Final = 30


def sql_note(program: Program, tables: Sequence[Table]) -> str:
    """A comment on the fields of a program that are texts such as "$5.50" to a database that reads the file.

    Nothing where there are none: then the SQL runs on the file as it is.
    """
    columns = dict.fromkeys(columns_in(parts(program), tables))
    told = [note for table, field in columns if (note := _told(tables[table], field))]
    return f" /* columns as enquirer reads them: {', '.join(told)} */" if told else ""


def _told(table: Table, field: int) -> str:
    """How a cell is spelled that no database reads as what it is; nothing where all are plain."""
    if table.texts is None or table.fields[field].type is FieldType.TEXT:
        return ""
    for text, cell in zip(table.texts[field], table.columns[field], strict=True):
        if cell is not None and not _is_plain(text.strip(), table.fields[field].type):
            return f"{_harmless(table.fields[field].name)} ({_harmless(text)} is {spelling(cell)})"
    return ""


def _is_plain(text: str, kind: FieldType) -> bool:
    if kind is FieldType.NUMBER:
        return _NUMBER.fullmatch(text) is not None
    try:
        datetime.datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _harmless(text: str) -> str:
    """A text that cannot end the comment that it is in."""
    return cut(text, _LONGEST).replace("*", "")
