"""The parts of programs, and the fields of tables that they read."""

import dataclasses
import functools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, TypeAlias

from neural_enquirer.programs.language import (
    Aggregate,
    All,
    Beside,
    Cells,
    Combination,
    Extreme,
    Field,
    Program,
    Where,
)
from neural_enquirer.tables import Table

__all__ = ["Column", "columns_in", "own_columns", "parts"]

Column: TypeAlias = tuple[int, int]
"""The number of a table and of a field in it."""
_STEPS: Final = (All, Where, Extreme, Beside, Cells, Aggregate, Combination)
"""What is a step of its own within another."""


@functools.lru_cache(maxsize=4096)
def parts(program: Program) -> tuple[Any, ...]:
    """All parts of a program, itself included, each before its own parts."""
    return tuple(_parts(program, ()))


def columns_in(found: Iterable[Any], tables: Sequence[Table]) -> Iterator[Column]:
    """The fields of tables among parts of a program."""
    for field in found:
        if isinstance(field, Field):
            for number, table in enumerate(tables):
                if field.table in (None, table.name) and field.name in table.field_names:
                    yield number, table.field_names.index(field.name)


def own_columns(step: Any, tables: Sequence[Table]) -> tuple[Column, ...]:
    """The fields that one step of a program reads, without those of the steps before it."""
    own = (getattr(step, field.name) for field in dataclasses.fields(step))
    return tuple(dict.fromkeys(columns_in(_parts(tuple(own), _STEPS), tables)))


def _parts(part: Any, without: tuple[type, ...]) -> Iterator[Any]:
    if isinstance(part, tuple):
        for one in part:
            yield from _parts(one, without)
    elif dataclasses.is_dataclass(part) and not isinstance(part, without):
        yield part
        for field in dataclasses.fields(part):
            yield from _parts(getattr(part, field.name), without)
