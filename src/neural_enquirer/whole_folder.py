"""Folders that appear whole or not at all, whatever happens while they are written."""

import contextlib
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

if sys.platform != "win32":
    import fcntl


class FolderError(ValueError):
    """A folder cannot be written to; the message is one line that says why and what to do."""


@contextlib.contextmanager
def whole_folder(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yields a hidden folder to write to, which takes the name `path` once the block ends without an error.

    An error removes it. A killed process leaves only the hidden folder, which the next one for the same path
    clears. A lock on it keeps two writers apart and goes away with the process that holds it.

    Raises:
        FolderError: if `path` is taken, or another process is writing it.
    """
    target = Path(path).resolve()
    _check_free(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    hidden = target.with_name(f".{target.name}.partial")
    with _locked(hidden, target):
        try:
            _clear(hidden)
            yield hidden
            _check_free(target)
            with contextlib.suppress(FileNotFoundError):
                target.rmdir()  # an empty folder of this name gives way
            hidden.rename(target)
        except BaseException:
            shutil.rmtree(hidden, ignore_errors=True)
            raise


def _check_free(target: Path) -> None:
    ancestor = next(parent for parent in target.parents if parent.exists())
    if not ancestor.is_dir():
        raise FolderError(f"{ancestor} is a file; name a folder that does not exist yet")
    if not target.exists():
        return
    if not target.is_dir():
        raise FolderError(f"{target} is a file; name a folder that does not exist yet")
    if any(target.iterdir()):
        raise FolderError(f"{target} exists and is not empty; name another folder or empty it first")
    if target.samefile(Path.cwd()):
        raise FolderError(f"{target} is the current folder, which cannot be replaced; name one inside it")


@contextlib.contextmanager
def _locked(hidden: Path, target: Path) -> Iterator[None]:
    """Holds a lock on the hidden folder itself, so that no lock file can be left behind."""
    hidden.mkdir(exist_ok=True)
    if sys.platform == "win32":
        yield
        return
    descriptor = os.open(hidden, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # The former holder may have renamed or removed the folder between our opening and locking it.
        if not hidden.exists() or not os.path.samestat(hidden.stat(), os.fstat(descriptor)):
            raise BlockingIOError
        yield
    except BlockingIOError:
        raise FolderError(
            f"another process is writing {target}; wait for it or name another folder"
        ) from None
    finally:
        os.close(descriptor)


def _clear(folder: Path) -> None:
    for entry in folder.iterdir():
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()
