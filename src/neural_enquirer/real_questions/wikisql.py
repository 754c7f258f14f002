"""WikiSQL as it is published: `<split>.jsonl` with questions and queries, `<split>.tables.jsonl` with tables.

The answers are what the queries give: texts are compared without case, numbers as numbers. They are computed
here from the tables themselves; the `.db` files are not needed.
"""

import json
import operator
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from neural_enquirer.real_questions.denotation import CellFinder, cell_key
from neural_enquirer.real_questions.example import Condition, RealDataError, RealExample, SqlQuery
from neural_enquirer.real_questions.files import json_lines, table_of
from neural_enquirer.real_questions.simple_format import COMPUTED
from neural_enquirer.tables import spelling
from neural_enquirer.tables.measures import number

_AGGREGATIONS = ("none", "max", "min", "count", "sum", "avg")
_OPERATORS = ("=", ">", "<")
_COMPARE: Mapping[str, Callable[[Any, Any], bool]] = {"=": operator.eq, ">": operator.gt, "<": operator.lt}

Cell = str | int | float
Rows = Sequence[Sequence[Cell]]


def read(folder: Path, split: str) -> list[RealExample]:
    """Reads the questions of a split in the order of their file."""
    path = folder / f"{split}.tables.jsonl"
    if not path.is_file():
        raise RealDataError(f"{path} is missing: it belongs to {split}.jsonl")
    raw = {record["id"]: record for record in json_lines(path, ("id", "header", "rows"))}
    tables, finders = {}, {}
    examples = []
    for i, record in enumerate(json_lines(folder / f"{split}.jsonl", ("table_id", "question", "sql"))):
        name = record["table_id"]
        if name not in raw:
            raise RealDataError(f"{path} does not have the table {name} of question {i}")
        if name not in tables:
            tables[name] = table_of(raw[name]["header"], raw[name]["rows"], name)
            finders[name] = CellFinder(tables[name], cell_key)
        query = _query(record["sql"])
        selected = execute(query, raw[name]["rows"])
        answers = tuple(map(spelling, aggregated(query.aggregation, selected)))
        computed = query.aggregation in COMPUTED
        examples.append(
            RealExample(
                id=f"{split}-{i}",
                table=tables[name],
                question=record["question"],
                answers=answers,
                cells=None if computed else finders[name].cells(answers),
                one_cell=_is_one_cell(query.aggregation, selected),
                query=query,
            )
        )
    return examples


def execute(query: SqlQuery, rows: Rows) -> list[Cell]:
    """Returns the selected cells of all rows that satisfy every condition."""
    return [
        row[query.select]
        for row in rows
        if all(_holds(row[condition.column], condition) for condition in query.where)
    ]


def aggregated(aggregation: str, cells: Sequence[Cell]) -> list[Cell]:
    """Returns the result of a query: the cells, or what is computed from their numbers."""
    if aggregation == "none":
        return list(cells)
    if aggregation == "count":
        return [len(cells)]
    numbers = [amount for cell in cells if (amount := _number(cell)) is not None]
    if len(numbers) < len(cells) and aggregation in ("max", "min"):
        texts = [str(cell).lower() for cell in cells]
        return [max(texts) if aggregation == "max" else min(texts)]
    if not numbers:
        return []
    if aggregation in ("max", "min"):
        return [max(numbers) if aggregation == "max" else min(numbers)]
    total = sum(numbers)
    return [round(total / len(numbers) if aggregation == "avg" else total, 6)]


def _is_one_cell(aggregation: str, selected: Sequence[Cell]) -> bool:
    if aggregation in COMPUTED:
        return False
    keys = [cell_key(spelling(cell)) for cell in selected]
    wanted = aggregated(aggregation, selected)
    return len(wanted) == 1 and keys.count(cell_key(spelling(wanted[0]))) == 1


def _holds(cell: Cell, condition: Condition) -> bool:
    one, other = _number(cell), _number(condition.value)
    compare = _COMPARE[condition.operator]
    if one is not None and other is not None:
        return compare(one, other)
    return compare(spelling(cell).strip().lower(), condition.value.strip().lower())


def _number(cell: Cell) -> int | float | None:
    return number(cell.strip()) if isinstance(cell, str) else cell


def _query(sql: Mapping[str, Any]) -> SqlQuery:
    try:
        where = tuple(
            Condition(column, _OPERATORS[comparison], spelling(value))
            for column, comparison, value in sql["conds"]
        )
        return SqlQuery(sql["sel"], _AGGREGATIONS[sql["agg"]], where)
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise RealDataError(f"{json.dumps(sql)[:80]} is not a query of WikiSQL") from error
