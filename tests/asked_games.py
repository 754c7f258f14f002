"""Small tables that have everything programs can ask for, and questions linked to them."""

import datetime
import functools
from collections.abc import Iterator, Sequence
from random import Random

from neural_enquirer.encoding.actions import PRODUCTIONS, Action, Asked, Derivation, Pool, Symbol
from neural_enquirer.encoding.actions.grammar import PRODUCTION_NUMBERS, START, Open, expanded
from neural_enquirer.encoding.open import titles_of
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.encoding.tables_index import TablesIndex
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.tables import FieldType, Table

VOCABULARY = Vocabulary(
    ("which", "what", "how", "many", "the", "of", "most", "more", "than", "in", "city", "year", "days"),
    frozenset(),
    unsaid=True,
)


def _games() -> Iterator[dict[str, object]]:
    lines = (
        ("Athens", "Greece", 1896, 10, (1896, 4, 6), "summer", "1 h 20 min"),
        ("Paris", "France", 1900, 20, (1900, 5, 14), None, "50 min"),
        ("St Moritz", "Switzerland", 1928, 9, (1928, 2, 11), "winter", "2 h"),
        ("Athens", "Greece", 2004, 17, (2004, 8, 13), "summer", "45 min"),
        ("London", "Great Britain", 2012, 17, (2012, 7, 27), "summer", None),
        ("Oslo", "Norway", 1952, None, (1952, 2, 14), "winter", "1 h 5 min"),
    )
    for city, country, year, days, opened, kind, length in lines:
        yield {
            "city": city,
            "country": country,
            "year": year,
            "days": days,
            "opened": datetime.date(*opened),
            "kind": kind,
            "length": length,
        }


GAMES = Table.of(list(_games()), "games")
LANDS = Table.of(
    [
        {"country": country, "continent": continent, "people": people}
        for country, continent, people in (
            ("Greece", "Europe", 10),
            ("France", "Europe", 68),
            ("Norway", "Europe", 5),
            ("Switzerland", "Europe", 9),
            ("Great Britain", "Europe", 67),
            ("Japan", "Asia", 124),
        )
    ],
    "lands",
)


def linked(question: str, tables: Sequence[Table] = (GAMES,)) -> tuple[Asked, tuple[TableIndex, ...]]:
    """A question as programs are written for it, and the indexes of its tables."""
    index = TablesIndex.of([TableIndex.of(table) for table in tables], titles_of(tables))
    return Asked(question, tables, index.link(question, VOCABULARY)), index.tables


def ask(question: str, tables: Sequence[Table] = (GAMES,)) -> Asked:
    return linked(question, tables)[0]


def actions(asked: Asked, text: str) -> Derivation:
    """A derivation from its words: `days` is a field, `m0` a mention, `q1` a quantity, `t0` a table.

    Names of several words are written with `_` for the blanks.
    """
    names = [production.name.replace(" ", "_") for production in PRODUCTIONS]
    pools = {"m": Pool.MENTION, "q": Pool.QUANTITY, "t": Pool.TABLE}
    found = []
    for word in text.split():
        if word in names:
            found.append(Action(Pool.PRODUCTION, names.index(word)))
        elif word[0] in pools and word[1:].isdigit():
            found.append(Action(pools[word[0]], int(word[1:])))
        else:
            fields = [place and asked.field(place).name for place in asked.places]
            found.append(Action(Pool.FIELD, fields.index(word)))
    return tuple(found)


def choices(asked: Asked, turn: Open, given: int) -> list[Action]:
    """All that may expand a symbol."""
    found = list(_productions(turn.symbol))
    match turn.symbol:
        case Symbol.TERM | Symbol.NUMBER | Symbol.ORDERED | Symbol.DATE:
            found += [Action(Pool.FIELD, number) for number in _fields(asked, turn.symbol)]
        case Symbol.LINKED:
            found += [Action(Pool.FIELD, field) for mention, field in asked.named if mention == given]
        case Symbol.COMPARED:
            found += [Action(Pool.FIELD, field) for field in asked.comparable[given]]
        case Symbol.MENTION:
            found += [Action(Pool.MENTION, mention) for mention in sorted({one for one, _ in asked.named})]
        case Symbol.QUANTITY | Symbol.COUNT:
            found += [Action(Pool.QUANTITY, number) for number in range(len(asked.said))]
        case Symbol.TABLE:
            found += [Action(Pool.TABLE, number) for number in range(len(asked.tables))]
    return found


@functools.cache
def _productions(symbol: Symbol) -> tuple[Action, ...]:
    numbers = [number for number, production in enumerate(PRODUCTIONS) if symbol in production.homes]
    return tuple(Action(Pool.PRODUCTION, number) for number in numbers)


@functools.cache
def _fields(asked: Asked, symbol: Symbol) -> tuple[int, ...]:
    found = []
    for number, place in enumerate(asked.places):
        if place is None:
            continue
        is_date, is_number = asked.is_date(place), asked.kind(place) is FieldType.NUMBER
        is_number = is_number or asked.tables[place.table].amounts(place.column) is not None
        fits = {Symbol.TERM: True, Symbol.NUMBER: is_number and not is_date, Symbol.DATE: is_date}
        if fits.get(symbol, is_date or is_number):
            found.append(number)
    return tuple(found)


def random_derivation(asked: Asked, draw: Random, wanted: str, longest: int = 20) -> Derivation | None:
    """A derivation with a production; None where it leads nowhere, gets too long or goes without it."""
    own, where = (Action(Pool.PRODUCTION, PRODUCTION_NUMBERS[name]) for name in (wanted, "where"))
    stack: tuple[Open, ...] = (START,)
    given, found = 0, []
    while stack:
        possible = choices(asked, stack[0], given)
        if not possible or len(found) + len(stack) > longest:
            return None
        liked = [action for action in (own, where) if action in possible and action not in found]
        short = [action for action in possible if len(expanded(stack[:1], action, 1)) < 2]
        preferred = next((some for some in (liked, short) if some and draw.random() < 0.6), possible)
        action = draw.choice(preferred)
        if action.pool in (Pool.MENTION, Pool.QUANTITY):
            given = action.number
        found.append(action)
        stack = expanded(stack, action, len(asked.tables))
    return tuple(found) if own in found else None
