"""Runs programs in memory, exactly, over the typed columns of tables."""

import datetime
import functools
import operator
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, assert_never

import numpy as np

from neural_enquirer.programs import language as lang
from neural_enquirer.programs.aggregation import aggregate, grouped
from neural_enquirer.programs.conditions import Truth, compare_columns, compare_value, holds, with_each
from neural_enquirer.programs.frames import CellBlock, GroupFrame, RowSet, TableFrame, column_of, joined
from neural_enquirer.programs.language import Comparison, Operation, ProgramError
from neural_enquirer.programs.picking import at_end, beside, extreme, first_of_each, groups_of
from neural_enquirer.programs.result import Result, StepRows
from neural_enquirer.programs.types import GroupScope, check, scope_of
from neural_enquirer.tables import Table, Value
from neural_enquirer.tables.arrays import Column, Exact, date_key, exact, plain


def run(program: lang.Program, tables: Sequence[Table]) -> Result:
    """Runs a program.

    Raises:
        ProgramError: if the program and the tables do not go together, or one value is needed and several
            rows have one.
    """
    return Runner(tables).run(program)


class Runner:
    """Runs programs over the same tables; rows that several programs ask for are found once."""

    def __init__(self, tables: Sequence[Table], known: Sequence[StepRows] = ()) -> None:
        """Takes the tables, which must not change, and rows that were found before.

        Results tell of these as single steps.
        """
        self._tables = tables
        self._steps: list[StepRows] = []
        self._frames: dict[lang.Source, TableFrame | GroupFrame] = {}
        self._found: dict[lang.Rows, tuple[StepRows, ...]] = {
            each.step: (each,) for each in known if isinstance(each.rows.frame, TableFrame)
        }

    def run(self, program: lang.Program) -> Result:
        """Runs a program.

        Raises:
            ProgramError: as above.
        """
        check(program, self._tables)
        self._steps = []
        for groups in [source for source in self._frames if isinstance(source, lang.Groups)]:
            del self._frames[groups]  # they are made by steps of each program's own
        match program:
            case lang.Cells():
                return self._cells(program)
            case lang.Exists(rows):
                found = self._rows(rows)
                return self._done([_yes(len(found) > 0)], self._evidence(found, rows))
            case lang.Holds(left, comparison, right):
                return self._holds(left, comparison, right)
            case _:
                value, blocks = self._value(program)
                return self._done([] if value is None else [plain(value)], blocks)

    def _done(self, values: Sequence[Value], blocks: Sequence[CellBlock], verbatim: bool = False) -> Result:
        return Result(tuple(values), tuple(self._steps), tuple(blocks), verbatim)

    # Answers.

    def _cells(self, program: lang.Cells) -> Result:
        found = self._rows(program.rows)
        columns = [column_of(term, found) for term in program.terms]
        there = functools.reduce(operator.and_, [column.present for column in columns])
        if program.distinct:
            there = there & first_of_each(columns, there)
        found = found.kept(there)
        blocks = found.blocks(program.terms)
        are_fields = all(isinstance(term, lang.Field) for term in program.terms)
        verbatim = isinstance(found.frame, TableFrame) and are_fields and len(blocks) == len(program.terms)
        listed: list[list[Any]]
        if verbatim:
            cells = [self._tables[block.table].columns[block.column] for block in blocks]
            listed = [
                [own[row] for row in block.rows.tolist()] for own, block in zip(cells, blocks, strict=True)
            ]
        else:
            listed = [[plain(column.exact_of(key)) for key in column.keys[there]] for column in columns]
        return self._done([value for row in zip(*listed, strict=True) for value in row], blocks, verbatim)

    def _holds(self, left: lang.Single, comparison: Comparison, right: lang.Single | lang.OneOf) -> Result:
        first, blocks = self._value(left)
        found = [self._value(each) for each in (right.values if isinstance(right, lang.OneOf) else (right,))]
        blocks = [*blocks, *(block for _, more in found for block in more)]
        others = [other for other, _ in found if other is not None]
        if first is None or not others:
            return self._done([], blocks)
        truths = [holds(first, comparison, other) for other in others]
        answer = all(truths) if comparison is Comparison.DIFFERS else any(truths)
        return self._done([_yes(answer)], blocks)

    def _value(self, single: lang.Single) -> tuple[Exact | None, list[CellBlock]]:
        """One value, None where it is missing, and the cells that it is made of."""
        match single:
            case lang.Constant(value):
                return exact(value), []
            case lang.Cells(terms, rows, distinct):
                found = self._rows(rows)
                values = self._values(terms[0], found, distinct)
                if len(values) > 1:
                    raise ProgramError(f"one value is needed, but {len(values)} rows have one")
                return values[0] if values else None, found.blocks(terms)
            case lang.Aggregate(_, None, rows):
                found = self._rows(rows)
                return Fraction(len(found)), self._evidence(found, rows)
            case lang.Aggregate(aggregation, term, rows):
                assert term is not None
                found = self._rows(rows)
                column = column_of(term, found)
                return aggregate(aggregation, column), found.kept(column.present).blocks((term,))
            case lang.Combination(operation, left, right):
                (one, first), (other, second) = self._value(left), self._value(right)
                if one is None or other is None:
                    return None, [*first, *second]
                return _combined(operation, one, other), [*first, *second]
        assert_never(single)

    def _values(self, term: lang.Term, rows: RowSet, distinct: bool = False) -> list[Exact]:
        """All values of a term that are there."""
        column = column_of(term, rows)
        keys = column.keys[column.present]
        if distinct:
            keys = np.unique(keys)
        return [column.exact_of(key) for key in keys]

    def _evidence(self, found: RowSet, rows: lang.Rows) -> list[CellBlock]:
        """The cells that rows were found by: of conditions and superlatives, else the first field."""
        terms = list(dict.fromkeys(_read_by(rows)))
        if not terms and isinstance(found.frame, TableFrame):
            table = self._tables[found.frame.scope.members[0]]
            terms = [lang.Field(table.field_names[0], table.name)]
        return found.blocks(terms)

    # Rows.

    def _rows(self, rows: lang.Rows) -> RowSet:
        """The rows that are asked for; the steps that lead to them are noted."""
        known = self._found.get(rows)
        if known is not None:
            self._steps += known
            return known[-1].rows
        first = len(self._steps)
        found = self._new_rows(rows)
        self._steps.append(StepRows(rows, found))
        own = tuple(self._steps[first:])
        if all(isinstance(step.rows.frame, TableFrame) for step in own):
            self._found[rows] = own
        return found

    def _new_rows(self, rows: lang.Rows) -> RowSet:
        match rows:
            case lang.All(source):
                found = RowSet.all_of(self._frame(source))
            case lang.Where(inner, condition):
                below = self._rows(inner)
                found = below.kept(self._truth(condition, below).yes)
            case lang.Extreme(direction, by, inner, nth, count):
                found = self._rows(inner)
                if by is None:
                    found = found.at(at_end(found.index, direction, nth, count))
                else:
                    found = found.at(found.index[extreme(column_of(by, found), direction, nth, count)])
            case lang.Beside(step, inner):
                found = self._rows(inner)
                found = found.at(beside(step, found.index, len(found.frame)))
        return found

    def _frame(self, source: lang.Source) -> TableFrame | GroupFrame:
        """The rows to choose from."""
        if source not in self._frames:
            scope = scope_of(lang.All(source), self._tables)
            if isinstance(scope, GroupScope):
                self._frames[source] = self._grouped(scope)
            elif isinstance(source, lang.Join):
                left = self._frame(source.left)
                assert isinstance(left, TableFrame)
                self._frames[source] = joined(left, source, scope)
            else:
                self._frames[source] = TableFrame.of(scope)
        return self._frames[source]

    def _grouped(self, scope: GroupScope) -> GroupFrame:
        groups = scope.groups
        rows = self._rows(groups.rows)
        by = column_of(groups.by, rows)
        first, group = groups_of(by)
        there = np.flatnonzero(by.present)
        column = None if groups.term is None else column_of(groups.term, rows)
        if column is not None and len(there) < len(column):
            column = column.take(there)
        measure = grouped(groups.aggregation, column, group[there], len(first))
        return GroupFrame(scope, by.take(first), measure, rows, group)

    # Conditions.

    def _truth(self, condition: lang.Condition, rows: RowSet) -> Truth:
        match condition:
            case lang.Compare(term, comparison, operand):
                return self._compared(column_of(term, rows), comparison, operand, rows)
            case lang.Between(term, low, high):
                column = column_of(term, rows)
                least = compare_value(column, Comparison.AT_LEAST, exact(low.value))
                return least & compare_value(column, Comparison.AT_MOST, exact(high.value))
            case lang.Missing(term):
                present = column_of(term, rows).present
                return Truth(~present, present)
            case lang.Not(part):
                return ~self._truth(part, rows)
            case lang.And(parts) | lang.Or(parts):
                together = operator.and_ if isinstance(condition, lang.And) else operator.or_
                return functools.reduce(together, [self._truth(part, rows) for part in parts])
        assert_never(condition)

    def _compared(self, column: Column, comparison: Comparison, operand: lang.Operand, rows: RowSet) -> Truth:
        match operand:
            case lang.Constant(value):
                return compare_value(column, comparison, exact(value))
            case lang.OneOf(values):
                return with_each(column, comparison, [exact(each.value) for each in values])
            case lang.Cells(terms, inner):
                return with_each(column, comparison, self._values(terms[0], self._rows(inner), distinct=True))
            case lang.Aggregate() | lang.Combination():
                single, _ = self._value(operand)
                return Truth.unknown(column) if single is None else compare_value(column, comparison, single)
        return compare_columns(column, comparison, column_of(operand, rows))


def _combined(operation: Operation, left: Exact, right: Exact) -> Exact | None:
    """Two values taken together, dates by their days; None where one would be divided by zero."""
    one, other = (
        Fraction(date_key(each, timed=False)) if isinstance(each, datetime.date) else each
        for each in (left, right)
    )
    assert isinstance(one, Fraction)
    assert isinstance(other, Fraction)
    if not operation.of_ratio:
        return Fraction(operation.make(one, other))
    factor = 100 if operation is Operation.PERCENTAGE else 1
    return factor * one / other if other else None


def _read_by(rows: lang.Rows) -> list[lang.Term]:
    """The terms that conditions and superlatives of rows look at."""
    match rows:
        case lang.Where(inner, condition):
            return [*_read_by(inner), *_compared_terms(condition)]
        case lang.Extreme(_, by, inner):
            return [*_read_by(inner), *([] if by is None else [by])]
    return []


def _compared_terms(condition: lang.Condition) -> list[lang.Term]:
    match condition:
        case lang.Compare(term, _, other) if isinstance(other, lang.RowTerm):
            return [term, other]
        case lang.Compare(term) | lang.Between(term) | lang.Missing(term):
            return [term]
        case lang.Not(part):
            return _compared_terms(part)
        case lang.And(parts) | lang.Or(parts):
            return [term for part in parts for term in _compared_terms(part)]
    return []


def _yes(truth: bool) -> str:
    return "yes" if truth else "no"
