"""The schema of Olympic games: the words of ten fields of a game and its host country, and tables."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from neural_enquirer.synthesis.word_files import DATA, entries, read_lists


@dataclass(frozen=True)
class FieldPhrases:
    """The ways to speak of one field; every slot is filled by the template that uses the phrase.

    `{it}` is whatever the question is about (``the longest game``), `{value}` a value as it is spelled in the
    cells, `{thing}` the subject's bare noun.
    """

    questions: tuple[str, ...]
    """Questions without the question mark: ``how long did {it} last``."""
    nouns: tuple[str, ...]
    """The same as a noun: ``the duration of {it}``."""
    equal: tuple[str, ...]
    """What follows the subject's noun if the field has a value: ``in {value}``, ``that lasted {value}
    days``."""
    names: tuple[str, ...] = ()
    """What names the row all by itself, if its value of the field does: ``{value}``."""
    less: tuple[str, ...] = ()
    """… if it is below a value: ``before {value}``."""
    more: tuple[str, ...] = ()
    """… if it is above a value: ``after {value}``."""
    less_than: tuple[str, ...] = ()
    """… if it is below that of another row: ``before {it}``."""
    more_than: tuple[str, ...] = ()
    """… if it is above that of another row: ``that lasted longer than {it}``."""
    largest: tuple[str, ...] = ()
    """The row where the field is largest: ``the latest {thing}``, ``the {thing} with the most medals``."""
    smallest: tuple[str, ...] = ()
    """The row where the field is smallest."""


_NAMES: Final = read_lists(DATA / "olympics" / "names.toml")
CITIES: Final = _NAMES["cities"]
COUNTRIES: Final = _NAMES["countries"]
RESERVED_CITIES: Final = _NAMES["reserved_cities"]
RESERVED_COUNTRIES: Final = _NAMES["reserved_countries"]
"""Names for the test set of unseen entities, each in place of the one at the same position above."""
CONTINENTS: Final = _NAMES["continents"]

_YEAR_NUMBERS: Final = range(1896, 2013, 4)
_OTHER_NUMBERS: Final = (
    10, 11, 12, 14, 15, 16, 17, 18, 19, 20, 21, 22, 24, 25, 28, 30, 32, 35, 36, 40, 45, 48, 50, 60, 75,
    80, 90, 100, 110, 120, 130, 150, 160, 180, 200, 220, 240, 250, 280, 300, 320, 350, 400, 450, 500, 600,
    700, 800, 960, 1_000, 1_200, 1_300, 1_500, 1_600, 1_800, 2_100, 2_300, 2_500, 2_800, 3_000, 3_200,
    3_500, 3_800, 4_000, 4_200, 4_500, 5_000, 5_500, 6_000, 6_500, 7_000, 7_500, 8_000, 9_000, 10_000,
    12_000, 15_000, 18_000, 20_000, 25_000, 30_000, 35_000, 40_000, 45_000, 50_000, 60_000, 67_000,
    75_000, 80_000, 90_000,
)  # fmt: skip

YEARS: Final = tuple(str(year) for year in _YEAR_NUMBERS)
"""The numbers that may be years, written without a separator wherever they stand."""

NUMBERS: Final = tuple(
    str(number) if number in _YEAR_NUMBERS else f"{number:,}"
    for number in sorted((*_YEAR_NUMBERS, *_OTHER_NUMBERS))
)
"""The one pool of numbers for all numeric fields, in rising order: comparing positions compares numbers."""


_FOLDER: Final = DATA / "olympics"


def _phrases(file: str) -> dict[str, FieldPhrases]:
    """The phrases of a file, by field."""
    found = entries([_FOLDER / file])
    return {entry.name: entry.make(FieldPhrases, entry.keys) for entry in found}


GAME: Final = _phrases("game.toml")
"""Phrases whose `{it}` and `{thing}` are a game, by field."""
COUNTRY: Final = _phrases("country.toml")
"""Phrases whose `{it}` and `{thing}` are a country, by field."""

HOSTS: Final = read_lists(_FOLDER / "hosts.toml")
"""What leads from games to the countries that hosted them, and back."""


ROWS: Final = 10
WORDS: Final = (*NUMBERS, *CITIES, *COUNTRIES)
"""What may stand in a cell. The position of a word is its code; numbers come first and in rising order, so
that comparing codes compares numbers."""

_FIRST_CITY: Final = len(NUMBERS)
_FIRST_COUNTRY: Final = _FIRST_CITY + len(CITIES)
_YEAR_CODES: Final = np.array([NUMBERS.index(year) for year in YEARS], dtype=np.int16)

_NAMED: Final = tuple(f"{how} the country {{it}}" for how in HOSTS["hosted"])
_COMPARED: Final = tuple(f"{how} a country {{it}}" for how in HOSTS["hosted"])
_EXTREME: Final = tuple(f"the {{thing}} {how} {{it}}" for how in HOSTS["hosted"])


def _into(outer: tuple[str, ...], inner: tuple[str, ...]) -> tuple[str, ...]:
    """Every phrase of `inner` in the place of `{it}` of every phrase of `outer`."""
    return tuple(around.replace("{it}", phrase) for phrase in inner for around in outer)


def through_country(name: str) -> FieldPhrases:
    """Phrases on a field of a country, turned into phrases on the game that the country hosted."""
    phrases = COUNTRY[name]

    def extreme(countries: tuple[str, ...]) -> tuple[str, ...]:
        return _into(_EXTREME, tuple(phrase.replace("{thing}", "country") for phrase in countries))

    def than(compared: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(f"in a country {phrase}" for phrase in _into(compared, HOSTS["hosts"][:3]))

    def comparative(which: int) -> tuple[str, ...]:
        adjectives = HOSTS.get(f"comparatives.{name}", ())[which : which + 1]
        return tuple(f"{how} a {each} country than {{it}}" for each in adjectives for how in HOSTS["hosted"])

    return FieldPhrases(
        questions=_into(phrases.questions, HOSTS["hosts"]),
        nouns=_into(phrases.nouns, HOSTS["hosts"]),
        equal=_into(_NAMED, phrases.equal),
        less=_into(_COMPARED, phrases.less),
        more=_into(_COMPARED, phrases.more),
        less_than=comparative(0) + than(phrases.less_than),
        more_than=comparative(1) + than(phrases.more_than),
        largest=extreme(phrases.largest),
        smallest=extreme(phrases.smallest),
    )


def of_game(name: str) -> FieldPhrases:
    """How people who ask about a game speak of a field."""
    if name == "country":
        return GAME["host_country"]
    return GAME[name] if name in GAME else through_country(name)


FIELD_NAMES: Final = (
    "year", "host_city", "#_participants", "#_medals", "#_duration", "#_audience", "host_country", "GDP",
    "country_size", "population",
)  # fmt: skip
"""Of a game and its host country."""
TEXT_FIELDS: Final = frozenset({"host_city", "host_country", "country", "continent"})
"""The others hold numbers."""


def sample_columns(
    rng: np.random.Generator, name: str, tables: int, rows: int = ROWS
) -> npt.NDArray[np.int16]:
    """One field's cells for many tables: years without replacement, all else with.

    Numeric fields other than the year share the whole pool of numbers, so that a number alone never tells its
    field.
    """
    if name == "year":
        order = rng.random((tables, len(_YEAR_CODES)), dtype=np.float32).argsort(axis=1)
        return _YEAR_CODES[order[:, :rows]]
    if name == "host_city":
        return rng.integers(_FIRST_CITY, _FIRST_COUNTRY, (tables, rows), dtype=np.int16)
    if name in ("host_country", "country"):
        return rng.integers(_FIRST_COUNTRY, len(WORDS), (tables, rows), dtype=np.int16)
    return rng.integers(0, len(NUMBERS), (tables, rows), dtype=np.int16)


def sample_tables(rng: np.random.Generator, tables: int) -> npt.NDArray[np.int16]:
    """Cells ``[table, row, field]`` of many tables, fields in the schema's order.

    A country that hosts twice keeps its size, population and GDP: its later rows repeat those of its first.
    """
    columns = {name: sample_columns(rng, name, tables) for name in FIELD_NAMES}
    countries = columns["host_country"]
    first = (countries[:, :, None] == countries[:, None, :]).argmax(axis=2)
    for name in ("GDP", "country_size", "population"):
        columns[name] = np.take_along_axis(columns[name], first, axis=1)
    return np.stack(list(columns.values()), axis=2)


def sample_bounds(rng: np.random.Generator, fields: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
    """For each of `fields`, as positions in the schema, a number to compare its cells with."""
    numbers = rng.integers(0, len(NUMBERS), len(fields), dtype=np.int16)
    years = _YEAR_CODES[rng.integers(0, len(_YEAR_CODES), len(fields))]
    return np.where(fields == FIELD_NAMES.index("year"), years, numbers)
