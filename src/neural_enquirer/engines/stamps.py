"""What changes when files do."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

__all__ = ["digest", "files_stamp"]


def files_stamp(paths: Iterable[Path]) -> str:
    """A short text that names files, their sizes, and when they were written last."""
    told = []
    for path in paths:
        found = path.stat()
        told.append(f"{path.absolute()} {found.st_size} {found.st_mtime_ns}")
    return digest("\n".join(told))


def digest(text: str) -> str:
    """A short text that is another for every text."""
    return hashlib.sha256(text.encode("utf-8", errors="surrogatepass")).hexdigest()[:32]
