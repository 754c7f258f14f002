"""Open questions over two tables: every answer is what a database finds, and splits share nothing."""

import re
from collections import Counter
from dataclasses import replace

import pytest

from neural_enquirer.programs.language import Field as ProgramField
from neural_enquirer.programs.paper import steps
from neural_enquirer.programs.sql import to_sql
from neural_enquirer.synthesis.examples import Example
from neural_enquirer.synthesis.open.columns import plain_name
from neural_enquirer.synthesis.open.join_sampler import JOIN_TYPES, TWO_TABLES
from neural_enquirer.synthesis.open.vocabulary import join_words, phrase_words
from neural_enquirer.synthesis.splits import SPLITS
from neural_enquirer.tables import Field, FieldType, Table

REFUSED = ("absent", "partnerless", "unsupported")
WORD = re.compile(r"[^\W\d_]+")


@pytest.fixture(scope="module")
def blocks() -> dict[str, list[Example]]:
    return {split: TWO_TABLES.block(split, 11, 2) for split in SPLITS}


@pytest.mark.parametrize("split", SPLITS)
def test_a_block_has_all_kinds_in_their_ratio(split: str, blocks: dict[str, list[Example]]) -> None:
    counts = Counter(example.type for example in blocks[split])

    assert counts == {name: 500 * share // 100 for name, share in TWO_TABLES.ratio.items()}
    assert Counter(example.wording for example in blocks[split]) == {"literal": 250, "natural": 250}


def test_a_block_is_the_same_every_time_and_unlike_any_other(blocks: dict[str, list[Example]]) -> None:
    assert TWO_TABLES.block("test", 11, 2) == blocks["test"]
    assert [one.question for one in TWO_TABLES.block("test", 11, 3)] != [
        one.question for one in blocks["test"]
    ]


@pytest.mark.parametrize("split", SPLITS)
def test_duckdb_finds_every_join(split: str, blocks: dict[str, list[Example]]) -> None:
    import duckdb

    joins = [example for example in blocks[split] if example.type.startswith("join")]
    assert len(joins) > 200
    with duckdb.connect(config={"threads": 1}) as database:
        for example in joins[:120]:
            _register(database, example)
            table, row, column = example.cells[0]
            assert example.program is not None
            sql = to_sql(replace(example.program, terms=(ProgramField(f"row_{table}"),)), [_joined(example)])
            assert {found for (found,) in database.execute(sql).fetchall()} == {row}, example.question
            named = {(name, own): header for name, own, header in example.headers}
            target = steps(example.program)[-1]
            headers = {header for (name, _), header in named.items() if name == target}
            assert example.tables[table].field_names[column] in headers


def _joined(example: Example) -> Table:
    """The join as programs see it; its rows are those of the view `joined`."""
    fields = [
        Field(name, example.tables[own].fields[example.tables[own].field_index(header)].type)
        for name, own, header in example.headers
    ]
    fields += [Field(f"row_{own}", FieldType.NUMBER) for own in range(2)]
    return Table(tuple(fields), ((),) * len(fields), "joined")


def _register(database: object, example: Example) -> None:
    """Makes the view `joined`: the two tables joined by the fields that link them."""
    import pyarrow as pa

    assert example.link is not None
    for number, table in enumerate(example.tables):
        rows = pa.array(range(table.row_count), pa.int64())
        database.register(f"table_{number}", table.to_arrow().append_column("its row", rows))  # type: ignore[attr-defined]
    columns = ", ".join(
        f'table_{own}."{_quoted(header)}" AS "{_quoted(name)}"' for name, own, header in example.headers
    )
    ours, theirs = map(_quoted, example.link)
    database.execute(  # type: ignore[attr-defined]
        f'CREATE OR REPLACE VIEW joined AS SELECT {columns}, table_0."its row" AS row_0, '
        f'table_1."its row" AS row_1 FROM table_0 JOIN table_1 ON table_0."{ours}" = table_1."{theirs}"'
    )


def _quoted(name: str) -> str:
    return name.replace('"', '""')


@pytest.mark.parametrize("split", SPLITS)
def test_answers_are_cells_that_hold_something(split: str, blocks: dict[str, list[Example]]) -> None:
    for example in blocks[split]:
        assert bool(example.cells) == (example.type not in REFUSED)
        texts = {example.tables[table].text(row, column) for table, row, column in example.cells}
        assert len(texts) == min(len(example.cells), 1)
        assert "" not in texts


def test_joins_read_both_tables_in_either_order(blocks: dict[str, list[Example]]) -> None:
    joins = [example for example in blocks["train"] if example.type.startswith("join")]

    assert {table for example in joins for table, _, _ in example.cells} == {0, 1}
    assert all(example.link is not None for example in joins)
    assert any(example.link[0] != example.link[1] for example in joins if example.link)
    # Some facts have no partner, and some tables nothing in common.
    assert any(example.link is None for example in blocks["train"])


def test_the_row_of_a_partnerless_question_has_no_partner(blocks: dict[str, list[Example]]) -> None:
    for example in blocks["test"]:
        if example.type == "partnerless":
            assert example.link is not None
            ours, theirs = (
                set(table.column(field)) for table, field in zip(example.tables, example.link, strict=True)
            )
            assert not (ours <= theirs and theirs <= ours)


def texts(examples: list[Example]) -> set[str]:
    return {
        str(cell).casefold()
        for example in examples
        for table in example.tables
        for field, column in zip(table.fields, table.columns, strict=True)
        if field.type is FieldType.TEXT
        for cell in column
        if cell is not None and not re.match(r"[\d$€£]", str(cell))
    }


def test_no_text_is_in_the_tables_of_two_splits(blocks: dict[str, list[Example]]) -> None:
    found = {split: texts(examples) for split, examples in blocks.items()}

    assert not found["train"] & found["validation"]
    assert not found["train"] & found["test"]
    assert not found["validation"] & found["test"]


def test_literal_test_questions_are_about_fields_that_training_never_names(
    blocks: dict[str, list[Example]],
) -> None:
    def header_words(examples: list[Example]) -> set[str]:
        return {
            word
            for example in examples
            for table in example.tables
            for name in table.field_names
            for word in WORD.findall(plain_name(name))
        }

    trained = header_words(blocks["train"]) | phrase_words() | join_words()
    for split in ("validation", "test"):
        literal = [one for one in blocks[split] if one.wording == "literal"]
        assert not header_words(literal) & trained


def test_every_type_is_one_of_those_reported(blocks: dict[str, list[Example]]) -> None:
    assert {example.type for example in blocks["test"]} == set(JOIN_TYPES)
