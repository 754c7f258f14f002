"""Building: the program that a derivation stands for."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from neural_enquirer.encoding.actions.asked import Asked, Place
from neural_enquirer.encoding.actions.grammar import (
    CONSTANTS,
    PRODUCTIONS,
    Action,
    Pool,
    Symbol,
)
from neural_enquirer.programs import language as lang
from neural_enquirer.programs.language import (
    Aggregation,
    Comparison,
    Direction,
    Operation,
    Part,
    ProgramError,
    Step,
)

__all__ = ["Builder", "Tree", "build", "tree_of"]

_LARGEST: Final = frozenset({"largest", "last", "most"})
_AGGREGATIONS: Final = {aggregation.value: aggregation for aggregation in Aggregation}
_OPERATIONS: Final = {operation.value: operation for operation in Operation}
_COMPARISONS: Final = {comparison.value: comparison for comparison in Comparison}
_STEPS: Final = {step.value: step for step in Step}
_OF_ORDER: Final = (Comparison.LESS, Comparison.MORE, Comparison.AT_MOST, Comparison.AT_LEAST)
_NUMBERS: Final = {str(number): number for number in CONSTANTS}


class Tree(NamedTuple):
    """A derivation as a tree: an action and what expands its arguments.

    Attributes:
        action: the action.
        parts: what expands its arguments.
        name: the name of its production; empty where it points at something.
    """

    action: Action
    parts: tuple["Tree", ...] = ()
    name: str = ""


_ONLY_TABLE: Final = Tree(Action(Pool.TABLE, 0))


def build(derivation: Sequence[Action], asked: Asked) -> lang.Program:
    """The program that a derivation stands for.

    Raises:
        ProgramError: if there is none: a comparison means nothing, tables share no values, or it refuses.
    """
    return Builder(asked).build(derivation)


def tree_of(derivation: Sequence[Action], tables: int) -> Tree:
    """Reads a sequence of actions as a tree."""
    return _read(iter(derivation), tables)


def _read(actions: Iterator[Action], tables: int) -> Tree:
    action = next(actions)
    if action.pool is not Pool.PRODUCTION:
        return Tree(action)
    production = PRODUCTIONS[action.number]
    parts = [
        _ONLY_TABLE if symbol is Symbol.TABLE and tables == 1 else _read(actions, tables)
        for symbol in production.arguments
    ]
    return Tree(action, tuple(parts), production.name)


class Builder:
    """Builds programs for one question; rows that several of them are about are made once."""

    def __init__(self, asked: Asked) -> None:
        """Takes the question."""
        self._asked = asked
        self._known: dict[tuple[Tree, lang.Source], lang.Rows] = {}

    def build(self, derivation: Sequence[Action]) -> lang.Program:
        """The program that a derivation stands for.

        Raises:
            ProgramError: as `build` does.
        """
        return self._answer(tree_of(derivation, len(self._asked.tables)))

    # Answers.

    def _answer(self, tree: Tree) -> lang.Program:
        name, parts = tree.name, tree.parts
        if name in ("distinct", "pairs"):
            terms, source = parts[:-1], self._source(tree)
            return lang.Cells(
                tuple(map(self._term, terms)), self._rows(parts[-1], source), name == "distinct"
            )
        if name == "exists":
            return lang.Exists(self._rows(parts[0], self._source(tree)))
        if name.startswith("holds "):
            comparison = _COMPARISONS[name.removeprefix("holds ")]
            left, right = (self._single(part, ordered=comparison in _OF_ORDER) for part in parts)
            return lang.Holds(left, comparison, right)
        if name in ("groups", "groups with measures"):
            source = self._source(tree)
            terms_of = (self._grouped_by(parts[0]), *((lang.Measure(),) if name != "groups" else ()))
            return lang.Cells(terms_of, self._groups(parts[0], source))
        single = self._single(tree)
        if isinstance(single, lang.Constant):
            raise ProgramError("a value alone is no answer")
        return single

    def _single(self, tree: Tree, *, ordered: bool = False) -> lang.Single:
        """An answer of one value; where it is to be compared, what a text amounts to."""
        name, parts = tree.name, tree.parts
        if name in _NUMBERS:
            return lang.Constant(_NUMBERS[name])
        if name == "number":
            number = self._asked.number(parts[0].action.number)
            if number is None:
                raise ProgramError("a date is no number")
            return lang.Constant(number)
        if name == "text":
            return lang.Constant(self._asked.mention_text(parts[0].action.number))
        if name in _OPERATIONS:
            left, right = (self._single(part, ordered=True) for part in parts)
            return lang.Combination(_OPERATIONS[name], left, right)
        return self._made_of_rows(tree, ordered=ordered)

    def _made_of_rows(self, tree: Tree, *, ordered: bool) -> lang.Single:
        name, parts, source = tree.name, tree.parts, self._source(tree)
        if name == "cells":
            return lang.Cells((self._term(parts[0], ordered=ordered),), self._rows(parts[1], source))
        if name == "measures":
            return lang.Cells((lang.Measure(),), self._groups(parts[0], source))
        if name == "count groups":
            return lang.Aggregate(Aggregation.COUNT, None, self._groups(parts[0], source))
        if name.endswith(" of measures"):
            aggregation = _AGGREGATIONS[name.removesuffix(" of measures")]
            return lang.Aggregate(aggregation, lang.Measure(), self._groups(parts[0], source))
        if name in _AGGREGATIONS:
            term = self._measured(_AGGREGATIONS[name], parts[:-1])
            return lang.Aggregate(_AGGREGATIONS[name], term, self._rows(parts[-1], source))
        raise ProgramError(f"'{name}' gives no answer")

    def _measured(self, aggregation: Aggregation, terms: Sequence[Tree]) -> lang.Term | None:
        if not terms:
            return None
        return self._term(terms[0], ordered=aggregation is not Aggregation.COUNT_DISTINCT)

    # Rows.

    def _rows(self, tree: Tree, source: lang.Source) -> lang.Rows:
        known = self._known.get((tree, source))
        if known is None:
            known = self._known[tree, source] = self._new_rows(tree, source)
        return known

    def _new_rows(self, tree: Tree, source: lang.Source) -> lang.Rows:
        name, parts = tree.name, tree.parts
        if name == "all":
            return lang.All(source)
        rows = self._rows(parts[-1], source)
        if name == "where":
            condition = self._condition(parts[0])
            if condition in _conditions(rows):
                raise ProgramError("a condition is said twice")
            return lang.Where(rows, condition)
        if name in _STEPS:
            return lang.Beside(_STEPS[name], rows)
        end = name.split()[-1]
        direction = Direction.LARGEST if end in _LARGEST else Direction.SMALLEST
        by = self._term(parts[-2], ordered=True) if end in ("largest", "smallest") else None
        return lang.Extreme(direction, by, rows, **self._how_many(name, parts))

    def _how_many(self, name: str, parts: Sequence[Tree]) -> dict[str, int]:
        if not name.startswith(("n ", "nth ")):
            return {}
        return {"nth" if name.startswith("nth ") else "count": self._count(parts[0])}

    def _count(self, tree: Tree) -> int:
        number = _NUMBERS[tree.name] if tree.name else self._asked.number(tree.action.number)
        if number is None or number != int(number):
            raise ProgramError("only whole numbers say how many")
        return int(number)

    def _groups(self, tree: Tree, source: lang.Source) -> lang.Rows:
        name, parts = tree.name, tree.parts
        if name.endswith(" by"):
            aggregation = _AGGREGATIONS[name.removesuffix(" by")]
            measured = self._measured(aggregation, parts[1:-1])
            return lang.All(
                lang.Groups(self._term(parts[0]), aggregation, measured, self._rows(parts[-1], source))
            )
        groups = self._groups(parts[-1], source)
        if name.startswith("measure "):
            comparison = _COMPARISONS[name.removeprefix("measure ")]
            return lang.Where(groups, lang.Compare(lang.Measure(), comparison, self._single(parts[0])))
        direction = Direction.LARGEST if name.split()[-1] in _LARGEST else Direction.SMALLEST
        return lang.Extreme(direction, lang.Measure(), groups, **self._how_many(name, parts))

    def _grouped_by(self, tree: Tree) -> lang.Term:
        while not tree.name.endswith(" by"):
            tree = tree.parts[-1]
        return self._term(tree.parts[0])

    # Conditions.

    def _condition(self, tree: Tree) -> lang.Condition:
        name, parts = tree.name, tree.parts
        if name in ("is", "is not"):
            return self._named(parts, negated=name == "is not")
        if name in _COMPARISONS:
            return self._there(
                self._asked.compared(_COMPARISONS[name], parts[0].action.number, self._place(parts[1]))
            )
        if name == "between":
            low, high = (part.action.number for part in parts[:2])
            return self._there(self._asked.within(low, high, self._place(parts[2])))
        if name.startswith("than "):
            return self._than(_COMPARISONS[name.removeprefix("than ")], parts)
        if name.startswith("other "):
            comparison = _COMPARISONS[name.removeprefix("other ")]
            return lang.Compare(self._term(parts[0]), comparison, self._term(parts[1]))
        if name in ("missing", "present"):
            missing = lang.Missing(self._term(parts[0]))
            return missing if name == "missing" else lang.Not(missing)
        inner = tuple(map(self._condition, parts))
        return lang.Not(inner[0]) if name == "not" else (lang.And if name == "and" else lang.Or)(inner)

    def _than(self, comparison: Comparison, parts: Sequence[Tree]) -> lang.Condition:
        ordered = comparison in _OF_ORDER
        operand = self._single(parts[1], ordered=ordered)
        if not ordered and isinstance(operand, lang.Constant) and not parts[0].name:
            operand = lang.Constant(self._asked.spelled_as(operand.value, self._place(parts[0])))
        return lang.Compare(self._term(parts[0], ordered=ordered), comparison, operand)

    def _named(self, parts: Sequence[Tree], *, negated: bool) -> lang.Condition:
        condition = self._asked.named.get((parts[0].action.number, parts[1].action.number))
        found = self._there(condition)
        if not negated:
            return found
        if isinstance(found, lang.Compare) and found.comparison is Comparison.EQUAL:
            return lang.Compare(found.term, Comparison.DIFFERS, found.operand)
        return lang.Not(found)

    def _there(self, condition: lang.Condition | None) -> lang.Condition:
        if condition is None:
            raise ProgramError("the value does not compare with the field")
        return condition

    # Terms.

    def _term(self, tree: Tree, *, ordered: bool = False) -> lang.Term:
        name = tree.name
        if not name:
            return self._asked.term(self._place(tree), ordered)
        if name.endswith(" of fields"):
            left, right = (self._term(part, ordered=True) for part in tree.parts)
            return lang.Arithmetic(_OPERATIONS[name.removesuffix(" of fields")], left, right)
        return lang.PartOf(Part(name), self._asked.term(self._place(tree.parts[0]), ordered=True))

    def _place(self, tree: Tree) -> Place:
        place = self._asked.places[tree.action.number]
        if place is None:
            raise ProgramError("the order of rows is no field")
        return place

    # Sources.

    def _source(self, tree: Tree) -> lang.Source:
        """What rows come from: a table, and with it those whose fields are used beside its own."""
        if len(self._asked.tables) == 1:
            return None
        main = next((part.action.number for part in _scope(tree) if part.action.pool is Pool.TABLE), None)
        if main is None:
            raise ProgramError(f"'{tree.name}' is about no table")
        used = dict.fromkeys(
            self._place(part).table for part in _scope(tree) if part.action.pool is Pool.FIELD
        )
        source: lang.Source = self._asked.tables[main].name
        for other in used:
            if other != main:
                join = self._asked.join(main, other)
                if join is None:
                    raise ProgramError("the tables share no values")
                source = lang.Join(source, join.right, join.on)
        return source


def _conditions(rows: lang.Rows) -> Iterator[lang.Condition]:
    """The conditions that rows fulfil, the last first."""
    while isinstance(rows, lang.Where):
        yield rows.condition
        rows = rows.rows


def _scope(tree: Tree) -> Iterator[Tree]:
    """All parts of an answer but those of answers within it."""
    for part in tree.parts:
        yield part
        if Symbol.SINGLE not in _homes(part):
            yield from _scope(part)


def _homes(tree: Tree) -> frozenset[Symbol]:
    return PRODUCTIONS[tree.action.number].homes if tree.name else frozenset()
