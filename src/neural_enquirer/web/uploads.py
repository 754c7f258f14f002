"""Files that people send: received within limits, read as tables in a thread of their own."""

import asyncio
import re
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from neural_enquirer.table import Table, TableError
from neural_enquirer.web.limits import Limits
from neural_enquirer.web.problems import RequestError

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


def read_table(content: bytes, name: str, limits: Limits) -> Table:
    """Reads a table from a file's content; `name` says what kind of file it is.

    Raises:
        RequestError: where it cannot be read, or is more than can be asked.
    """
    file, _, part = name.partition("::")
    file = file_name(file)
    if Path(file).suffix.lower() in (".gz", ".zst"):
        raise RequestError(422, f"{file} is compressed; unpack it and upload the table itself.")
    with tempfile.TemporaryDirectory(prefix="enquirer-") as folder:
        path = Path(folder) / file
        path.write_bytes(content)
        try:
            table = Table.read(f"{path}::{part}" if part else path)
        except TableError as error:
            sentence = str(error).replace(f"{folder}/", "").replace("\n", " ")
            raise RequestError(422, f"{sentence}.") from None
    return check_table(table, limits)


def check_table(table: Table, limits: Limits) -> Table:
    """Returns the table if it can be asked.

    Raises:
        RequestError: where it has no rows, or is too large.
    """
    if table.row_count == 0:
        raise RequestError(422, f"{table.name} has no rows; there is nothing to ask about.")
    if len(table.fields) > limits.table_fields:
        raise RequestError(
            413, f"The table has {len(table.fields):,} fields; at most {limits.table_fields:,} work."
        )
    cells = table.row_count * len(table.fields)
    if cells > limits.table_cells:
        raise RequestError(
            413, f"The table has {cells:,} cells; at most {limits.table_cells:,} can be asked."
        )
    return table


def file_name(name: str) -> str:
    """The last part of a path, without what no file's name should have."""
    last = re.split(r"[/\\]", name)[-1]
    plain = "".join(c for c in last if c.isprintable() and not "\ud800" <= c <= "\udfff").strip()
    stem, suffix = Path(plain).stem[:_LONGEST_NAME], Path(plain).suffix[:10]
    while len((stem + suffix).encode()) > 200:
        stem = stem[:-1]
    return stem + suffix if (stem + suffix).strip(". ") else "table"
