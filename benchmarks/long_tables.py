"""How exact answers are on long tables, with and without looking closer.

    python -m benchmarks.long_tables --model open --out results/long-tables.json

The numbers and dates of each field are all different, so a superlative has one right row among very many that
are nearly as good. An answer counts when it is that very cell. `prediction.py` looks at long tables several
times, each time at fewer rows; "once" in the report is the first look alone.
"""

import argparse
import json
import operator
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import torch

from benchmarks.accuracy import hardware
from neural_enquirer import Enquirer, Table, prediction

TABLES = {100: 30, 1_000: 30, 10_000: 12, 100_000: 4}
"""How many tables of so many rows are asked."""
EXACT = 0.99
"""A size at which fewer answers of a kind are right is beyond the limit."""

_SYLLABLES = ("ba", "lo", "ri", "ta", "mun", "der", "ko", "ves", "shi", "pra", "gen", "ul", "fo", "ne")
_FIRST_DAY = date(1600, 1, 1)


@dataclass(frozen=True)
class Asked:
    """A question on a long table and the one cell that answers it."""

    kind: str
    question: str
    row: int
    field: str


def make_table(draw: random.Random, rows: int) -> Table:
    """Makes a table in which no two rows share a name, a height, a price or a day."""
    towns = [_word(draw) for _ in range(12)]
    names = [f"{_word(draw)} {i}" for i in draw.sample(range(10 * rows), rows)]
    days = draw.sample(range(max(150_000, rows)), rows)
    return Table.of_columns(
        ["name", "town", "owner", "height", "price", "opened"],
        [
            names,
            [draw.choice(towns) for _ in range(rows)],
            [_word(draw) for _ in range(rows)],
            draw.sample(range(1, 20 * rows), rows),
            [cents / 100 for cents in draw.sample(range(1, 500 * rows), rows)],
            [str(_FIRST_DAY + timedelta(day)) for day in days],
        ],
    )


def _word(draw: random.Random) -> str:
    return "".join(draw.choice(_SYLLABLES) for _ in range(draw.randint(2, 4))).capitalize()


def make_questions(draw: random.Random, table: Table) -> list[Asked]:
    """Makes two questions of each kind."""
    asked: list[Asked] = []
    for highest in (True, False):
        asked += _superlatives(draw, table, highest) + _look_ups(draw, table)
        asked += _filtered(draw, table, highest) + _nested(draw, table, highest)
    return asked


def _superlatives(draw: random.Random, table: Table, highest: bool) -> list[Asked]:
    field = draw.choice(("height", "price"))
    row = _best(table, field, highest, lambda _: True)
    said = f"which name has the {'highest' if highest else 'lowest'} {field}"
    return [Asked("superlative", said, row, "name")]


def _filtered(draw: random.Random, table: Table, highest: bool) -> list[Asked]:
    extreme = "highest" if highest else "lowest"
    towns: Any = table.column("town")
    prices: Any = table.column("price")
    town = draw.choice(towns)
    by_town = _best(table, "height", highest, lambda m: towns[m] == town)
    asked = [
        Asked("equal, superlative", f"which name with town {town} has the {extreme} height", by_town, "name")
    ]
    for side, beyond in (("less", operator.lt), ("more", operator.gt)):
        limit = round(float(sorted(prices)[draw.randrange(5, table.row_count - 5)]) + 0.005, 3)
        rows = {m for m, price in enumerate(prices) if beyond(price, limit)}
        best = _best(table, "height", highest, rows.__contains__)
        said = f"which name has the {extreme} height of those with price {side} than {limit}"
        asked.append(Asked(f"{side} than, superlative", said, best, "name"))
    return asked


def _look_ups(draw: random.Random, table: Table) -> list[Asked]:
    by_name, by_number = draw.randrange(table.row_count), draw.randrange(table.row_count)
    name, height = table.column("name")[by_name], table.column("height")[by_number]
    return [
        Asked("look-up by name", f"what is the price of {name}", by_name, "price"),
        Asked("look-up by number", f"which name has a height of {height}", by_number, "name"),
    ]


def _nested(draw: random.Random, table: Table, highest: bool) -> list[Asked]:
    heights: Any = table.column("height")
    row = draw.randrange(table.row_count)
    below = [m for m, height in enumerate(heights) if height < heights[row]]
    if not below:
        return []
    known = set(below)
    best = _best(table, "price", highest, known.__contains__)
    extreme, name = "highest" if highest else "lowest", table.column("name")[row]
    said = f"which name has the {extreme} price of those with height less than that of {name}"
    return [Asked("nested", said, best, "name")]


def _best(table: Table, field: str, highest: bool, wanted: Callable[[int], bool]) -> int:
    values: Any = table.column(field)
    rows = [m for m in range(table.row_count) if wanted(m)]
    return (max if highest else min)(rows, key=lambda m: values[m])


@contextmanager
def one_look() -> Iterator[None]:
    """Lets the model look at long tables once only."""
    rows, prediction.ROWS_SEEN = prediction.ROWS_SEEN, 10**9
    try:
        yield
    finally:
        prediction.ROWS_SEEN = rows


def score(enquirer: Enquirer, rows: int, tables: int) -> dict[str, dict[str, float]]:
    """Returns the share of right answers by kind, with closer looks and without."""
    right: dict[str, dict[str, list[bool]]] = {"closer": defaultdict(list), "once": defaultdict(list)}
    for seed in range(tables):
        draw = random.Random(f"{rows}/{seed}")
        table = make_table(draw, rows)
        asked = make_questions(draw, table)
        questions = [one.question for one in asked]
        closer = enquirer.ask_many(table, questions)
        with one_look():
            once = enquirer.ask_many(table, questions)
        for name, answers in (("closer", closer), ("once", once)):
            for one, answer in zip(asked, answers, strict=True):
                right[name][one.kind].append((answer.row, answer.field) == (one.row, one.field))
    return {
        name: {kind: sum(hits) / len(hits) for kind, hits in kinds.items()} | {"questions": _count(kinds)}
        for name, kinds in right.items()
    }


def _count(kinds: dict[str, list[bool]]) -> int:
    return sum(map(len, kinds.values()))


def limits(by_rows: dict[int, dict[str, dict[str, float]]]) -> dict[str, int | None]:
    """Returns, for each kind, up to how many rows of those tried it is exact, from the least on."""
    kinds = next(iter(by_rows.values()))["closer"].keys() - {"questions"}
    found: dict[str, int | None] = {}
    for kind in sorted(kinds):
        found[kind] = None
        for rows in sorted(by_rows):
            if by_rows[rows]["closer"][kind] < EXACT:
                break
            found[kind] = rows
    return found


def show(by_rows: dict[int, dict[str, dict[str, float]]]) -> None:
    for rows, looks in by_rows.items():
        print(f"{rows:,} rows, {looks['closer']['questions']} questions: right in percent, at the first look")
        for kind, value in looks["closer"].items():
            if kind != "questions":
                print(f"  {kind:22}{100 * value:7.1f}{100 * looks['once'][kind]:8.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", default="open", help="a shipped model, or a folder with one")
    parser.add_argument("--most", type=int, default=max(TABLES), help="rows of the longest tables")
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    enquirer = Enquirer.from_pretrained(arguments.model)
    start = time.perf_counter()
    by_rows = {
        rows: score(enquirer, rows, tables) for rows, tables in TABLES.items() if rows <= arguments.most
    }
    show(by_rows)
    report = {
        "model": Path(arguments.model).name,
        "command": f"python -m benchmarks.long_tables --most {arguments.most}",
        "hardware": hardware(torch.device("cpu")),
        "torch": torch.__version__,
        "seconds": round(time.perf_counter() - start, 1),
        "exact up to, rows": limits(by_rows),
        "right": {str(rows): looks for rows, looks in by_rows.items()},
    }
    print(f"exact up to so many rows: {report['exact up to, rows']}")
    if arguments.out:
        arguments.out.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
