"""Whatever the program, its sentence is well made, leaves nothing out, and counts what the answer counts."""

import datetime
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from hypothesis import HealthCheck, given, settings
from strategies import programs_and_tables

from neural_enquirer.programs import Program, ProgramError, Result, run
from neural_enquirer.programs.language import Aggregate, Aggregation, Constant, Field, Groups, Join, Measure
from neural_enquirer.programs.spoken import sentence
from neural_enquirer.programs.spoken import values as spoken
from neural_enquirer.tables import Table


def _parts(node: Any) -> Iterator[Any]:
    """All nodes of a program."""
    yield node
    children = [getattr(node, each.name) for each in fields(node)] if is_dataclass(node) else node
    if isinstance(children, list | tuple):
        for child in children:
            yield from _parts(child)


def _read(program: Program) -> list[Any]:
    """The parts that matter: what is measured of groups does where the measure is asked for."""
    parts = list(_parts(program))
    groups = [part for part in parts if isinstance(part, Groups)]
    hidden = [each.term for each in groups if Measure() not in parts or len(set(groups)) > 1]
    unread = {id(part) for term in hidden for part in _parts(term)}
    return [part for part in parts if id(part) not in unread]


def _spellings(constant: Constant) -> set[str]:
    """How a value may be written."""
    value = constant.value
    if isinstance(value, str):
        return {spoken.text(value), spoken.quoted(value)}
    if isinstance(value, datetime.date):
        return {spoken.date(value)}
    months = {spoken.MONTHS[int(value) - 1]} if value in range(1, 13) else set()
    return {spoken.number(value), spoken.number(value, in_groups=False), repr(value)} | months


def _without_quotes(text: str, program: Program, tables: list[Table]) -> str:
    """A sentence with an x for each name and value that stands in quotes."""
    names = {part.name for part in _parts(program) if isinstance(part, Field)}
    names |= {table.name for table in tables}
    cells = {cell for table in tables for column in table.columns for cell in column if isinstance(cell, str)}
    values = {part.value for part in _parts(program) if isinstance(part, Constant)}
    texts = names | cells | {value for value in values if isinstance(value, str)}
    for each in sorted((spoken.quoted(each) for each in texts), key=len, reverse=True):
        text = text.replace(each, "x")
    return text


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs_and_tables())
def test_sentence_of_any_program(drawn: tuple[list[Table], Program]) -> None:
    tables, program = drawn
    try:
        result = run(program, tables)
    except ProgramError:  # one value is needed, and several rows have one
        return
    text = sentence(program, result, tables)
    _check_form(text, _without_quotes(text, program, tables))
    _check_mentions(text, program)
    if isinstance(program, Aggregate) and program.aggregation is Aggregation.COUNT:
        _check_count(text, result)


def _check_form(text: str, bare: str) -> None:
    assert text == " ".join(text.split())
    assert text.endswith(".")
    assert not text.endswith("..")
    assert text[0].isupper() or text[0].isdigit() or text[0] in "“-"
    assert not set("“”") & set(bare)
    assert not re.search(r"\bNone\b|\b(Field|Constant|Decimal|datetime)\b|<|\[|, ,|\(\)| [,.)]|\( ", bare)
    assert bare.count("(") == bare.count(")")


def _check_mentions(text: str, program: Program) -> None:
    for part in _read(program):
        if isinstance(part, Field):
            assert spoken.name(part.name) in text
        if isinstance(part, Constant):
            assert any(spelled in text for spelled in _spellings(part))
        if isinstance(part, Join):
            assert spoken.name(part.right) in text


def _check_count(text: str, result: Result) -> None:
    """The rows that the sentence counts are as many as the answer says."""
    (count,) = result.values
    if count in (0, 1):
        assert text.startswith("There is no " if count == 0 else "There is only ")
    elif count == 2 and text.startswith("Counted both "):
        return
    else:
        first = re.match(r"Counted (?:all |the |first |last )*([\d,]+)", text)
        ties = re.search(r", and ([\d,]+) more that ties?\.$", text)
        assert first is not None
        assert sum(int(match[1].replace(",", "")) for match in (first, ties) if match) == count
