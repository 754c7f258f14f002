"""Conditions that a prefix turns round: the unpaid ones are those where paid is no."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from neural_enquirer.encoding.actions import Asked
from neural_enquirer.encoding.text import stem, words_of
from neural_enquirer.programs import language as lang
from neural_enquirer.programs.trees import changed, parts, swapped
from neural_enquirer.tables import Value

_DENIED: Final = re.compile(r"(?:un|non|in|im|ir|dis)(?P<word>.{3,})")
_TWICE: Final = frozenset(["not", "never", "t"])
"""Beside these, such as in "aren't unpaid", nobody can tell by a prefix."""
_IS_SO, _IS_NOT = lang.Missing(lang.Constant("so")), lang.Missing(lang.Constant("not so"))


def turned(asked: Asked, programs: Sequence[lang.Program]) -> list[tuple[int, int | None]]:
    """Programs that ask for what a prefix denies, each with the one that asks for the opposite, if any does.

    Where no program has an opposite among the others, none is given.
    """
    denied = frozenset(_denied(asked) if _TWICE.isdisjoint(asked.links[0].words) else ())
    if not denied:
        return []
    plain = [changed(program, lambda part: _plain(part, denied)) for program in programs]
    opposite = [swapped(one, _IS_SO, _IS_NOT) for one in plain]
    wrong = [n for n, one in enumerate(plain) if _IS_SO in parts(one)]
    pairs = [(n, plain.index(opposite[n]) if opposite[n] in plain else None) for n in wrong]
    return pairs if any(meant is not None for _, meant in pairs) else []


def is_denial(word: str) -> bool:
    """Whether a word begins with a prefix that may turn it round."""
    return _DENIED.fullmatch(word) is not None


def _denied(asked: Asked) -> Iterator[tuple[str, Value]]:
    """The values of fields that a word without its prefix stands for."""
    words = asked.links[0].words
    for table, links in zip(asked.tables, asked.links, strict=True):
        for (start, end), mentioned in zip(links.mentions, links.mentioned, strict=True):
            match = _DENIED.fullmatch(words[start]) if end == start + 1 else None
            for field, rows in mentioned if match else ():
                values = {table.columns[field][row] for row in rows.tolist()}
                known = {
                    stem(one) for text in (table.field_names[field], *values) for one in words_of(str(text))
                }
                if match and stem(match["word"]) in known and stem(words[start]) not in known:
                    yield from ((table.field_names[field], value) for value in values if value is not None)


def _plain(part: Any, denied: frozenset[tuple[str, Value]]) -> Any:
    """A condition about such a field as nothing but whether it is so."""
    match part:
        case lang.Compare(
            lang.Field(name), (lang.Comparison.EQUAL | lang.Comparison.DIFFERS) as how, lang.Constant(value)
        ):
            if name in {own for own, _ in denied}:
                is_so = ((name, value) in denied) == (how is lang.Comparison.EQUAL)
                return _IS_SO if is_so else _IS_NOT
    return part
