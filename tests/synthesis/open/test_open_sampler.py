import collections
import re
import subprocess
import sys

import pytest

from neural_enquirer.programs.paper import the_cell
from neural_enquirer.synthesis.examples import PROGRAM_TYPES, Example
from neural_enquirer.synthesis.open import grammar
from neural_enquirer.synthesis.open.columns import plain_name
from neural_enquirer.synthesis.open.grammar import plural_of
from neural_enquirer.synthesis.open.lexicon import all_families
from neural_enquirer.synthesis.open.sampler import ONE_TABLE
from neural_enquirer.synthesis.open.vocabulary import field_words, phrase_words
from neural_enquirer.synthesis.splits import SPLITS
from neural_enquirer.tables import FieldType

WORD = re.compile(r"[^\W\d_]+")


@pytest.fixture(scope="module")
def blocks() -> dict[str, list[Example]]:
    return {split: [*ONE_TABLE.block(split, 0, 0), *ONE_TABLE.block(split, 0, 1)] for split in SPLITS}


def texts(examples: list[Example]) -> set[str]:
    return {
        str(cell).casefold()
        for example in examples
        for field, column in zip(example.tables[0].fields, example.tables[0].columns, strict=True)
        if field.type is FieldType.TEXT
        for cell in column
        if cell is not None
    }


@pytest.mark.parametrize("split", SPLITS)
def test_programs_find_every_answer(split: str, blocks: dict[str, list[Example]]) -> None:
    for example in blocks[split]:
        if example.program is None:
            assert bool(example.cells) == (example.type in ("either", "order"))
            assert example.type not in PROGRAM_TYPES
            continue
        cell = the_cell(example.program, example.tables)
        assert example.cells == ((0, cell.row, cell.column),)


@pytest.mark.parametrize("split", SPLITS)
def test_a_block_is_the_same_every_time_and_unlike_any_other(split: str) -> None:
    first = ONE_TABLE.block(split, 3, 1)

    assert ONE_TABLE.block(split, 3, 1) == first
    for other in (ONE_TABLE.block(split, 3, 2), ONE_TABLE.block(split, 4, 1)):
        assert [one.question for one in other] != [one.question for one in first]


def test_the_order_of_processes_does_not_matter() -> None:
    code = (
        "from neural_enquirer.synthesis.open.sampler import ONE_TABLE;"
        "print(*(one.question for one in ONE_TABLE.block('train', 5, 7)[:20]), sep='\\n')"
    )
    printed = [
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        )
        for seed in ("1", "2")
    ]

    assert printed[0].stdout == printed[1].stdout
    assert printed[0].stdout.decode().splitlines() == [
        one.question for one in ONE_TABLE.block("train", 5, 7)[:20]
    ]


@pytest.mark.parametrize("split", SPLITS)
def test_types_and_wordings_come_in_their_proportions(split: str, blocks: dict[str, list[Example]]) -> None:
    first = blocks[split][:500]

    assert collections.Counter(one.type for one in first) == {
        name: 500 * share // 100 for name, share in ONE_TABLE.ratio.items()
    }
    assert collections.Counter(one.wording for one in first) == {"literal": 250, "natural": 250}


@pytest.mark.parametrize("wording", ["literal", "natural"])
def test_a_block_can_be_of_one_wording_only(wording: str) -> None:
    assert {one.wording for one in ONE_TABLE.block("test", 0, 0, wording)} == {wording}


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
            for name in example.tables[0].field_names
            for word in WORD.findall(plain_name(name))
        }

    trained = header_words(blocks["train"]) | phrase_words()
    for split in ("validation", "test"):
        literal = [one for one in blocks[split] if one.wording == "literal"]
        assert not header_words(literal) & trained


def test_the_vocabulary_has_every_word_that_is_no_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grammar, "misspelled", lambda draw, text: text)
    examples = [one for block in range(4) for one in ONE_TABLE.block("train", 1, block, "natural")]

    # Any noun may be the head of a question: "which alcove is the tallest".
    rare = {form for word in field_words("train") for form in (word, plural_of(word))}
    unknown: collections.Counter[str] = collections.Counter()
    for example in examples:
        if example.type == "absent":  # may name values that are in no table
            continue
        cells = texts([example])
        own = {
            word
            for text in (*cells, *map(plural_of, cells))
            for word in WORD.findall(text) + WORD.findall(grammar.without_accents(text))
        }
        names = [plain_name(name) for name in example.tables[0].field_names]
        own |= {word for name in (*names, *map(plural_of, names)) for word in WORD.findall(name)}
        words = set(WORD.findall(example.question.casefold().replace("'s", "")))
        unknown.update(words - own - phrase_words() - rare)

    # Abbreviated months and endings of numbers ("5k", "2nd") belong to the values.
    assert not {word for word in unknown if len(word) > 3}


def test_held_out_families_stay_out_of_the_vocabulary() -> None:
    held_out = [family for family in all_families() if family.held_out]

    assert held_out
    assert all(family.nouns for family in held_out)


def test_tables_and_questions_come_in_great_variety(blocks: dict[str, list[Example]]) -> None:
    examples = blocks["train"]
    tables = list({id(one.tables[0]): one.tables[0] for one in examples}.values())
    questions = [one.question for one in examples]

    assert {table.row_count for table in tables} >= set(range(2, 15))
    assert {len(table.fields) for table in tables} >= set(range(3, 9))
    assert {field.type for table in tables for field in table.fields} == set(FieldType)
    assert any(None in column for table in tables for column in table.columns)
    assert len(set(questions)) > 0.97 * len(questions)
    assert any(question.isupper() for question in questions)
    assert sum(question.endswith("?") for question in questions) in range(200, 700)


def test_nothing_but_numpy_is_needed() -> None:
    code = (
        "import sys\n"
        "for name in ('duckdb', 'pyarrow', 'pandas', 'torch', 'typer', 'rich'): sys.modules[name] = None\n"
        "from neural_enquirer.synthesis.open.sampler import ONE_TABLE\n"
        "print(len(ONE_TABLE.block('test', 0, 0)))"
    )

    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout == b"500\n"
