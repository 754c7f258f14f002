"""How exact answers are on long tables, with and without looking closer.

    python -m benchmarks.long_tables --model open --out results/long-tables.json

The numbers and dates of each field are all different, so a superlative has one right row among very many that
are nearly as good. An answer counts when it is that very cell. `closer_look.py` looks at long tables several
times, each time at fewer rows; "once" in the report is the first look alone.
"""

import argparse
import json
import operator
import random
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any, cast

import torch

from neural_enquirer import Enquirer, Table
from neural_enquirer.prediction import closer_look
from neural_enquirer.reproduction.hardware import hardware

TABLES = {100: 30, 1_000: 30, 10_000: 12, 100_000: 4}
"""How many tables of so many rows are asked."""
EXACT = 0.99
"""A size at which fewer answers of a kind are right is beyond the limit."""

_SYLLABLES = ("ba", "lo", "ri", "ta", "mun", "der", "ko", "ves", "shi", "pra", "gen", "ul", "fo", "ne")
_FIRST_DAY = date(1600, 1, 1)
_KEYS = ("name", "title", "item", "station", "product")
_GROUPS = ("town", "team", "region", "category", "maker")
_NUMBERS = ("height", "score", "population", "weight", "price", "distance", "seats", "power")
_DATES = ("opened", "release date", "founded", "last check")


@dataclass(frozen=True)
class Asked:
    """A question on a long table and the one cell that answers it."""

    kind: str
    question: str
    row: int
    field: str


@dataclass(frozen=True)
class Scores:
    """The share of right answers by kind.

    Attributes:
        closer: as the model is used, with closer looks.
        once: with the first look alone.
        questions: how many were asked.
        wrong: the questions answered wrongly, closer looks and all, and how sure the model was.
    """

    closer: dict[str, float]
    once: dict[str, float]
    questions: int
    wrong: list[dict[str, Any]]


def make_table(draw: random.Random, rows: int) -> Table:
    """Makes a table: a key, a group, other text, two fields of numbers, one of days.

    No two rows share a key, a number or a day.
    """
    groups = [_word(draw) for _ in range(12)]
    days = draw.sample(range(max(150_000, rows)), rows)
    return Table.of_columns(
        [draw.choice(_KEYS), draw.choice(_GROUPS), "owner", *draw.sample(_NUMBERS, 2), draw.choice(_DATES)],
        [
            [f"{_word(draw)} {i}" for i in draw.sample(range(10 * rows), rows)],
            [draw.choice(groups) for _ in range(rows)],
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
    key, number, day = (table.field_names[n] for n in (0, draw.choice((3, 4)), 5))
    extremes = ("highest", "latest") if highest else ("lowest", "earliest")
    return [
        Asked(
            "superlative",
            f"which {key} has the {extreme} {field}",
            _best(table, field, highest, range(table.row_count)),
            key,
        )
        for extreme, field in zip(extremes, (number, day), strict=True)
    ]


def _filtered(draw: random.Random, table: Table, highest: bool) -> list[Asked]:
    key, group, _, number, limited, _ = table.field_names
    extreme = "highest" if highest else "lowest"
    groups, limits = table.columns[1], cast(Sequence[float], table.columns[4])
    chosen = draw.choice(groups)
    rows = [m for m, own in enumerate(groups) if own == chosen]
    said = f"which {key} with {group} {chosen} has the {extreme} {number}"
    asked = [Asked("equal, superlative", said, _best(table, number, highest, rows), key)]
    for side, beyond in (("less", operator.lt), ("more", operator.gt)):
        limit = round(sorted(limits)[draw.randrange(5, table.row_count - 5)] + 0.005, 3)  # between two
        rows = [m for m, own in enumerate(limits) if beyond(own, limit)]
        said = f"which {key} has the {extreme} {number} of those with {limited} {side} than {limit}"
        asked.append(Asked(f"{side} than, superlative", said, _best(table, number, highest, rows), key))
    return asked


def _look_ups(draw: random.Random, table: Table) -> list[Asked]:
    key, _, _, number, other, _ = table.field_names
    by_key, by_number = draw.randrange(table.row_count), draw.randrange(table.row_count)
    return [
        Asked("look-up by key", f"what is the {other} of {table.text(by_key, 0)}", by_key, other),
        Asked(
            "look-up by number", f"which {key} has a {number} of {table.text(by_number, 3)}", by_number, key
        ),
    ]


def _nested(draw: random.Random, table: Table, highest: bool) -> list[Asked]:
    key, _, _, number, other, _ = table.field_names
    numbers = cast(Sequence[float], table.columns[3])
    least = min(range(table.row_count), key=lambda m: numbers[m])
    named = draw.choice([m for m in range(table.row_count) if m != least])
    rows = [m for m, own in enumerate(numbers) if own < numbers[named]]
    extreme = "highest" if highest else "lowest"
    said = f"which {key} has the {extreme} {other} of those with {number} less than that of "
    return [Asked("nested", said + table.text(named, 0), _best(table, other, highest, rows), key)]


def _best(table: Table, field: str, highest: bool, rows: Iterable[int]) -> int:
    values: Any = table.column(field)
    return (max if highest else min)(rows, key=lambda m: values[m])


@contextmanager
def one_look() -> Iterator[None]:
    """Lets the model look at long tables once only."""
    rows, closer_look.ROWS_SEEN = closer_look.ROWS_SEEN, 10**9
    try:
        yield
    finally:
        closer_look.ROWS_SEEN = rows


def score(enquirer: Enquirer, rows: int, tables: int) -> Scores:
    """Asks tables of so many rows, with closer looks and without."""
    right: dict[str, dict[str, list[bool]]] = {"closer": defaultdict(list), "once": defaultdict(list)}
    wrong: list[dict[str, Any]] = []
    for seed in range(tables):
        draw = random.Random(f"long tables/{rows}/{seed}")
        table = make_table(draw, rows)
        asked = make_questions(draw, table)
        questions = [one.question for one in asked]
        closer = enquirer.ask_many(table, questions)
        with one_look():
            once = enquirer.ask_many(table, questions)
        for name, answers in (("closer", closer), ("once", once)):
            for one, answer in zip(asked, answers, strict=True):
                hit = (answer.row, answer.field) == (one.row, one.field)
                right[name][one.kind].append(hit)
                if name == "closer" and not hit:
                    wrong.append({"question": one.question, "confidence": round(answer.confidence, 3)})
    shares = {
        name: {kind: sum(hits) / len(hits) for kind, hits in kinds.items()} for name, kinds in right.items()
    }
    return Scores(shares["closer"], shares["once"], sum(map(len, right["closer"].values())), wrong)


def limits(by_rows: dict[int, Scores]) -> dict[str, int | None]:
    """Returns, for each kind, up to how many rows of those tried it is exact, from the least on."""
    found: dict[str, int | None] = {}
    for kind in next(iter(by_rows.values())).closer:
        found[kind] = None
        for rows in sorted(by_rows):
            if by_rows[rows].closer[kind] < EXACT:
                break
            found[kind] = rows
    return found


def show(by_rows: dict[int, Scores]) -> None:
    for rows, scores in by_rows.items():
        print(f"{rows:,} rows, {scores.questions} questions: right in percent, at the first look")
        for kind, value in scores.closer.items():
            print(f"  {kind:22}{100 * value:7.1f}{100 * scores.once[kind]:8.1f}")
        for wrong in scores.wrong:
            print(f"  wrong, {wrong['confidence']:.3f} sure: {wrong['question']}")


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
        "right": {str(rows): asdict(scores) for rows, scores in by_rows.items()},
    }
    print(f"exact up to so many rows: {report['exact up to, rows']}")
    if arguments.out:
        arguments.out.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
