"""Columns as people write them are read as people read them."""

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from neural_enquirer.tables.readings import read_cells, read_quantity

MESSY = tomllib.loads(Path(__file__).with_name("messy_columns.toml").read_text(encoding="utf-8"))


def wrong(column: dict[str, Any]) -> str | None:
    """What is wrong with how a messy column is read; None where nothing is."""
    cells = column["cells"]
    reading = read_cells(cells)
    if reading is None:
        return f"{cells} is not read"
    most, least = (cells[place(reading.values)] for place in (np.nanargmax, np.nanargmin))
    found = {"kind": reading.kind.value, "largest": most, "smallest": least}
    return None if found.items() <= column.items() else f"{cells} is read as {found}: {reading.values}"


def test_people_and_the_reader_agree_on_the_largest_and_the_smallest_cell() -> None:
    assert len(MESSY["columns"]) >= 120
    problems = [problem for column in MESSY["columns"] if (problem := wrong(column))]
    assert not problems, "\n".join(problems)


def test_names_codes_and_descriptions_have_no_order_but_the_alphabet() -> None:
    read = {tuple(cells): reading for cells in MESSY["unordered"] if (reading := read_cells(cells))}
    assert not read
