"""Programs as trees: what is in them, and parts of them replaced by others."""

import dataclasses
import functools
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from neural_enquirer.programs import language as lang

Leaf = lang.Compare | lang.Between | lang.Missing
"""A condition that has no conditions within."""
_T = TypeVar("_T")


@functools.lru_cache(maxsize=4096)
def parts(program: lang.Program) -> tuple[Any, ...]:
    """All parts of a program, itself included, each before its own parts."""
    return tuple(parts_outside(program, ()))


def parts_outside(part: Any, closed: tuple[type, ...]) -> Iterator[Any]:
    """All parts of a part, but for those of some kinds and what is in them."""
    if isinstance(part, tuple):
        for one in part:
            yield from parts_outside(one, closed)
    elif dataclasses.is_dataclass(part) and not isinstance(part, closed):
        yield part
        kind: type = type(part)
        for name in _names_of(kind):
            yield from parts_outside(getattr(part, name), closed)


@functools.cache
def _names_of(kind: type) -> tuple[str, ...]:
    """What the parts of a kind of part are called."""
    return tuple(field.name for field in dataclasses.fields(kind))


def changed(part: _T, change: Callable[[Any], Any]) -> _T:
    """A tree in which each part is what a change makes of it, from the outside in.

    A change gives a part as it is where it leaves it alone; what it gives otherwise is not looked into.
    """
    new = change(part)
    if new is not part:
        return new  # type: ignore[no-any-return]
    if isinstance(part, tuple):
        return tuple(changed(one, change) for one in part)  # type: ignore[return-value]
    if not dataclasses.is_dataclass(part) or isinstance(part, type):
        return part
    own = {each.name: getattr(part, each.name) for each in dataclasses.fields(part)}
    edited = {name: changed(value, change) for name, value in own.items()}
    if all(edited[name] is own[name] or edited[name] == own[name] for name in own):
        return part
    return dataclasses.replace(part, **edited)


def swapped(program: lang.Program, old: Any, new: Any) -> lang.Program:
    """A program with one part in the place of another, wherever that stands."""
    return changed(program, lambda part: new if part == old else part)


def leaves(program: lang.Program) -> tuple[Leaf, ...]:
    """The conditions of a program that compare with values, each once."""
    found = (part for part in parts(program) if isinstance(part, lang.Compare | lang.Between | lang.Missing))
    return tuple(dict.fromkeys(each for each in found if _is_plain(each)))


def field_of(term: lang.Term) -> lang.Field | None:
    """The field that a term is a part of; None where it is made of several, or of none."""
    while isinstance(term, lang.PartOf):
        term = term.term
    return term if isinstance(term, lang.Field) else None


def over(program: lang.Program, rows: lang.Rows) -> lang.Program:
    """A program over other rows than all."""
    return changed(program, lambda part: rows if is_table(part) else part)


def narrowed(program: lang.Program, condition: lang.Condition) -> lang.Program:
    """A program over those rows only that fulfil a condition."""
    return changed(program, lambda part: lang.Where(part, condition) if is_table(part) else part)


def without(program: lang.Program, dropped: Callable[[Leaf], bool]) -> lang.Program:
    """A program without some of its conditions."""

    def change(part: Any) -> Any:
        if not isinstance(part, lang.Where):
            return part
        kept = _kept(part.condition, dropped)
        inner = changed(part.rows, change)
        return inner if kept is None else lang.Where(inner, kept)

    return changed(program, change)


def _kept(condition: lang.Condition, dropped: Callable[[Leaf], bool]) -> lang.Condition | None:
    """What is left of a condition; None where that is nothing."""
    match condition:
        case lang.And(some) | lang.Or(some):
            kept = tuple(each for one in some if (each := _kept(one, dropped)) is not None)
            if len(kept) < 2:
                return kept[0] if kept else None
            return lang.And(kept) if isinstance(condition, lang.And) else lang.Or(kept)
        case lang.Not(one):
            inner = _kept(one, dropped)
            return None if inner is None else lang.Not(inner)
    return None if dropped(condition) else condition


def _is_plain(leaf: Leaf) -> bool:
    return not isinstance(leaf, lang.Compare) or isinstance(leaf.operand, lang.Constant | lang.OneOf)


def is_table(part: Any) -> bool:
    """Whether it is all rows of a table, or of tables that are joined."""
    return isinstance(part, lang.All) and not isinstance(part.source, lang.Groups)
