"""The logical forms of the paper as programs, and the SQL-like text in which its data sets write them.

The four kinds, SELECT_WHERE, SUPERLATIVE, WHERE_SUPERLATIVE and NEST, are::

    select #_participants, where host_city = Beijing
    argmax(host_city, year)
    where #_participants < 3,000, argmax(#_duration, #_medals)
    where year < (select year, where host_city = Athens), argmax(host_country, #_duration)

Further conditions follow with ``and``; a nested form may also select without a superlative::

    where continent = Asia and year > 1980, argmax(host_city, year)
    select host_city, where year > (select year, where host_city = Athens) and host_city <> Athens

Names and values are single words; those that are not, or that could be mistaken for a keyword or a number,
stand in double quotes; `paper_parsing.py` reads them. What the paper has no form for is a ProgramError.
"""

import datetime
import enum
import functools
import re
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeGuard

from neural_enquirer.programs import language as lang
from neural_enquirer.programs.execution import run
from neural_enquirer.programs.language import Comparison, Direction, ProgramError
from neural_enquirer.programs.result import Cell
from neural_enquirer.programs.text import read_value, to_text
from neural_enquirer.programs.trees import is_table
from neural_enquirer.tables import Table, Value


class Shape(enum.Enum):
    """The kinds of questions that the paper tells apart."""

    SELECT_WHERE = "select_where"
    SUPERLATIVE = "superlative"
    WHERE_SUPERLATIVE = "where_superlative"
    NEST = "nest"


# The forms. Conditions may be any of those below; a comparison with a named row makes a form a nested one.


def select_where(select: str, *conditions: lang.Compare) -> lang.Cells:
    """``select A, where B = v``: a field of the row that fulfils the conditions."""
    return lang.Cells((_field(select),), _rows(conditions))


def superlative(select: str, direction: Direction, by: str, *conditions: lang.Compare) -> lang.Cells:
    """``where C < v, argmax(A, B)``: a field of the extreme row among those that fulfil the conditions."""
    return lang.Cells((_field(select),), lang.Extreme(direction, _field(by), _rows(conditions)))


def condition(field: str, comparison: Comparison, value: Value) -> lang.Compare:
    """``B = v``: a field compared with a value that the question names."""
    return lang.Compare(_field(field), comparison, lang.Constant(value))


@functools.lru_cache(maxsize=1 << 14)
def spelled(field: str, comparison: Comparison, word: str) -> lang.Compare:
    """A condition on the value that a word stands for, which keeps the word as it is written."""
    value = _read_value(word)
    return lang.Compare(
        _field(field), comparison, lang.Constant(value, None if isinstance(value, str) else word)
    )


def against(field: str, comparison: Comparison, named: lang.Compare) -> lang.Compare:
    """``C < (select C, where D = v)``: a field compared with that of the one row that a condition names."""
    return lang.Compare(_field(field), comparison, select_where(field, named))


@functools.lru_cache(maxsize=1 << 14)
def _field(name: str) -> lang.Field:
    return lang.Field(name)


def _rows(conditions: tuple[lang.Compare, ...]) -> lang.Rows:
    match conditions:
        case ():
            return _ALL
        case (only,):
            return lang.Where(_ALL, only)
    return lang.Where(_ALL, lang.And(conditions))


_ALL: Final = lang.All()


def over(program: lang.Cells, tables: Sequence[Table]) -> lang.Cells:
    """A form as it is asked of its tables: of two, a select joins them where it needs both.

    The field that both tables have is taken from where the other one stands: that needs no join.

    Raises:
        ProgramError: if the form and the tables do not go together.
    """
    if len(tables) == 1:
        return program
    select, extreme, conditions = parts(program)
    if len(tables) != 2:
        raise ProgramError(f"a logical form is asked of one table or two, not of {len(tables)}")
    if extreme is not None or len(conditions) != 1 or named_by(conditions[0]) is not None:
        raise ProgramError(f"two tables are only asked to select by one condition, not {to_text(program)}")
    names = [table.field_names for table in tables]
    shared = [name for name in names[0] if name in names[1]]
    if len(shared) != 1:
        raise ProgramError(f"two tables are joined by the one field they share; these share {len(shared)}")
    (plain,) = conditions
    name = field_name(plain.term)
    answering, conditional = _homes(select, name, tables)
    if answering == conditional:
        return lang.Cells((lang.Field(select),), lang.Where(lang.All(answering), plain))
    on = lang.Field(shared[0], answering), lang.Field(shared[0], conditional)
    given = lang.Compare(lang.Field(name, conditional), plain.comparison, plain.operand)
    return lang.Cells(
        (lang.Field(select, answering),),
        lang.Where(lang.All(lang.Join(answering, conditional, (on,))), given),
    )


def _homes(select: str, conditional: str, tables: Sequence[Table]) -> tuple[str, str]:
    """The tables of the selected field and of the condition's; the same where one table has both."""
    homes = []
    for name in (select, conditional):
        homes.append([table.name for table in tables if name in table.field_names])
        if not homes[-1]:
            raise ProgramError(f"no table has the field '{name}'")
    common = [name for name in homes[0] if name in homes[1]]
    return (common[0], common[0]) if common else (homes[0][0], homes[1][0])


# What the task needs to know of a form.


class Parts(NamedTuple):
    """A form taken apart."""

    select: str
    extreme: lang.Extreme | None
    conditions: tuple[lang.Compare, ...]
    """Of these, the first alone may compare with a named row."""


def parts(program: lang.Program) -> Parts:
    """Takes a form apart.

    Raises:
        ProgramError: if the paper has no such form.
    """
    # Data sets are drawn by the hundred thousand, and matching patterns would take several times as long.
    if isinstance(program, lang.Cells) and len(program.terms) == 1 and not program.distinct:
        select, rows, extreme = program.terms[0], program.rows, None
        if isinstance(rows, lang.Extreme) and isinstance(rows.by, lang.Field) and rows.nth == rows.count == 1:
            extreme, rows = rows, rows.rows
        conditions = _conditions(rows)
        if isinstance(select, lang.Field) and conditions is not None and (conditions or extreme):
            return Parts(select.name, extreme, conditions)
    raise ProgramError(f"the paper has no logical form for {to_text(program)}")


def _conditions(rows: lang.Rows) -> tuple[lang.Compare, ...] | None:
    """The conditions that rows fulfil, all on values but for the first, which may name a row.

    None where the paper has none such.
    """
    if is_table(rows):
        return ()
    if isinstance(rows, lang.Where) and is_table(rows.rows):
        first, *others = rows.condition.parts if isinstance(rows.condition, lang.And) else (rows.condition,)
        known = [each for each in others if _is_plain(each)]
        if len(known) == len(others) and (_is_plain(first) or named_by(first) is not None):
            assert isinstance(first, lang.Compare)
            return (first, *known)
    return None


def _is_plain(condition: lang.Condition) -> TypeGuard[lang.Compare]:
    return (
        isinstance(condition, lang.Compare)
        and isinstance(condition.operand, lang.Constant)
        and isinstance(condition.term, lang.Field)
        and condition.comparison in _COMPARISONS
    )


def named_by(condition: lang.Condition) -> lang.Compare | None:
    """The condition that names the row to compare with; None if a condition compares with a value."""
    if not isinstance(condition, lang.Compare) or condition.comparison not in _COMPARISONS:
        return None
    field, inner = condition.term, condition.operand
    if not isinstance(field, lang.Field) or not isinstance(inner, lang.Cells) or inner.distinct:
        return None
    if inner.terms != (field,) or not isinstance(inner.rows, lang.Where) or not is_table(inner.rows.rows):
        return None
    return inner.rows.condition if _is_plain(inner.rows.condition) else None


_COMPARISONS: Final = (Comparison.EQUAL, Comparison.LESS, Comparison.MORE, Comparison.DIFFERS)


def shape(program: lang.Program) -> Shape:
    """Which of the paper's kinds a form is."""
    _, extreme, conditions = parts(program)
    if conditions and named_by(conditions[0]) is not None:
        return Shape.NEST
    if extreme is None:
        return Shape.SELECT_WHERE
    return Shape.WHERE_SUPERLATIVE if conditions else Shape.SUPERLATIVE


def steps(program: lang.Program) -> tuple[str, ...]:
    """The fields that a form reads, in the order in which it does so; the answer's is the last."""
    select, extreme, conditions = parts(program)
    read: list[str] = []
    for each in conditions:
        named = named_by(each)
        field = field_name(each.term)
        read += [field] if named is None else [field_name(named.term), field, field]
    if extreme is not None:
        read.append(field_name(extreme.by))
    return (*read, select)


def field_name(term: lang.Term | None) -> str:
    """The name of the field that a form has in a place, which is always one."""
    assert isinstance(term, lang.Field)
    return term.name


def said_value(condition: lang.Compare) -> str:
    """The value that a condition names, as the question spells it."""
    assert isinstance(condition.operand, lang.Constant)
    return condition.operand.spelling or str(condition.operand.value)


def the_cell(program: lang.Program, tables: Sequence[Table]) -> Cell:
    """The one cell that answers a form.

    Raises:
        ProgramError: if none or several do, or the row that others are compared with is not one.
    """
    for each in parts(program).conditions:
        if isinstance(each.operand, lang.Cells):
            the_cell(each.operand, tables)
    cells = run(program, tables).cells
    if len(cells) != 1:
        raise ProgramError(f"{len(cells) or 'no'} cells answer {to_text(program)}")
    return cells[0]


# The text.


_KEYWORDS: Final = {"select", "where", "and", "argmax", "argmin"}
SUPERLATIVES: Final = {Direction.LARGEST: "argmax", Direction.SMALLEST: "argmin"}
_GROUPED = re.compile(r"-?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?(e[+-]?[0-9]+)?")
_PLAIN = re.compile(r'[^\s(),<>="]+')


def to_paper_text(program: lang.Program) -> str:
    """The SQL-like text of a form; it does not say which table a field is of."""
    name, extreme, conditions = parts(program)
    select, where = _word(name), " and ".join(map(_condition_text, conditions))
    if extreme is None:
        return f"select {select}, where {where}"
    superlative = f"{SUPERLATIVES[extreme.direction]}({select}, {_word(field_name(extreme.by))})"
    return f"where {where}, {superlative}" if where else superlative


def _condition_text(part: lang.Compare) -> str:
    field, value = _word(field_name(part.term)), part.operand
    if isinstance(value, lang.Constant):
        return f"{field} {part.comparison.value} {value.spelling or _value_text(value.value)}"
    named = named_by(part)
    assert named is not None  # The paper has no other condition.
    return f"{field} {part.comparison.value} (select {field}, where {_condition_text(named)})"


@functools.lru_cache(maxsize=4096)
def _word(name: str) -> str:
    """The word that stands for a name, in quotes where it could be mistaken for something else."""
    plain = _PLAIN.fullmatch(name) and name.lower() not in _KEYWORDS
    return name if plain else _quoted(name)


def _value_text(value: Value) -> str:
    """The word that stands for a value; text that would be read as something else is quoted."""
    if isinstance(value, str):
        return _word(value) if isinstance(_read_value(value), str) else _quoted(value)
    return value.isoformat() if isinstance(value, datetime.date) else repr(value)


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _read_value(word: str) -> Value:
    """The value that an unquoted word stands for; numbers may have thousands separators."""
    return read_value(word.replace(",", "") if _GROUPED.fullmatch(word) else word)
