"""Copies of large files of text that DuckDB asks much faster, in the user's cache until the files change."""

import contextlib
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from neural_enquirer.engines.stamps import cache_folder
from neural_enquirer.whole_folder import FolderError, whole_folder

COPY: Final = "rows.duckdb"
"""What a copy is called within its folder."""
_MOST_BYTES: Final = 20_000_000_000
"""So much space all copies take together; a file that is larger is asked as it is."""
_ABANDONED_SECONDS: Final = 86_400
"""What was not finished for so long is not being written any more."""


def copy_of(key: str, size: int, write: Callable[[Path], None]) -> Path | None:
    """The copy with a key: kept since, or written now; it appears whole or not at all.

    Args:
        key: another for every content.
        size: about how many bytes it may take.
        write: writes it to a path.

    Returns:
        Where it is; None where there is no room for it, or somebody else is writing it.
    """
    copies = cache_folder() / "copies"
    place = copies / key
    try:
        if not place.exists():
            copies.mkdir(parents=True, exist_ok=True)
            if size > min(_MOST_BYTES, shutil.disk_usage(copies).free // 2):
                return None
            with whole_folder(place) as hidden:
                hidden.chmod(0o700)  # the file itself may be readable by fewer people than the cache
                write(hidden / COPY)
            _make_room(copies, place)
        os.utime(place)  # those that were not used for longest go first
    except (OSError, FolderError):
        return None
    return place / COPY


def forget(copy: Path) -> None:
    """Removes a copy, such as one that cannot be read any more."""
    shutil.rmtree(copy.parent, ignore_errors=True)


def _make_room(copies: Path, newest: Path) -> None:
    """Removes those that were not used for longest, and those that were never finished."""
    taken = 0
    for folder in sorted(copies.iterdir(), key=lambda each: each.stat().st_mtime, reverse=True):
        with contextlib.suppress(OSError):  # another process may remove it as well
            is_unfinished = folder.name.startswith(".")
            age = time.time() - folder.stat().st_mtime
            taken += 0 if is_unfinished else (folder / COPY).stat().st_size
            is_old = age > _ABANDONED_SECONDS if is_unfinished else taken > _MOST_BYTES
            if is_old and folder != newest:
                shutil.rmtree(folder)
