"""Field features: numbers about what fields hold."""

import time

import numpy as np
import pytest

from neural_enquirer.encoding.field_features import _NAMES, FIELD_FEATURES
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.tables import Table


def made(names: list[str], rows: list[list[str]], name: str) -> Table:
    return Table.of([dict(zip(names, row, strict=True)) for row in rows], name)


PEOPLE = made(
    ["no", "name", "sex", "born", "balance", "note"],
    [
        ["1", "Ada Marsh", "F", "1901", "-12.5", "left the house in spring"],
        ["2", "Bo de Witt", "M", "1950", "1000", "came back"],
        ["3", "Cy van Dam", "F", "1950", "3.25", ""],
        ["4", "Di Ray", "F", "1999", "40", "room 12"],
    ],
    name="people",
)


def features(table: Table) -> dict[str, dict[str, float]]:
    rows = TableIndex.of(table).features
    assert rows.shape == (len(table.fields) + 1, FIELD_FEATURES)
    named = [field.name for field in table.fields] + ["order"]
    return {name: dict(zip(_NAMES, row.tolist(), strict=True)) for name, row in zip(named, rows, strict=True)}


def test_fields_are_told_apart_by_what_they_hold() -> None:
    found = features(PEOPLE)

    def with_all(name: str) -> list[str]:
        return [field for field, own in found.items() if own[name] == pytest.approx(1)]

    assert with_all("number") == ["no", "born", "balance"]
    assert with_all("years") == ["born"]
    assert with_all("running") == ["no"]
    assert with_all("negative") == ["balance"]
    assert with_all("codes") == ["sex"]
    assert with_all("few") == ["sex"]
    assert with_all("first text") == ["name"]
    assert with_all("last") == ["note"]
    assert with_all("order of rows") == ["order"]
    assert found["name"]["names"] == pytest.approx(0.5)  # of the others a word has no capital
    assert found["note"]["digits"] == pytest.approx(1 / 3)
    assert found["note"]["missing share"] == pytest.approx(1 / 4)
    assert found["balance"]["whole"] == pytest.approx(1 / 2)


def test_the_order_of_rows_says_nothing_of_a_field() -> None:
    turned = Table(PEOPLE.fields, tuple(column[::-1] for column in PEOPLE.columns), "people")
    assert np.array_equal(TableIndex.of(PEOPLE).features, TableIndex.of(turned).features)


def test_empty_and_endless_fields_have_features() -> None:
    table = made(["a", "b"], [["", "1e999"], ["", "2"]], name="t")
    assert np.isfinite(TableIndex.of(table).features).all()


def test_long_texts_take_no_longer_than_they_should() -> None:
    """Cells of names in which every letter could end a word once took minutes."""
    cell = "Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'" * 20 + " b!"
    table = made(["a"], [[cell]] * 50, name="t")
    start = time.process_time()
    assert features(table)["a"]["names"] == 0
    assert time.process_time() - start < 1
