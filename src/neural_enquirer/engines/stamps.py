"""What changes when files do, and where is kept what was found out about them."""

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path


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


def cache_folder() -> Path:
    """Where things are kept that can be found out again; nobody but the user needs them."""
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "neural-enquirer"
