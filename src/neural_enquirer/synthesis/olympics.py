"""The schema of Olympic games: ten fields of a game and its host country, and tables drawn from them."""

from typing import Final

import numpy as np
import numpy.typing as npt

from neural_enquirer.synthesis.olympics_phrases import COUNTRY, GAME, HOSTS
from neural_enquirer.synthesis.olympics_words import CITIES, COUNTRIES, NUMBERS, YEARS
from neural_enquirer.synthesis.schema import FieldPhrases, Schema, SchemaField, Subject
from neural_enquirer.tables import FieldType

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


def _field(name: str) -> SchemaField:
    kind = FieldType.TEXT if name in ("host_city", "host_country") else FieldType.NUMBER
    return SchemaField(name, kind, GAME[name] if name in GAME else through_country(name))


GAMES: Final = Subject("game", "games")
SCHEMA: Final = Schema(
    subject=GAMES,
    fields=tuple(
        _field(name)
        for name in (
            "year",
            "host_city",
            "#_participants",
            "#_medals",
            "#_duration",
            "#_audience",
            "host_country",
            "GDP",
            "country_size",
            "population",
        )
    ),
)


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
    columns = {name: sample_columns(rng, name, tables) for name in SCHEMA.field_names}
    countries = columns["host_country"]
    first = (countries[:, :, None] == countries[:, None, :]).argmax(axis=2)
    for name in ("GDP", "country_size", "population"):
        columns[name] = np.take_along_axis(columns[name], first, axis=1)
    return np.stack(list(columns.values()), axis=2)


def sample_bounds(rng: np.random.Generator, fields: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
    """For each of `fields`, as positions in the schema, a number to compare its cells with."""
    numbers = rng.integers(0, len(NUMBERS), len(fields), dtype=np.int16)
    years = _YEAR_CODES[rng.integers(0, len(_YEAR_CODES), len(fields))]
    return np.where(fields == SCHEMA.field_names.index("year"), years, numbers)
