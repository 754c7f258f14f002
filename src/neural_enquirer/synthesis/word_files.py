"""Reads words and phrases from the TOML files under `data`, and checks them as it does."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

T = TypeVar("T")

DATA: Final = Path(__file__).parents[1] / "data"

_SLOT: Final = re.compile(r"\{(.*?)\}|[{}]")
"""A brace without its partner counts as a slot without a name, which is never right."""


class VocabularyError(ValueError):
    """A file of words that cannot be used; the message is one line that names the file and what is wrong."""


@dataclass(frozen=True)
class Entry:
    """One table of a file, such as a family or a topic."""

    file: str
    name: str
    keys: Mapping[str, Any]
    """Lists are tuples."""

    def error(self, message: str) -> VocabularyError:
        """What to raise where something is wrong with this entry."""
        return VocabularyError(f"{self.file}, [{self.name}]: {message}")

    def make(self, kind: type[T], values: Mapping[str, Any]) -> T:
        """A dataclass of these values, which are the keys and what is derived from them.

        Raises:
            VocabularyError: if a key is unknown or missing.
        """
        try:
            return kind(**values)
        except TypeError as error:
            raise self.error(str(error).partition(" ")[2]) from error


def entries(paths: Iterable[Path]) -> Iterator[Entry]:
    """The tables of several files, in their order.

    Raises:
        VocabularyError: if a file cannot be read, or a name is there twice.
    """
    files: dict[str, str] = {}
    for path in paths:
        for name, keys in _read(path).items():
            if not isinstance(keys, dict):
                raise VocabularyError(f"{_short(path)}: '{name}' stands outside of any [entry]")
            values = {key: tuple(value) if isinstance(value, list) else value for key, value in keys.items()}
            entry = Entry(_short(path), name, values)
            if name in files:
                raise entry.error(f"{files[name]} has one of this name too")
            files[name] = entry.file
            yield entry


def read_lists(*paths: Path) -> dict[str, tuple[str, ...]]:
    """The lists of several files by their names; the list `year` of a table `most` is called "most.year".

    What stands in a list twice is drawn twice as often. The table `slots` of a file says what may be filled
    into its phrases: a slot that it does not explain is an error.

    Raises:
        VocabularyError: if a file cannot be read, a name is there twice, or a text has spaces too many or an
            unknown slot.
    """
    lists: dict[str, tuple[str, ...]] = {}
    for path in paths:
        content = _read(path)
        slots = content.pop("slots", {})
        for name, value in _flat(content):
            if name in lists:
                raise VocabularyError(f"{_short(path)}: there is another list '{name}'")
            lists[name] = tuple(_checked(f"{_short(path)}: '{name}'", value, slots))
    return lists


def _flat(content: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in content.items():
        if isinstance(value, dict):
            yield from ((f"{name}.{own}", each) for own, each in value.items())
        else:
            yield name, value


def _checked(place: str, value: Any, slots: Mapping[str, str]) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise VocabularyError(f"{place} should be a list of texts")
    for text in value:
        if text != " ".join(text.split()):
            raise VocabularyError(f"{place} has spaces too many in '{text}'")
        if not slots.keys() >= set(slots_in(text)):
            raise VocabularyError(f"{place} has an unknown slot in '{text}'")
    return value


def slots_in(text: str) -> list[str]:
    """What is to be filled into a text: that of "born in {v}" is "v"."""
    return _SLOT.findall(text)


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise VocabularyError(f"{_short(path)}: {error}") from error


def _short(path: Path) -> str:
    """What messages call a file: families/people.toml."""
    return f"{path.parent.name}/{path.name}"
