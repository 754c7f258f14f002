"""Tables of WikiTableQuestions, out of a folder that has them in one of the forms that are known here."""

import csv
import io
import lzma
import re
import tarfile
from collections.abc import Iterable
from pathlib import Path

from neural_enquirer.real_questions.example import RealDataError

_PLACE = re.compile(r"csv/(\d+)-csv/(\d+)\.csv")


def read_wiki_tables(folder: Path, places: Iterable[str]) -> dict[str, bytes]:
    r"""Returns tables by their places in the published set, as RFC 4180 has them; absent ones are left out.

    Args:
        folder: WikiTableQuestions as published (`csv/200-csv/1.csv`, with `\"` for a quote inside quotes), or
            in the simple format (`200-1.csv` in `tables` or in `tables-<split>.tar.xz`).
        places: such as `csv/200-csv/1.csv`.
    """
    if (folder / "csv").is_dir():
        return {
            place: _plain((folder / place).read_bytes()) for place in places if (folder / place).is_file()
        }
    names = {_PLACE.sub(r"\1-\2.csv", place): place for place in places}
    unpacked = folder / "tables"
    if unpacked.is_dir():
        files = {place: unpacked / name for name, place in names.items()}
        return {place: file.read_bytes() for place, file in files.items() if file.is_file()}
    found: dict[str, bytes] = {}
    for archive in sorted(folder.glob("tables-*.tar.xz")):
        found |= {names[name]: content for name, content in _members(archive) if name in names}
    return found


def _plain(content: bytes) -> bytes:
    text = io.StringIO(content.decode("utf-8", errors="replace"), newline="")
    rows = csv.reader(text, doublequote=False, escapechar="\\")
    out = io.StringIO(newline="")
    csv.writer(out).writerows(rows)
    return out.getvalue().encode("utf-8")


def _members(archive: Path) -> list[tuple[str, bytes]]:
    try:
        with tarfile.open(archive) as members:
            files = [(Path(member.name).name, members.extractfile(member)) for member in members]
            return [(name, file.read()) for name, file in files if file is not None]
    except (tarfile.TarError, lzma.LZMAError, EOFError) as error:
        raise RealDataError(f"{archive} is damaged or no archive of tables") from error
