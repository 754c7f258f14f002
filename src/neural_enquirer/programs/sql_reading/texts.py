"""What SQL's functions of text make of the cells of a column, so that a program can be held against it."""

import math
import re
from typing import Final

from sqlglot import exp

from neural_enquirer.programs.sql_reading.scope import refused
from neural_enquirer.tables import Value

TEXT_FUNCTIONS: Final = (
    exp.Cast,
    exp.Replace,
    exp.SplitPart,
    exp.RegexpExtract,
    exp.Substring,
    exp.Left,
    exp.Right,
    exp.Trim,
)
_NUMBER = re.compile(r"\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*", re.ASCII | re.IGNORECASE)


class CastError(ValueError):
    """SQL would fail on this cell."""


def cell_value(node: exp.Expr, cell: Value | None) -> Value | None:
    """What functions over one column give where the column's cell is this.

    Raises:
        CastError: where SQL would fail.
        ProgramError: where it is not known what they give.
    """
    if isinstance(node, exp.Column):
        return cell
    if not isinstance(node, TEXT_FUNCTIONS):
        raise refused("this function of text", node)
    value = cell_value(node.this, cell)
    if value is None:
        return None
    if isinstance(node, exp.Cast):
        return _cast(value, node)
    if not isinstance(value, str):
        raise refused("a text function of a number", node)
    return _text(node, value)


def _text(node: exp.Expr, text: str) -> str:
    match node:
        case exp.Replace():
            return text.replace(_word(node, "expression"), _word(node, "replacement", may_be_empty=True))
        case exp.SplitPart():
            parts, place = text.split(_word(node, "delimiter")), _count(node, "part_index")
            return parts[place - 1] if place <= len(parts) else ""
        case exp.RegexpExtract():
            match = re.search(_word(node, "expression"), text)
            group = _count(node, "group", least=0)
            return (match[group] or "") if match else ""
        case exp.Substring():
            start = _count(node, "start") - 1
            return text[start : start + _count(node, "length") if node.args.get("length") else None]
        case exp.Left():
            return text[: _count(node, "expression")]
        case exp.Right():
            return text[max(len(text) - _count(node, "expression"), 0) :]
    signs = _word(node, "expression") if node.args.get("expression") else " "
    strip = {"LEADING": str.lstrip, "TRAILING": str.rstrip}.get(node.args.get("position", ""), str.strip)
    return strip(text, signs)


def _word(node: exp.Expr, argument: str, may_be_empty: bool = False) -> str:
    """A text that a function is given."""
    value = node.args.get(argument)
    if not isinstance(value, exp.Literal) or not value.is_string or not (value.name or may_be_empty):
        raise refused("this function of text", node)
    return value.name


def _count(node: exp.Expr, argument: str, least: int = 1) -> int:
    """A whole number that a function is given."""
    value = node.args[argument]
    if not isinstance(value, exp.Literal) or not value.is_int or int(value.name) < least:
        raise refused("this function of text", node)
    return int(value.name)


def _cast(value: Value, node: exp.Cast) -> Value | None:
    to_text = node.is_type(*exp.DataType.TEXT_TYPES)
    if to_text and isinstance(value, str | int):
        return str(value)
    if to_text or not node.is_type(*exp.DataType.NUMERIC_TYPES) or not isinstance(value, str | int | float):
        raise refused("a value of this type", node)
    whole = node.is_type(*exp.DataType.INTEGER_TYPES)
    if not isinstance(value, str):
        return round(value) if whole else value
    if _NUMBER.fullmatch(value):
        number = float(value)
        # Of numbers that are written, halves go away from zero.
        return int(number + math.copysign(0.5, number)) if whole else number
    if isinstance(node, exp.TryCast):
        return None
    raise CastError(f"{value} is no number")


def like(text: str, pattern: str, ignore_case: bool = False) -> bool:
    """Whether a text is LIKE a pattern without `_`."""
    expression = ".*".join(map(re.escape, pattern.split("%")))
    return re.fullmatch(expression, text, re.DOTALL | (re.IGNORECASE if ignore_case else 0)) is not None
