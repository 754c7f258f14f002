"""The picture of an answer: what it shows, and that it can always be drawn."""

import dataclasses
import re
from pathlib import Path

import numpy as np
import pytest

from neural_enquirer.asking import figure as figures
from neural_enquirer.asking.figure import FigureError
from neural_enquirer.asking.panels import Caption, Layer, Panel, caption_of, panels_of
from neural_enquirer.tables import Table
from told import CUSTOMERS, ORDERS, answer, refused

ASKED = Caption("q", "a", 0.9)


def layers_of(table: Table, executors: int = 4) -> tuple[Layer, ...]:
    """What a cascade might have done."""
    random = np.random.default_rng(0)
    weights = random.dirichlet(np.ones(len(table.fields)), executors).astype(np.float32)
    marks = random.random((executors, table.row_count)).astype(np.float32)
    return tuple(Layer(f"step {i + 1}", weights[i], marks[i]) for i in range(executors))


def panel_of(table: Table, *cells: tuple[int, int]) -> Panel:
    return Panel(table, layers_of(table), frozenset(cells))


def table_of(rows: int, fields: int) -> Table:
    return Table.of([{f"field {j}": f"cell {i} {j}" for j in range(fields)} for i in range(rows)])


MAGIC = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF", ".PNG": b"\x89PNG"}


class TestDraw:
    @pytest.mark.parametrize("suffix", MAGIC)
    def test_suffix_chooses_the_kind(self, tmp_path: Path, suffix: str) -> None:
        table = table_of(5, 3)
        path = tmp_path / f"why{suffix}"
        figures.draw(path, [panel_of(table, (1, 2))], Caption("which", "cell 1 2", 0.9))
        assert path.read_bytes().startswith(MAGIC[suffix])
        assert [found.name for found in tmp_path.iterdir()] == [path.name]

    @pytest.mark.parametrize("name", ["why", "why.gif", "why.png.txt"])
    def test_other_suffix(self, tmp_path: Path, name: str) -> None:
        table = table_of(1, 1)
        with pytest.raises(FigureError, match=r"ends in \.png, \.svg, \.pdf"):
            figures.draw(tmp_path / name, [panel_of(table)], ASKED)
        assert list(tmp_path.iterdir()) == []

    def test_says_what_it_shows(self, tmp_path: Path) -> None:
        table = Table.of([{"cost in $": "$5", "city": "Athens"}, {"cost in $": "$7", "city": "Rome"}])
        caption = Caption("which city cost $7", "Rome", 0.42, "unsure")
        figures.draw(tmp_path / "why.svg", [panel_of(table, (1, 1))], caption)
        drawn = (tmp_path / "why.svg").read_text()
        for text in ["which city cost $7", "Rome  (unsure, 42%)", "cost in $", "$5", "step 4", "row 2"]:
            assert f">{text}<" in drawn
        assert "executor" not in drawn
        assert "shades, 0 to 1" in drawn

    def test_texts_are_whole_where_there_is_room(self, tmp_path: Path) -> None:
        name = "a header of thirty-nine letters or more"
        table = Table.of([{name: "a cell that is just as long as its header", "b": 1}])
        figures.draw(tmp_path / "why.svg", [panel_of(table, (0, 0))], ASKED)
        drawn = (tmp_path / "why.svg").read_text()
        assert f">{name}<" in drawn
        assert ">a cell that is just as long as its header<" in drawn
        wide = Table.of([{f"{name} {i}": "x" * 60 for i in range(15)}])
        figure = figures.draw(None, [panel_of(wide, (0, 0))], ASKED)
        assert figure.get_figwidth() < 22

    def test_the_field_of_the_answer(self, tmp_path: Path) -> None:
        table = table_of(3, 3)
        answering = Layer("answer", np.array([0.12, 0.81, 0.07], np.float32))
        panel = Panel(table, (*layers_of(table), answering), frozenset([(0, 1)]))
        figure = figures.draw(None, [panel], ASKED)
        above = figure.axes[0]
        assert [label.get_text() for label in above.get_yticklabels()][-1] == "answer"
        assert {"0.12", "0.81", "0.07"} <= {text.get_text() for text in above.texts}

    def test_what_is_left_out_is_said_and_the_answer_is_not(self, tmp_path: Path) -> None:
        table = table_of(100, 50)
        panel = panel_of(table, (77, 33))
        for layer in panel.layers:
            assert layer.rows is not None
            layer.rows[77] = layer.fields[33] = 0
        figures.draw(tmp_path / "why.svg", [panel], ASKED)
        drawn = (tmp_path / "why.svg").read_text()
        assert "Not shown: 70 rows and 30 fields" in drawn
        assert ">cell 77 33<" in drawn
        assert drawn.count(">row ") == figures.MOST_ROWS

    @pytest.mark.parametrize("fields", [1, 3, 12, 50])
    def test_fits_a_column_of_a_printed_page(self, tmp_path: Path, fields: int) -> None:
        """Not shrunk, which nobody could read, but with less in it, and never without the answer."""
        table = table_of(40, fields)
        caption = Caption("which " * 20, "cell 17 0", 0.9)
        figures.draw(tmp_path / "why.svg", [panel_of(table, (17, 0))], caption, width=figures.COLUMN)
        drawn = (tmp_path / "why.svg").read_text()
        points = re.search(r'width="([\d.]+)pt"', drawn)
        assert points is not None
        assert float(points[1]) == pytest.approx(72 * figures.COLUMN, abs=0.1)
        assert min(map(float, re.findall(r"(?:font-size: |font: [a-z0-9 ]*?)([\d.]+)px", drawn))) >= 6
        assert re.search(">cell 17( 0|…)<", drawn)
        assert ">field 0<" in drawn

    def test_in_a_column_each_executors_field_is_shown(self, tmp_path: Path) -> None:
        names = ["the first of the fields", "the second of them", "another", "the last one of all the fields"]
        table = Table.of([{name: f"{name} in row {row}" for name in names} for row in range(20)])
        weights = np.full((3, 4), 0.01, np.float32)
        weights[0, 0] = weights[1, 3] = weights[2, 1] = 0.97
        layers = tuple(
            dataclasses.replace(layer, fields=own)
            for layer, own in zip(layers_of(table, 3), weights, strict=True)
        )
        panel = Panel(table, layers, frozenset([(1, 1)]))
        figures.draw(tmp_path / "why.svg", [panel], ASKED, width=figures.COLUMN)
        drawn = (tmp_path / "why.svg").read_text()
        assert all(re.search(f">{names[field][:6]}[^<]*…<", drawn) for field in (0, 1, 3))

    @pytest.mark.parametrize("width", [0.0, -3.3, 1e9, float("nan")])
    def test_impossible_width(self, tmp_path: Path, width: float) -> None:
        table = table_of(1, 1)
        with pytest.raises(FigureError, match="inches wide"):
            figures.draw(tmp_path / "why.png", [panel_of(table)], ASKED, width)

    @pytest.mark.parametrize(
        "text", ["x" * 1_000_000, "🏅 القاهرة 東京", "\ud800\0\x1b", "$a_{b$ \\frac", "a\nb", ""]
    )
    def test_odd_texts(self, tmp_path: Path, text: str) -> None:
        table = Table.of([{"a": text or None, "b": 1}])
        for suffix in (".png", ".svg", ".pdf"):
            caption = Caption(text, text, 0.9)
            panel = panel_of(table, (0, 0))
            for width in (None, figures.COLUMN):
                figures.draw(tmp_path / f"why{suffix}", [panel], caption, width)
                assert (tmp_path / f"why{suffix}").stat().st_size < 1_000_000


class TestPanels:
    def test_a_program_shows_what_each_step_reads_and_keeps(self) -> None:
        (panel,) = panels_of(answer("?", "sum(salary, rows(department = Sales))"))
        first, last = panel.layers
        assert first.fields.tolist() == [0, 1, 0, 0, 0]
        assert first.rows is not None
        assert first.rows.tolist() == [1, 1, 0, 1, 0]
        assert (last.fields.tolist(), last.rows) == ([0, 0, 0, 1, 0], None)
        assert panel.cells == {(0, 3), (1, 3), (3, 3)}

    def test_rows_that_are_kept_to_the_end_come_first(self) -> None:
        table = Table.of([{"n": i, "kind": "ab"[i >= 60]} for i in range(100)])
        (panel,) = panels_of(answer("?", "count(rows(n > 90, rows(kind = b)))", table))
        without_cells = dataclasses.replace(panel, cells=frozenset())
        shown = np.argsort(-without_cells.row_importance, kind="stable")[:9]
        assert sorted(shown.tolist()) == list(range(91, 100))

    def test_the_steps_are_told_in_words(self) -> None:
        found = answer("how many", "count(rows(department = Sales))")
        caption = caption_of(found)
        assert caption.note == "2. Keep those where department is Sales: 3 rows. 3. Count them."
        assert [layer.name for layer in panels_of(found)[0].layers] == ["step 2", "step 3"]  # as explained
        assert caption_of(refused("phone of Bo Lee", "no_field")).answer == "no answer"
        assert "no field about “phone”" in caption_of(refused("phone of Bo Lee", "no_field")).note

    def test_a_refusal_can_be_drawn_though_nothing_was_done(self, tmp_path: Path) -> None:
        refused("phone of Bo Lee", "no_field").plot(tmp_path / "why.svg")
        drawn = (tmp_path / "why.svg").read_text()
        assert all(f">{text}<" in drawn for text in ("no answer  (80%)", "department", "Bo Lee"))

    def test_several_tables_have_their_own_rows(self, tmp_path: Path) -> None:
        program = "sum(total, rows(city = Paris, join(orders, customers, customer = name)))"
        found = answer("total for Paris", program, ORDERS, CUSTOMERS)
        orders, customers = panels_of(found)
        kept = [panel.layers[1].rows for panel in (orders, customers)]
        assert [None if rows is None else rows.tolist() for rows in kept] == [[1, 0, 1], [1, 0]]
        assert (orders.cells, customers.cells) == ({(0, 1), (2, 1)}, frozenset())
        found.plot(tmp_path / "why.svg")
        drawn = (tmp_path / "why.svg").read_text()
        assert all(f">{text}<" in drawn for text in ("orders", "customers", "rows kept", "15.5 km  (98%)"))
