"""Tables of ten fields that are drawn, and questions of six kinds about them."""

import csv
import random
from datetime import date, timedelta
from pathlib import Path

from neural_enquirer import Table

__all__ = ["make_question", "make_table", "write_table"]

_TEXT = ("name", "city", "country", "owner", "architect", "Material", "main use", "status", "team", "Region")
_NUMBERS = ("height", "price_usd", "Population", "floors", "Runtime (min)", "weight", "score", "Seats")
_DATES = ("opened", "founded", "Release Date", "hireDate")
_SYLLABLES = ("ba", "lo", "ri", "ta", "mun", "der", "ko", "ves", "shi", "pra", "gen", "ul")


def make_table(draw: random.Random, rows: int = 10) -> Table:
    """Makes a table of ten fields: six of text, three of numbers, one of dates."""
    text, numbers = draw.sample(_TEXT, 6), draw.sample(_NUMBERS, 3)
    words = [_word(draw) for _ in range(60)]
    columns: dict[str, list[object]] = {
        text[0]: [f"{draw.choice(words)} {draw.choice(words)} {i}" for i in range(rows)],
        **{name: [draw.choice(words) for _ in range(rows)] for name in text[1:]},
        **{name: draw.sample(range(100, 100 + 20 * rows), rows) for name in numbers},
        draw.choice(_DATES): [str(date(1950, 1, 1) + timedelta(draw.randrange(25_000))) for _ in range(rows)],
    }
    return Table.of_columns(list(columns), list(columns.values()))


def _word(draw: random.Random) -> str:
    return "".join(draw.choice(_SYLLABLES) for _ in range(draw.randint(2, 4))).capitalize()


def make_question(draw: random.Random, table: Table) -> str:
    """Makes a question of one of six kinds."""
    first, second, third, number = (
        table.fields[i].name for i in (0, draw.randint(1, 2), draw.randint(3, 5), draw.randint(6, 8))
    )
    value = draw.choice(table.column(third))
    number_value = draw.choice(table.column(number))
    return draw.choice(
        [
            f"what is the {second} of {draw.choice(table.column(first))}",
            f"which {first} has the highest {number}",
            f"which {first} with {third} {value} has the lowest {number}",
            f"what is the {second} of the {first} with the most {number} in {value}",
            f"which {second} has a {number} of {number_value}",
            f"which {first} has the largest {number} of those with less than {number_value}",
        ]
    )


def write_table(table: Table, path: Path) -> None:
    """Writes a table as a CSV file."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(table.field_names)
        writer.writerows(zip(*table.columns, strict=True))
