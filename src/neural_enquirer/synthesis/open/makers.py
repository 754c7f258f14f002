"""Makers of text values, and which values are for training, validation and testing.

The split of a value is a fixed function of its letters: no text of a training table is ever in a test table,
with whatever seeds they are drawn. How values are put together is written in `data/vocabulary/makers.toml`.
"""

import bisect
import functools
import re
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from neural_enquirer.synthesis.open.draw import Draw
from neural_enquirer.synthesis.open.shapes import VALUES
from neural_enquirer.synthesis.word_files import DATA, entries

Maker = Callable[[Draw], str]

_SLOT: Final = re.compile(r"\{(.+?)\}")
_POOL: Final = {"train": 5000, "validation": 1000, "test": 1000}
_FEWEST: Final = 4


def split_of_text(text: str) -> str:
    """The split whose tables may hold this text, its case aside."""
    number = zlib.crc32(text.casefold().encode()) % 20
    return "train" if number < 16 else "validation" if number < 18 else "test"


@functools.cache
def pool(maker: str, split: str) -> tuple[str, ...]:
    """Many values of one maker that belong to one split."""
    draw, make = Draw("pool", maker, split), MAKERS[maker]
    found: dict[str, str] = {}
    for _ in range(_POOL[split] * (2 if split == "train" else 12)):
        value = make(draw)
        if split_of_text(value) == split:
            found.setdefault(value.casefold(), value)
            if len(found) == _POOL[split]:
                break
    return tuple(found.values())


@functools.cache
def share(values: tuple[str, ...], split: str) -> tuple[str, ...]:
    """The values of a fixed list that belong to one split; too few are filled up with made-up words."""
    own = [value for value in values if split_of_text(value) == split]
    start = zlib.crc32("/".join(values).encode()) % (_POOL[split] // 2)
    made_up = pool("word", split)[start : start + max(0, _FEWEST - len(own))]
    capital = values[0][:1].isupper()
    return (*own, *(word.capitalize() if capital else word for word in made_up))


def _one(draw: Draw, name: str) -> str:
    """One of the words of a list."""
    return draw.of(VALUES[name])


@dataclass(frozen=True)
class _Forms:
    """A maker by its forms."""

    forms: tuple[str, ...]
    given: tuple[str, ...] = ()
    up_to: tuple[float, ...] = ()

    def __call__(self, draw: Draw) -> str:
        given = [_filled(draw, each) for each in self.given]
        kind = draw.random() if self.up_to else 0.0
        return _filled(draw, self.forms[bisect.bisect(self.up_to, kind)], given)


def _filled(draw: Draw, form: str, given: Sequence[str] = ()) -> str:
    return _SLOT.sub(lambda slot: _made(draw, slot[1], given), form)


def _made(draw: Draw, slot: str, given: Sequence[str]) -> str:
    """What stands in a slot."""
    if slot in MAKERS:
        return MAKERS[slot](draw)
    if slot in VALUES:
        return _one(draw, slot)
    if slot.isdigit():
        return given[int(slot)]
    slot, _, change = slot.partition(":")
    if change:
        text = _made(draw, slot, given)
        return text.lower() if change == "lower" else text[0]
    if "|" in slot:
        return draw.of([_made(draw, each, given) for each in slot.split("|")])
    if "+" in slot:
        return draw.of([word for each in slot.split("+") for word in VALUES[each]])
    form, _, name = slot.partition("<")
    if name:
        return _one(draw, form).replace("{n}", _made(draw, name, given))
    low, high = slot.split("-")
    return str(draw.between(int(low), int(high)))


def made_up_word(draw: Draw) -> str:
    """A word of two or three syllables that means nothing."""
    syllables = [_one(draw, "onsets") + _one(draw, "vowels") for _ in range(2 if draw.chance(0.75) else 3)]
    return "".join(syllables) + (_one(draw, "codas") if draw.chance(0.75) else "")


def _name(draw: Draw) -> str:
    return made_up_word(draw).capitalize()


def _letters(draw: Draw) -> str:
    return "".join(_one(draw, "letters_of_companies") for _ in range(draw.between(2, 4)))


def _number_of_model(draw: Draw) -> str:
    return str(draw.between(1, 99) * draw.of((1, 10, 100)))


def _code(draw: Draw) -> str:
    letters = "".join(draw.of("ABCDEFGHJKLMNPQRSTUVWXYZ") for _ in range(draw.between(1, 3)))
    kind, number = draw.random(), draw.between(1, 9999)
    if kind < 0.35:
        return f"{letters}-{number}"
    if kind < 0.6:
        return f"{letters}{number}"
    if kind < 0.7:
        return f"{number:05d}"
    if kind < 0.8:
        return f"{letters} {number}"
    return (
        f"{letters}{number % 100}{draw.of('ABCDEFGHX')}"
        if kind < 0.9
        else f"{letters.lower()}_{number % 1000}"
    )


def _team(draw: Draw) -> str:
    kind = draw.random()
    home = _one(draw, "cities") if draw.chance(0.5) else MAKERS["city"](draw)
    if kind < 0.75:
        return f"{home} {_one(draw, 'team_words')}"
    return f"{_one(draw, 'clubs')} {home}" if kind < 0.9 else f"{_one(draw, 'nouns')}s"


def _url(draw: Draw) -> str:
    return f"www.{made_up_word(draw)}{draw.of(('', '-' + made_up_word(draw)))}.{_one(draw, 'domains')}"


def _event(draw: Draw) -> str:
    place = draw.of((_one(draw, "cities"), _name(draw), _one(draw, "adjectives")))
    return f"{place} {_one(draw, 'events')}" + (f" {draw.between(1980, 2024)}" if draw.chance(0.15) else "")


def _mission(draw: Draw) -> str:
    return f"{draw.of((_name(draw), _one(draw, 'nouns')))}{draw.of((' ', ' ', '-'))}{draw.between(1, 40)}"


def _note(draw: Draw) -> str:
    count = draw.between(2, 5)
    return " ".join(
        draw.of((made_up_word(draw), _one(draw, "nouns").lower(), _one(draw, "adjectives").lower()))
        for _ in range(count)
    )


MAKERS: Final[dict[str, Maker]] = {
    "code": _code,
    "event": _event,
    "letters": _letters,
    "made_up": _name,
    "mission": _mission,
    "note": _note,
    "number_of_model": _number_of_model,
    "team": _team,
    "url": _url,
    "word": made_up_word,
}
MAKERS.update(
    (entry.name, entry.make(_Forms, entry.keys)) for entry in entries([DATA / "vocabulary" / "makers.toml"])
)
"""The makers by name."""
