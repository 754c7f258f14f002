from pathlib import Path

import numpy as np
import pytest

from neural_enquirer import visualization
from neural_enquirer.explanation import Trace
from neural_enquirer.table import Table
from neural_enquirer.visualization import Caption, FigureError


def trace_of(table: Table, executors: int = 4) -> Trace:
    random = np.random.default_rng(0)
    weights = random.dirichlet(np.ones(len(table.fields)), executors).astype(np.float32)
    return Trace(table.field_names, weights, random.random((executors, table.row_count)).astype(np.float32))


def table_of(rows: int, fields: int) -> Table:
    return Table.of([{f"field {j}": f"cell {i} {j}" for j in range(fields)} for i in range(rows)])


MAGIC = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF", ".PNG": b"\x89PNG"}


class TestDraw:
    @pytest.mark.parametrize("suffix", MAGIC)
    def test_suffix_chooses_the_kind(self, tmp_path: Path, suffix: str) -> None:
        table = table_of(5, 3)
        path = tmp_path / f"why{suffix}"
        visualization.draw(path, table, trace_of(table), Caption("which", "cell 1 2", (1, 2), 0.9, False))
        assert path.read_bytes().startswith(MAGIC[suffix])
        assert [found.name for found in tmp_path.iterdir()] == [path.name]

    @pytest.mark.parametrize("name", ["why", "why.gif", "why.png.txt"])
    def test_other_suffix(self, tmp_path: Path, name: str) -> None:
        table = table_of(1, 1)
        with pytest.raises(FigureError, match=r"ends in \.png, \.svg, \.pdf"):
            visualization.draw(tmp_path / name, table, trace_of(table), Caption("q", "a", None, 0.9, False))
        assert list(tmp_path.iterdir()) == []

    def test_says_what_it_shows(self, tmp_path: Path) -> None:
        table = Table.of([{"cost in $": "$5", "city": "Athens"}, {"cost in $": "$7", "city": "Rome"}])
        caption = Caption("which city cost $7", "Rome", (1, 1), 0.42, True)
        visualization.draw(tmp_path / "why.svg", table, trace_of(table), caption)
        drawn = (tmp_path / "why.svg").read_text()
        for text in ["which city cost $7", "Rome  (unsure, 42%)", "cost in $", "$5", "executor 4", "row 1"]:
            assert f">{text}<" in drawn

    def test_what_is_left_out_is_said_and_the_answer_is_not(self, tmp_path: Path) -> None:
        table = table_of(100, 50)
        told = trace_of(table)
        told.row_marks[:, 77] = 0
        told.field_weights[:, 33] = 0
        visualization.draw(tmp_path / "why.svg", table, told, Caption("q", "a", (77, 33), 0.9, False))
        drawn = (tmp_path / "why.svg").read_text()
        assert "not shown: 70 rows and 30 fields" in drawn
        assert ">cell 77 33<" in drawn
        assert drawn.count(">row ") == visualization.MOST_ROWS

    @pytest.mark.parametrize(
        "text", ["x" * 1_000_000, "🏅 القاهرة 東京", "\ud800\0\x1b", "$a_{b$ \\frac", "a\nb", ""]
    )
    def test_odd_texts(self, tmp_path: Path, text: str) -> None:
        table = Table.of([{"a": text or None, "b": 1}])
        for suffix in (".png", ".svg", ".pdf"):
            caption = Caption(text, text, (0, 0), 0.9, False)
            visualization.draw(tmp_path / f"why{suffix}", table, trace_of(table), caption)
            assert (tmp_path / f"why{suffix}").stat().st_size < 1_000_000
