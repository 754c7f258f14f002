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
        slots = content.pop(_SLOTS, {})
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
    if not _fits(value, tuple[str, ...]):
        raise VocabularyError(f"{place} should be a list of texts")
    texts: list[str] = value
    for text in texts:
        if text != " ".join(text.split()):
            raise VocabularyError(f"{place} has spaces too many in '{text}'")
        if not slots.keys() >= set(slots_in(text)):
            raise VocabularyError(f"{place} has an unknown slot in '{text}'")
    return texts


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
