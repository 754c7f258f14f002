import re
from pathlib import Path

import numpy as np
import pytest

from neural_enquirer import visualization
from neural_enquirer.explanation import Trace
from neural_enquirer.tables import Table
from neural_enquirer.visualization import Caption, FigureError, Panel


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
        visualization.draw(
            path, [Panel(table, trace_of(table), (1, 2))], Caption("which", "cell 1 2", 0.9, False)
        )
        assert path.read_bytes().startswith(MAGIC[suffix])
        assert [found.name for found in tmp_path.iterdir()] == [path.name]

    @pytest.mark.parametrize("name", ["why", "why.gif", "why.png.txt"])
    def test_other_suffix(self, tmp_path: Path, name: str) -> None:
        table = table_of(1, 1)
        with pytest.raises(FigureError, match=r"ends in \.png, \.svg, \.pdf"):
            visualization.draw(
                tmp_path / name, [Panel(table, trace_of(table))], Caption("q", "a", 0.9, False)
            )
        assert list(tmp_path.iterdir()) == []

    def test_says_what_it_shows(self, tmp_path: Path) -> None:
        table = Table.of([{"cost in $": "$5", "city": "Athens"}, {"cost in $": "$7", "city": "Rome"}])
        caption = Caption("which city cost $7", "Rome", 0.42, True)
        visualization.draw(tmp_path / "why.svg", [Panel(table, trace_of(table), (1, 1))], caption)
        drawn = (tmp_path / "why.svg").read_text()
        for text in ["which city cost $7", "Rome  (unsure, 42%)", "cost in $", "$5", "step 4", "row 2"]:
            assert f">{text}<" in drawn
        assert "executor" not in drawn
        assert "shades, 0 to 1" in drawn

    def test_texts_are_whole_where_there_is_room(self, tmp_path: Path) -> None:
        name = "a header of thirty-nine letters or more"
        table = Table.of([{name: "a cell that is just as long as its header", "b": 1}])
        visualization.draw(
            tmp_path / "why.svg", [Panel(table, trace_of(table), (0, 0))], Caption("q", "a", 0.9, False)
        )
        drawn = (tmp_path / "why.svg").read_text()
        assert f">{name}<" in drawn
        assert ">a cell that is just as long as its header<" in drawn
        wide = Table.of([{f"{name} {i}": "x" * 60 for i in range(15)}])
        figure = visualization.figure_of([Panel(wide, trace_of(wide), (0, 0))], Caption("q", "a", 0.9, False))
        assert figure.get_figwidth() < 22

    def test_the_field_of_the_answer(self, tmp_path: Path) -> None:
        table = table_of(3, 3)
        told = trace_of(table)
        weights = np.array([0.12, 0.81, 0.07], np.float32)
        panel = Panel(table, Trace(told.fields, told.field_weights, told.row_marks, weights), (0, 1))
        figure = visualization.figure_of([panel], Caption("q", "a", 0.9, False))
        above = figure.axes[0]
        assert [label.get_text() for label in above.get_yticklabels()][-1] == "answer"
        assert {"0.12", "0.81", "0.07"} <= {text.get_text() for text in above.texts}

    def test_what_is_left_out_is_said_and_the_answer_is_not(self, tmp_path: Path) -> None:
        table = table_of(100, 50)
        told = trace_of(table)
        told.row_marks[:, 77] = 0
        told.field_weights[:, 33] = 0
        visualization.draw(
            tmp_path / "why.svg", [Panel(table, told, (77, 33))], Caption("q", "a", 0.9, False)
        )
        drawn = (tmp_path / "why.svg").read_text()
        assert "not shown: 70 rows and 30 fields" in drawn
        assert ">cell 77 33<" in drawn
        assert drawn.count(">row ") == visualization.MOST_ROWS

    @pytest.mark.parametrize("fields", [1, 3, 12, 50])
    def test_fits_a_column_of_a_printed_page(self, tmp_path: Path, fields: int) -> None:
        """Not shrunk, which nobody could read, but with less in it, and never without the answer."""
        table = table_of(40, fields)
        told = trace_of(table)
        caption = Caption("which " * 20, "cell 17 0", 0.9, False)
        visualization.draw(
            tmp_path / "why.svg", [Panel(table, told, (17, 0))], caption, width=visualization.COLUMN
        )
        drawn = (tmp_path / "why.svg").read_text()
        points = re.search(r'width="([\d.]+)pt"', drawn)
        assert points is not None
        assert float(points[1]) == pytest.approx(72 * visualization.COLUMN, abs=0.1)
        assert min(map(float, re.findall(r"(?:font-size: |font: [a-z0-9 ]*?)([\d.]+)px", drawn))) >= 6
        assert re.search(">cell 17( 0|…)<", drawn)
        assert ">field 0<" in drawn

    def test_in_a_column_each_executors_field_is_shown(self, tmp_path: Path) -> None:
        names = ["the first of the fields", "the second of them", "another", "the last one of all the fields"]
        table = Table.of([{name: f"{name} in row {row}" for name in names} for row in range(20)])
        weights = np.full((3, 4), 0.01, np.float32)
        weights[0, 0] = weights[1, 3] = weights[2, 1] = 0.97
        trace = Trace(table.field_names, weights, trace_of(table, 3).row_marks)
        caption = Caption("q", "a", 0.9, False)
        visualization.draw(
            tmp_path / "why.svg", [Panel(table, trace, (1, 1))], caption, width=visualization.COLUMN
        )
        drawn = (tmp_path / "why.svg").read_text()
        assert all(re.search(f">{names[field][:6]}[^<]*…<", drawn) for field in (0, 1, 3))

    @pytest.mark.parametrize("width", [0.0, -3.3, 1e9, float("nan")])
    def test_impossible_width(self, tmp_path: Path, width: float) -> None:
        table = table_of(1, 1)
        with pytest.raises(FigureError, match="inches wide"):
            visualization.draw(
                tmp_path / "why.png", [Panel(table, trace_of(table))], Caption("q", "a", 0.9, False), width
            )

    @pytest.mark.parametrize(
        "text", ["x" * 1_000_000, "🏅 القاهرة 東京", "\ud800\0\x1b", "$a_{b$ \\frac", "a\nb", ""]
    )
    def test_odd_texts(self, tmp_path: Path, text: str) -> None:
        table = Table.of([{"a": text or None, "b": 1}])
        for suffix in (".png", ".svg", ".pdf"):
            caption = Caption(text, text, 0.9, False)
            panel = Panel(table, trace_of(table), (0, 0))
            for width in (None, visualization.COLUMN):
                visualization.draw(tmp_path / f"why{suffix}", [panel], caption, width)
                assert (tmp_path / f"why{suffix}").stat().st_size < 1_000_000
