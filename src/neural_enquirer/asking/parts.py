"""The fields of tables that programs and their steps read."""

import dataclasses
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
    Where,
)
from neural_enquirer.programs.trees import parts_outside
from neural_enquirer.tables import Table

Column: TypeAlias = tuple[int, int]
"""The number of a table and of a field in it."""
_STEPS: Final = (All, Where, Extreme, Beside, Cells, Aggregate, Combination)
"""What is a step of its own within another."""


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
    return tuple(dict.fromkeys(columns_in(parts_outside(tuple(own), _STEPS), tables)))
