"""Turns the SQL of everyday questions into programs and holds them against it.

    python -m benchmarks.everyday_programs DATA [--workers 2] [--show 3]

DATA has train/ and dev/, each with questions.jsonl (or .xz) and tables/, such as datasets/everyday. Every SQL
query becomes a program, which must give what DuckDB gives for the SQL over the typed table; so must the SQL
that the program is written as, and the program must survive its one-line text. Of rows that tie, SQL takes
any and a program takes all: there the SQL is run once more with all of them. Exits with 1 if fewer than 97 in
a hundred queries become programs that give the same.
"""

import argparse
import dataclasses
import datetime
import math
import multiprocessing
import sys
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import sqlglot
from rich.console import Console
from rich.progress import track
from sqlglot import exp

from neural_enquirer.programs.execution import run
from neural_enquirer.programs.language import Program, ProgramError
from neural_enquirer.programs.parsing import parse
from neural_enquirer.programs.sql import to_sql
from neural_enquirer.programs.sql_reading import from_sql
from neural_enquirer.programs.text import to_text
from neural_enquirer.real_questions.everyday import read_everyday
from neural_enquirer.real_questions.everyday.scoring import is_right
from neural_enquirer.tables import Table, TableWarning, spelling

LEAST = 0.97
PARTS = ("train", "dev")
ONLY = "t"
"""What SQL calls the table where there is one."""

SAME = "same"
TIES = "same but for ties, of which SQL takes one"
NO_GROUP = "same but for the group without a value, which programs have not"
NO_KEY = "same but for rows without a value, which SQL takes when there are no others"
DIFFERENT = "different"
AGREEMENTS = (SAME, TIES, NO_GROUP, NO_KEY)
_WIDER = ((TIES, ()), (NO_GROUP, ("group",)), (NO_KEY, ("group", "key")))

_ARROW = exp.select("*").from_("arrow")
_CLOSE = 1e-9
_DAY = datetime.timedelta(days=1)


@dataclass(frozen=True)
class Query:
    """SQL over tables, and the answers that are right for it."""

    folder: Path
    tables: tuple[str, ...]
    sql: str
    answers: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Outcome:
    """What became of a query.

    Attributes:
        query: The query.
        refusal: Why there is no program; empty where there is one.
        program: The program in one line.
        verdict: How what it gives compares with what the SQL gives.
        values: What both gave, where that differs.
        right: Whether it gives an accepted answer, as the table or as a person would spell it.
        faults: What went wrong with its text and its own SQL.
        operations: What it is made of.
    """

    query: Query
    refusal: str = ""
    program: str = ""
    verdict: str = ""
    values: str = ""
    right: bool = False
    faults: tuple[str, ...] = ()
    operations: frozenset[str] = frozenset()


def read_queries(data: Path) -> list[Query]:
    """All distinct pairs of tables and SQL."""
    queries: dict[tuple[Path, tuple[str, ...], str], Query] = {}
    for folder in (data / part for part in PARTS):
        for question in read_everyday(folder):
            if question.sql:
                query = Query(folder, question.tables, question.sql, question.answers)
                queries.setdefault((folder, query.tables, query.sql), query)
    return list(queries.values())


def examine(queries: Sequence[Query]) -> list[Outcome]:
    """What becomes of queries over the same tables."""
    first = queries[0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TableWarning)
        tables = [Table.read(first.folder / "tables" / name) for name in first.tables]
    with duckdb.connect() as connection:
        for table in tables:
            for name in {table.name, ONLY} if len(tables) == 1 else {table.name}:
                connection.register("arrow", table.to_arrow())
                connection.execute(
                    _ARROW.ctas(exp.Table(this=exp.to_identifier(name, quoted=True))).sql("duckdb")
                )
        return [_outcome(query, tables, connection) for query in queries]


def _outcome(query: Query, tables: Sequence[Table], connection: duckdb.DuckDBPyConnection) -> Outcome:
    try:
        program = from_sql(query.sql, tables)
    except ProgramError as error:
        return Outcome(query, refusal=str(error))
    outcome = partial(Outcome, query, program=to_text(program), operations=frozenset(_operations(program)))
    try:
        result = run(program, tables)
    except ProgramError as error:
        return outcome(verdict=DIFFERENT, values=f"the program fails: {error}")
    found = [_plain(value) for value in result.values]
    verdict = _verdict(found, query.sql, connection)
    told = _rows(query.sql, connection) if verdict == DIFFERENT else ""
    spelled = (result.texts(tables), [spelling(value) for value in result.values])
    return outcome(
        verdict=verdict,
        values=f"SQL {str(told)[:200]}, program {str(found)[:200]}" if told else "",
        right=any(is_right(texts, query.answers) for texts in spelled),
        faults=tuple(_faults(program, found, tables, connection)),
    )


def _faults(
    program: Program, found: list[object], tables: Sequence[Table], connection: duckdb.DuckDBPyConnection
) -> Iterator[str]:
    """What goes wrong where a program is written down and read or run again."""
    try:
        if parse(to_text(program)) != program:
            yield "the text is read as another program"
    except ProgramError as error:
        yield f"the text cannot be read: {error}"
    try:
        sql = to_sql(program, tables)
        rows = _rows(sql, connection)
        if not _fits(found, [([value], 0) for row, _ in rows for value in row]):
            yield f"its SQL gives {str(rows)[:100]}, not {str(found)[:100]}: {sql}"
    except (ProgramError, duckdb.Error) as error:
        yield f"its SQL fails: {str(error).splitlines()[0]}"


# What SQL gives.

Row = tuple[list[object], int]
"""The values of a row that are there, and its rank where order counts."""


def _verdict(found: Sequence[object], sql: str, connection: duckdb.DuckDBPyConnection) -> str:
    """Whether values are what the SQL gives, else what it gives with all ties, and so on."""
    same = _fits(found, _rows(sql, connection))
    wider = {verdict: _widened(sql, without) for verdict, without in _WIDER}
    for verdict, other in wider.items():
        if other is not None and _fits(found, _rows(other, connection, ranked=True)):
            return SAME if same else verdict
    return SAME if same and not any(wider.values()) else DIFFERENT


def _rows(sql: str, connection: duckdb.DuckDBPyConnection, ranked: bool = False) -> list[Row]:
    rows = connection.execute(sql).fetchall()
    if not ranked:
        return [([_plain(value) for value in row if value is not None], 0) for row in rows]
    return sorted(
        (([_plain(value) for value in row[:-1] if value is not None], row[-1]) for row in rows),
        key=lambda row: row[1],
    )


def _widened(sql: str, without: Sequence[str]) -> str | None:
    """The SQL with all rows that tie for a place, and their ranks; without missing groups or keys."""
    select = sqlglot.parse_one(sql, dialect="duckdb")
    order, limit = select.args.get("order"), select.args.pop("limit", None)
    offset = select.args.pop("offset", None)
    if not isinstance(select, exp.Select) or (order is None and select.args.get("group") is None):
        return None
    group = select.args.get("group")
    if "group" in without and group is not None:
        keys = [_named(key, select) for key in group.expressions]
        select = select.where(*(key.is_(exp.null()).not_() for key in keys))
    if order is None or limit is None:
        return select.select("0").sql("duckdb")
    select.set("order", None)
    for key in order.expressions:
        key.set("this", _named(key.this, select).copy())
    keys = [key.this for key in order.expressions]
    window = exp.Window(this=exp.Anonymous(this="rank"), order=order)
    last = int(limit.expression.this) + (int(offset.expression.this) if offset else 0)
    fits: exp.Expr = exp.LTE(this=window.copy(), expression=exp.Literal.number(last))
    if offset:
        peers = exp.Window(this=exp.Count(this=exp.Star()), partition_by=[key.copy() for key in keys])
        beyond = exp.GT(
            this=exp.Add(this=window.copy(), expression=peers), expression=exp.Literal.number(last)
        )
        fits = exp.and_(fits, beyond)
    if "key" in without:
        fits = exp.and_(fits, *(key.copy().is_(exp.null()).not_() for key in keys))
    return select.select(window).qualify(fits).sql("duckdb")


def _named(key: exp.Expr, select: exp.Select) -> exp.Expr:
    """What GROUP BY 1 and ORDER BY 1 mean."""
    return select.expressions[int(key.this) - 1] if isinstance(key, exp.Literal) else key


def _plain(value: object) -> object:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, datetime.timedelta):
        return value / _DAY
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date()
    return value


def _fits(found: Sequence[object], rows: Sequence[Row]) -> bool:
    """Whether values are those of rows; rows of one rank may come in any order."""
    ranks: dict[int, list[object]] = defaultdict(list)
    for values, rank in rows:
        ranks[rank].extend(values)
    if len(found) != sum(map(len, ranks.values())):
        return False
    start = 0
    for values in ranks.values():
        part = sorted(found[start : start + len(values)], key=_key)
        if not all(map(_equal, part, sorted(values, key=_key))):
            return False
        start += len(values)
    return True


def _key(value: object) -> tuple[str, Any]:
    return ("number", value) if isinstance(value, int | float) else (type(value).__name__, value)


def _equal(one: object, other: object) -> bool:
    if isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=_CLOSE, abs_tol=_CLOSE)
    return one == other


# What programs are made of.


def _operations(part: object) -> Iterator[str]:
    if isinstance(part, Enum):
        yield f"{type(part).__name__}: {part.value}"
    elif isinstance(part, tuple):
        for each in part:
            yield from _operations(each)
    elif dataclasses.is_dataclass(part):
        yield type(part).__name__
        for field in dataclasses.fields(part):
            yield from _operations(getattr(part, field.name))


# The report.


def _report(outcomes: Sequence[Outcome], show: int) -> float:
    """Prints the figures; returns the share of queries that became programs that give the same."""
    said = [outcome for outcome in outcomes if not outcome.refusal]
    agree = [outcome for outcome in said if outcome.verdict in AGREEMENTS]
    print(f"{len(outcomes):7,} distinct SQL queries")
    print(f"{len(said):7,} became programs ({len(said) / len(outcomes):.2%})")
    print(f"{len(agree):7,} of them give what the SQL gives ({len(agree) / len(outcomes):.2%} of all)")
    for verdict in (*AGREEMENTS, DIFFERENT):
        few = [outcome for outcome in said if outcome.verdict == verdict]
        print(f"{len(few):11,} {verdict}")
        if verdict != SAME:
            _examples(
                few,
                show if verdict != DIFFERENT else len(few),
                lambda outcome: f"{outcome.program}  {outcome.values}",
            )
    plainly = [outcome for outcome in said if outcome.verdict == SAME]
    wrong = [outcome for outcome in plainly if not outcome.right]
    print(
        f"{len(plainly) - len(wrong):7,} of {len(plainly):,} that give the very same give an accepted answer"
    )
    _examples(wrong, show, lambda outcome: f"{outcome.program}  accepted {str(outcome.query.answers)[:100]}")
    faulty = [outcome for outcome in said if outcome.faults]
    print(f"{len(faulty):7,} fail when they are written down and read or run again")
    _examples(faulty, len(faulty), lambda outcome: f"{outcome.program}  {' | '.join(outcome.faults)}")
    _print_refusals([outcome for outcome in outcomes if outcome.refusal], show)
    _print_operations(said)
    return len(agree) / len(outcomes)


def _print_refusals(refused: Sequence[Outcome], show: int) -> None:
    print(f"{len(refused):7,} are refused")
    kinds: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in refused:
        kinds[outcome.refusal.partition(" cannot be said")[0]].append(outcome)
    for kind, few in sorted(kinds.items(), key=lambda item: -len(item[1])):
        print(f"{len(few):11,} {kind}")
        _examples(few, show, lambda outcome: "")


def _print_operations(said: Sequence[Outcome]) -> None:
    print("programs by what they are made of")
    counts = Counter(operation for outcome in said for operation in outcome.operations)
    for operation, count in counts.most_common():
        print(f"{count:11,} {operation}")


def _examples(few: Sequence[Outcome], count: int, say: Callable[[Outcome], str]) -> None:
    for outcome in few[:count]:
        print(f"{'':14}{'+'.join(outcome.query.tables)}: {outcome.query.sql}")
        if said := say(outcome):
            print(f"{'':16}{said}")


def _examined(batches: Sequence[Sequence[Query]], workers: int) -> Iterator[list[Outcome]]:
    if workers == 1:
        yield from map(examine, batches)
        return
    with multiprocessing.Pool(workers) as pool:
        yield from pool.imap(examine, batches)


def main(arguments: Iterable[str] | None = None) -> int:
    """Prints the figures and says whether they are good enough."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path, help="the folder with train/ and dev/")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--show", type=int, default=3, help="examples of each kind")
    options = parser.parse_args(arguments)
    batches: dict[tuple[Path, tuple[str, ...]], list[Query]] = defaultdict(list)
    for query in read_queries(options.data):
        batches[query.folder, query.tables].append(query)
    outcomes: list[Outcome] = []
    examined = _examined(list(batches.values()), options.workers)
    for found in track(examined, "tables", total=len(batches), console=Console(stderr=True)):
        outcomes.extend(found)
    return 0 if _report(outcomes, options.show) >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
