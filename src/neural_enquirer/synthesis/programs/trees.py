"""Programs as trees: what is in them, and the same program over other sources."""

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

from neural_enquirer.programs.language import All, Field, Program, Source

__all__ = ["parts", "relocated"]


def parts(program: Program) -> Iterator[object]:
    """All parts of a program, itself first."""
    waiting: list[object] = [program]
    while waiting:
        part = waiting.pop()
        yield part
        if isinstance(part, tuple):
            waiting.extend(part)
        elif dataclasses.is_dataclass(part):
            waiting.extend(getattr(part, each.name) for each in dataclasses.fields(part))


def relocated(program: Program, fields: Mapping[str, Field], source: Source) -> Program:
    """A program over one table as one over another source, whose fields are called otherwise."""
    moved: Program = _moved(program, fields, source)
    return moved


def _moved(part: Any, fields: Mapping[str, Field], source: Source) -> Any:
    if isinstance(part, Field):
        return fields[part.name]
    if isinstance(part, All) and part.source is None:
        return All(source)
    if isinstance(part, tuple):
        return tuple(_moved(each, fields, source) for each in part)
    if not dataclasses.is_dataclass(part) or isinstance(part, type):
        return part
    changed = {
        each.name: _moved(getattr(part, each.name), fields, source) for each in dataclasses.fields(part)
    }
    return type(part)(**changed)
