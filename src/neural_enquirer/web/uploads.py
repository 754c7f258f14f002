"""Files that people send: received within limits, read as tables while others are answered."""

import asyncio
import re
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from neural_enquirer.tables import Table, TableError
from neural_enquirer.web.limits import Limits
from neural_enquirer.web.reading import ReadTable, check_size, read_apart
from neural_enquirer.web.wire import RequestError

_LONGEST_NAME = 100


async def receive(chunks: AsyncIterator[bytes], most_bytes: int, seconds: float) -> bytes:
    """Puts a request's body together; what is too long or too slow is dropped as soon as that is known.

    Raises:
        RequestError: 413 or 408.
    """
    body = bytearray()
    try:
        async with asyncio.timeout(seconds):
            async for chunk in chunks:
                body += chunk
                if len(body) > most_bytes:
                    raise too_large(most_bytes)
    except TimeoutError:
        raise RequestError(408, f"The request took longer than {seconds:g} seconds to arrive.") from None
    return bytes(body)


def too_large(most_bytes: int) -> RequestError:
    """A request with more bytes than are taken."""
    size = f"{most_bytes / 1e6:g} MB" if most_bytes >= 100_000 else f"{most_bytes:,} bytes"
    return RequestError(413, f"That is too large: at most {size} can be sent.")


def read_table(content: bytes, name: str, limits: Limits) -> ReadTable:
    """Reads a table from a file's content; `name` says what kind of file it is.

    Raises:
        RequestError: where it cannot be read, or is more than can be asked.
    """
    part = name.partition("::")[2]
    file = file_name(name)
    if Path(file).suffix.lower() in (".gz", ".zst"):
        raise RequestError(422, f"{file} is compressed; unpack it and upload the table itself.")
    with tempfile.TemporaryDirectory(prefix="enquirer-") as folder:
        path = Path(folder) / file
        path.write_bytes(content)
        return read_apart(path, _printable(part), limits)


def read_records(records: Sequence[Mapping[str, Any]], limits: Limits) -> Table:
    """Makes a table of rows.

    Raises:
        RequestError: where they are none, or more than can be asked.
    """
    fields = {name for record in records for name in record}
    if len(fields) * len(records) > limits.table_cells:  # before missing cells are filled in
        raise RequestError(413, f"The records make a table of more than {limits.table_cells:,} cells.")
    try:
        return check_size(Table.of(records), limits.table_cells, limits.table_fields)
    except TableError as error:
        raise RequestError(422, f"{error}.") from None


def file_name(name: str) -> str:
    """The last part of a path, without what no file's name should have; a table in the file is left out."""
    last = re.split(r"[/\\]", name.partition("::")[0])[-1]
    plain = _printable(last).strip()
    stem, suffix = Path(plain).stem[:_LONGEST_NAME], Path(plain).suffix[:10]
    while len((stem + suffix).encode()) > 200:
        stem = stem[:-1]
    return stem + suffix if (stem + suffix).strip(". ") else "table"


def _printable(text: str) -> str:
    return "".join(character for character in text if character.isprintable())
