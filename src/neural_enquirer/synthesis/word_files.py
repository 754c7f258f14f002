"""Reads words and phrases from the TOML files under `data`, and checks them as it does."""

import dataclasses
import functools
import re
import tomllib
import types
import typing
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

__all__ = ["DATA", "Entry", "VocabularyError", "WordLists", "entries", "slots_in"]

DATA: Final = Path(__file__).parents[1] / "data"

_SLOT: Final = re.compile(r"\{(.*?)\}|[{}]")
"""A brace without its partner counts as a slot without a name, which is never right."""
_SLOTS: Final = "slots"
_KINDS: Final[dict[Any, str]] = {
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    tuple[str, ...]: "a list of texts",
    str | tuple[str, ...]: "a text or a list of texts",
}
"""The types that keys may have, in words."""


class VocabularyError(ValueError):
    """A file of words that cannot be used; the message is one line that names the file and what is wrong."""


@dataclass(frozen=True)
class Entry:
    """One table of a file, such as a family or a topic."""

    file: str
    name: str
    keys: Mapping[str, Any]

    def error(self, message: str) -> VocabularyError:
        """What to raise where something is wrong with this entry."""
        return VocabularyError(f"{self.file}, [{self.name}]: {message}")

    def values(self, kind: type, *, name: str = "", **derived: Any) -> dict[str, Any]:
        """The arguments for a dataclass, whose fields are the keys; lists become tuples.

        Args:
            kind: The dataclass.
            name: The field that the name of the entry is for, if there is one.
            derived: Values for keys that are left out.

        Raises:
            VocabularyError: if a key is unknown or missing, or has a value of a wrong type.
        """
        fields = _types(kind)
        known = {key: hint for key, (hint, _) in fields.items() if key != name}
        for key, value in self.keys.items():
            if key not in known:
                raise self.error(f"unknown key '{key}'; the keys are {', '.join(known)}")
            if not _fits(value, known[key]):
                raise self.error(f"'{key}' should be {_KINDS[known[key]]}, not {value!r}")
        given = {key: tuple(value) if isinstance(value, list) else value for key, value in self.keys.items()}
        values = derived | given | ({name: self.name} if name else {})
        for key, (_, required) in fields.items():
            if required and key not in values:
                raise self.error(f"'{key}' is missing")
        return values


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
            entry = Entry(_short(path), name, keys)
            if name in files:
                raise entry.error(f"{files[name]} has one of this name too")
            files[name] = entry.file
            yield entry


class WordLists:
    """The lists of one file, each to be taken by its name.

    The table `slots` says what may be filled into phrases: a slot that it does not explain is an error.
    """

    def __init__(self, path: Path) -> None:
        """Reads a file.

        Raises:
            VocabularyError: if it cannot be read, or a text has spaces too many or an unknown slot.
        """
        self._file = _short(path)
        self._lists = _read(path)
        self._slots = self._lists.pop(_SLOTS, {})
        self._taken: set[str] = set()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all lists and of all tables of lists."""
        return tuple(self._lists)

    def phrases(self, name: str) -> tuple[str, ...]:
        """The list of this name; what stands in it twice is drawn twice as often."""
        return self._checked(name, self._take(name))

    def groups(self, name: str) -> dict[str, tuple[str, ...]]:
        """The lists of a table of this name."""
        table = self._take(name)
        if not isinstance(table, dict):
            raise VocabularyError(f"{self._file}: '{name}' should be a table of lists")
        return {key: self._checked(f"{name}.{key}", value) for key, value in table.items()}

    def finish(self) -> tuple[str, ...]:
        """All texts of the file.

        Raises:
            VocabularyError: if there is a list that nothing has taken.
        """
        for name in self._lists:
            if name not in self._taken:
                raise VocabularyError(f"{self._file}: unknown list '{name}'")
        return tuple(_texts(self._lists))

    def _take(self, name: str) -> object:
        if name not in self._lists:
            raise VocabularyError(f"{self._file}: the list '{name}' is missing")
        self._taken.add(name)
        return self._lists[name]

    def _checked(self, name: str, value: object) -> tuple[str, ...]:
        if not isinstance(value, list) or not _fits(value, tuple[str, ...]):
            raise VocabularyError(f"{self._file}: '{name}' should be a list of texts")
        for text in value:
            if text != " ".join(text.split()):
                raise VocabularyError(f"{self._file}: '{name}' has spaces too many in '{text}'")
            for slot in slots_in(text):
                if slot not in self._slots:
                    raise VocabularyError(f"{self._file}: '{name}' has an unknown slot in '{text}'")
        return tuple(value)


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


@functools.cache
def _types(kind: type) -> dict[str, tuple[Any, bool]]:
    """The type of each field of a dataclass, and whether it has no default."""
    hints = typing.get_type_hints(kind)
    return {
        field.name: (hints[field.name], field.default is dataclasses.MISSING)
        for field in dataclasses.fields(kind)
    }


def _fits(value: object, hint: Any) -> bool:
    """Whether a value from a file is of a type."""
    if isinstance(hint, types.UnionType):
        return any(_fits(value, each) for each in typing.get_args(hint))
    if hint == tuple[str, ...]:
        return isinstance(value, list) and all(isinstance(each, str) for each in value)
    if isinstance(value, bool):
        return hint is bool
    return isinstance(value, (int, float) if hint is float else hint)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _texts(part)
