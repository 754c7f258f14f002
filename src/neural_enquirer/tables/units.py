"""What numbers are followed by: units of measure, scales such as million, money, and whatever is counted.

One symbol may mean several things, "m" a metre, a minute or a million. All of them are given here; which one
it is, the whole column says.
"""

import enum
import functools
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

_DATA: Final = Path(__file__).parents[1] / "data" / "values"
_LONGEST_NAME: Final = 3
_WORD: Final = re.compile(r"[^\s\d,;]+")
_MARKS: Final = str.maketrans({".": None, "(": " ", ")": " "})
_POWER: Final = re.compile(r"[23]$")
_NO_UNITS: Final = ("+", "=", "-", "–", "ª", "º")
_ORDINALS: Final = ("st", "nd", "rd", "th")


class Kind(enum.Enum):
    """What the cells of a column are amounts of; the first of two that fit equally well is taken."""

    LENGTH = "length"
    MASS = "mass"
    DURATION = "duration"
    NUMBER = "number"
    MONEY = "money"
    PERCENT = "percent"
    AREA = "area"
    VOLUME = "volume"
    SPEED = "speed"
    TEMPERATURE = "temperature"
    DATA = "data"
    DATA_RATE = "data rate"
    POWER = "power"
    ENERGY = "energy"
    FREQUENCY = "frequency"
    PRESSURE = "pressure"
    VOLTAGE = "voltage"
    CURRENT = "current"
    CHARGE = "charge"
    DATE = "date"
    YEAR = "year"
    TIME = "time of day"
    SCORE = "score"
    RANGE = "range"
    RANK = "rank"


@dataclass(frozen=True)
class Unit:
    """What an amount is counted in: `factor` and `offset` turn it into the first unit of its kind."""

    kind: Kind
    name: str
    factor: float = 1.0
    offset: float = 0.0

    def based(self, value: float) -> float:
        """A value of this unit in the first unit of its kind."""
        return value * self.factor + self.offset

    def given(self, base: float) -> float:
        """A value of the first unit of the kind in this unit."""
        return (base - self.offset) / self.factor


class Meaning(NamedTuple):
    """A unit, and what the number before it is multiplied by ("3 million km")."""

    unit: Unit
    times: float = 1.0


BARE: Final = Unit(Kind.NUMBER, "")
"""What mere numbers are counted in."""


@functools.cache
def words() -> Mapping[str, Any]:
    """The words of scale, money, hedging and order."""
    return tomllib.loads((_DATA / "words.toml").read_text(encoding="utf-8"))


@functools.lru_cache(maxsize=4096)
def meanings(text: str) -> tuple[Meaning, ...]:
    """What the text behind a number may mean; a word that is no unit is what was counted."""
    parts = _WORD.findall(text.translate(_MARKS))
    if not parts or parts[0] in _NO_UNITS:
        return (Meaning(BARE),)
    for count in range(min(len(parts), _LONGEST_NAME), 1, -1):
        if units := _units_called(" ".join(parts[:count])):
            return tuple(Meaning(unit) for unit in units)
    found = [Meaning(unit) for unit in _units_called(parts[0])]
    scale = _scale(parts[0], words()["scales"])
    if scale is not None:
        behind = meanings(" ".join(parts[1:]))
        found += [Meaning(each.unit, scale * each.times) for each in behind]
    if text.startswith(_ORDINALS) and parts[0] in _ORDINALS:  # the 1st; 11 st are stones
        found.append(Meaning(BARE))
    return tuple(found) or (Meaning(Unit(Kind.NUMBER, _singular(parts[0].casefold()))),)


@functools.lru_cache(maxsize=1024)
def meanings_of_money(text: str, name: str) -> tuple[Meaning, ...]:
    """What the text behind an amount of money means: $12m are millions, not metres."""
    parts = _WORD.findall(text.translate(_MARKS))
    scale = _scale(parts[0], words()["scales"] | words()["scales_of_money"]) if parts else None
    return (Meaning(Unit(Kind.MONEY, name), scale or 1.0),)


def currency(text: str) -> str | None:
    """The currency that a mark before an amount stands for."""
    units = _table()[0].get(text.rstrip(".")) or _table()[1].get(text.rstrip(".").casefold(), ())
    return next((unit.name for unit in units if unit.kind is Kind.MONEY), None)


def _scale(word: str, known: Mapping[str, float]) -> float | None:
    """A word of scale; the case counts for single letters, "M" is no "m"."""
    return known.get(word if len(word) == 1 else _singular(word.casefold()))


def _singular(name: str) -> str:
    return name[:-1] if len(name) > 3 and name[-1] == "s" and name[-2] != "s" else name


def _units_called(name: str) -> tuple[Unit, ...]:
    """All units of a symbol or name; the case of symbols counts where it tells them apart."""
    exact, folded = _table()
    plain = name.casefold()
    return exact.get(name, ()) or folded.get(plain, ()) or folded.get(_singular(plain), ())


@functools.cache
def _table() -> tuple[dict[str, tuple[Unit, ...]], dict[str, tuple[Unit, ...]]]:
    """All units by what they are called: as it is written, and in small letters."""
    exact: dict[str, tuple[Unit, ...]] = {}
    folded: dict[str, tuple[Unit, ...]] = {}
    for unit, name in _named_units():
        plain = _POWER.sub(lambda power: "²" if power[0] == "2" else "³", name.translate(_MARKS))
        exact[plain] = (*exact.get(plain, ()), unit)
        folded[plain.casefold()] = (*folded.get(plain.casefold(), ()), unit)
    return exact, folded


def _named_units() -> list[tuple[Unit, str]]:
    """Each unit with each of its names."""
    named: list[tuple[Unit, str]] = []
    for kind, units in tomllib.loads((_DATA / "units.toml").read_text(encoding="utf-8")).items():
        for name, entry in units.items():
            unit = Unit(Kind(kind), name, float(entry["factor"]), float(entry.get("offset", 0)))
            named += [(unit, each) for each in (*entry.get("symbols", ()), *entry.get("names", ()))]
    for name, marks in words()["currencies"].items():
        named += [(Unit(Kind.MONEY, name), mark) for mark in marks]
    for name, marks in words()["small_change"].items():
        named += [(Unit(Kind.MONEY, name, 0.01), mark) for mark in marks]
    return named
