"""The grammar of programs: which choice may follow which.

A derivation is a sequence of actions in prefix order. Each expands the symbol whose turn it is: by a
production, or by pointing at a field, a mention, a quantity or a table of the question at hand. Conditions
name the value first and then the field, so that only fields that have the value need be looked at.
"""

import enum
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple

from neural_enquirer.programs.language import Aggregation, Comparison, Operation

__all__ = [
    "COMPARING",
    "CONSTANTS",
    "HOMES",
    "ORDERINGS",
    "PRODUCTIONS",
    "PRODUCTION_NUMBERS",
    "REFUSALS",
    "START",
    "Action",
    "Derivation",
    "Open",
    "Pool",
    "Production",
    "Symbol",
    "expanded",
    "symbols_of",
]


class Symbol(enum.IntEnum):
    """What is still to be chosen."""

    ANSWER = 0
    SINGLE = 1
    """An answer of one value."""
    ROWS = 2
    GROUPS = 3
    CONDITION = 4
    TERM = 5
    """Any field, or what is made of fields."""
    NUMBER = 6
    """A term of numbers."""
    ORDERED = 7
    """A term that has a largest value: numbers and dates."""
    LINKED = 8
    """A field that has the mention chosen last in its cells."""
    COMPARED = 9
    """A field whose cells compare with the quantity chosen last."""
    DATE = 10
    """A field of dates."""
    COUNT = 11
    """How many, or the how-manieth."""
    MENTION = 12
    QUANTITY = 13
    TABLE = 14


class Pool(enum.IntEnum):
    """What an action chooses from."""

    PRODUCTION = 0
    FIELD = 1
    MENTION = 2
    QUANTITY = 3
    TABLE = 4


@dataclass(frozen=True)
class Production:
    """A way to expand symbols: by an operation and the symbols of its arguments."""

    name: str
    homes: frozenset[Symbol]
    arguments: tuple[Symbol, ...]


class Action(NamedTuple):
    """One choice: the number of a production, field, mention, quantity or table."""

    pool: Pool
    number: int


Derivation = tuple[Action, ...]

REFUSALS: Final = ("no_field", "no_row", "off_topic")
"""Why nothing answers, where nothing does."""
CONSTANTS: Final = (*range(11), 100)
"""Numbers that programs may use though the question does not write them."""
ORDERINGS: Final = tuple(comparison for comparison in Comparison if not comparison.of_text)
_FEWEST: Final = 2
_NUMERIC: Final = (Aggregation.SUM, Aggregation.AVERAGE, Aggregation.MEDIAN)
_OF_ORDER: Final = (Aggregation.MINIMUM, Aggregation.MAXIMUM, Aggregation.RANGE)


def _productions() -> Iterator[Production]:
    yield from _answers()
    yield from _rows()
    yield from _groups()
    yield from _conditions()
    yield from _terms()
    for number in CONSTANTS:
        homes = {Symbol.SINGLE, Symbol.COUNT} if _FEWEST <= number <= max(CONSTANTS[:-1]) else {Symbol.SINGLE}
        yield Production(str(number), frozenset(homes), ())


def _make(name: str, homes: Sequence[Symbol], *arguments: Symbol) -> Production:
    return Production(name, frozenset(homes), arguments)


def _answers() -> Iterator[Production]:
    answer, single = (Symbol.ANSWER,), (Symbol.ANSWER, Symbol.SINGLE)
    yield _make("cells", single, Symbol.TERM, Symbol.ROWS)
    yield _make("distinct", answer, Symbol.TERM, Symbol.ROWS)
    yield _make("pairs", answer, Symbol.TERM, Symbol.TERM, Symbol.ROWS)
    yield _make("exists", answer, Symbol.ROWS)
    yield _make("count", single, Symbol.ROWS)
    for aggregation in Aggregation:
        if aggregation is not Aggregation.COUNT:
            yield _make(aggregation.value, single, _measured(aggregation), Symbol.ROWS)
    for operation in Operation:
        yield _make(operation.value, single, Symbol.SINGLE, Symbol.SINGLE)
    for comparison in ORDERINGS:
        yield _make(f"holds {comparison.value}", answer, Symbol.SINGLE, Symbol.SINGLE)
    yield _make("groups", answer, Symbol.GROUPS)
    yield _make("groups with measures", answer, Symbol.GROUPS)
    yield _make("measures", single, Symbol.GROUPS)
    yield _make("count groups", single, Symbol.GROUPS)
    for aggregation in (*_NUMERIC, *_OF_ORDER):
        yield _make(f"{aggregation.value} of measures", single, Symbol.GROUPS)
    yield _make("number", (Symbol.SINGLE,), Symbol.QUANTITY)
    yield _make("text", (Symbol.SINGLE,), Symbol.MENTION)
    for refusal in REFUSALS:
        yield _make(refusal, answer)


def _rows() -> Iterator[Production]:
    home = (Symbol.ROWS,)
    yield _make("all", home, Symbol.TABLE)
    yield _make("where", home, Symbol.CONDITION, Symbol.ROWS)
    for end in ("largest", "smallest"):
        yield _make(end, home, Symbol.ORDERED, Symbol.ROWS)
        yield _make(f"n {end}", home, Symbol.COUNT, Symbol.ORDERED, Symbol.ROWS)
        yield _make(f"nth {end}", home, Symbol.COUNT, Symbol.ORDERED, Symbol.ROWS)
    for end in ("last", "first"):
        yield _make(end, home, Symbol.ROWS)
        yield _make(f"n {end}", home, Symbol.COUNT, Symbol.ROWS)
        yield _make(f"nth {end}", home, Symbol.COUNT, Symbol.ROWS)
    for step in ("next", "previous", "after", "before"):
        yield _make(step, home, Symbol.ROWS)


def _groups() -> Iterator[Production]:
    home = (Symbol.GROUPS,)
    yield _make("count by", home, Symbol.TERM, Symbol.ROWS)
    for aggregation in Aggregation:
        if aggregation is not Aggregation.COUNT:
            yield _make(f"{aggregation.value} by", home, Symbol.TERM, _measured(aggregation), Symbol.ROWS)
    for end in ("most", "least"):
        yield _make(end, home, Symbol.GROUPS)
        yield _make(f"n {end}", home, Symbol.COUNT, Symbol.GROUPS)
        yield _make(f"nth {end}", home, Symbol.COUNT, Symbol.GROUPS)
    for comparison in ORDERINGS:
        yield _make(f"measure {comparison.value}", home, Symbol.SINGLE, Symbol.GROUPS)


def _conditions() -> Iterator[Production]:
    home = (Symbol.CONDITION,)
    yield _make("is", home, Symbol.MENTION, Symbol.LINKED)
    yield _make("is not", home, Symbol.MENTION, Symbol.LINKED)
    for comparison in ORDERINGS:
        yield _make(comparison.value, home, Symbol.QUANTITY, Symbol.COMPARED)
        yield _make(f"than {comparison.value}", home, Symbol.TERM, Symbol.SINGLE)
        yield _make(f"other {comparison.value}", home, Symbol.TERM, Symbol.TERM)
    yield _make("between", home, Symbol.QUANTITY, Symbol.QUANTITY, Symbol.COMPARED)
    yield _make("missing", home, Symbol.TERM)
    yield _make("present", home, Symbol.TERM)
    yield _make("and", home, Symbol.CONDITION, Symbol.CONDITION)
    yield _make("or", home, Symbol.CONDITION, Symbol.CONDITION)
    yield _make("not", home, Symbol.CONDITION)


def _terms() -> Iterator[Production]:
    homes = (Symbol.TERM, Symbol.NUMBER, Symbol.ORDERED)
    for part in ("year_of", "month_of", "day_of"):
        yield _make(part, homes, Symbol.DATE)
    for operation in Operation:
        yield _make(f"{operation.value} of fields", homes, Symbol.ORDERED, Symbol.ORDERED)


def _measured(aggregation: Aggregation) -> Symbol:
    if aggregation in _NUMERIC:
        return Symbol.NUMBER
    return Symbol.ORDERED if aggregation in _OF_ORDER else Symbol.TERM


PRODUCTIONS: Final = tuple(_productions())
PRODUCTION_NUMBERS: Final[Mapping[str, int]] = MappingProxyType(
    {production.name: number for number, production in enumerate(PRODUCTIONS)}
)
assert len(PRODUCTION_NUMBERS) == len(PRODUCTIONS)


HOMES: Final = tuple(tuple(symbol in production.homes for production in PRODUCTIONS) for symbol in Symbol)
"""For each symbol and production whether the one may be expanded by the other."""
COMPARING: Final = (*(Symbol.COMPARED in production.arguments for production in PRODUCTIONS), False)
"""For each production, and the beginning behind them, whether it compares a field with a quantity."""


class Open(NamedTuple):
    """A symbol whose turn it is.

    Attributes:
        symbol: what is to be chosen.
        parent: the production that asks for it; -1 at the beginning.
    """

    symbol: Symbol
    parent: int


_EXPANSIONS: Final = tuple(
    tuple(
        tuple(Open(symbol, number) for symbol in each.arguments if several or symbol is not Symbol.TABLE)
        for number, each in enumerate(PRODUCTIONS)
    )
    for several in (False, True)
)
"""What each production asks for, where there is one table and where there are several."""

START: Final = Open(Symbol.ANSWER, -1)


def expanded(stack: tuple[Open, ...], action: Action, tables: int) -> tuple[Open, ...]:
    """What is still to be chosen after an action, the next first.

    Where there is one table only, nobody needs to choose it.
    """
    if action.pool is not Pool.PRODUCTION:
        return stack[1:]
    return _EXPANSIONS[tables > 1][action.number] + stack[1:]


def symbols_of(derivation: Sequence[Action], tables: int) -> list[Open]:
    """The symbol that each action expands."""
    stack: tuple[Open, ...] = (START,)
    found = []
    for action in derivation:
        found.append(stack[0])
        stack = expanded(stack, action, tables)
    return found
