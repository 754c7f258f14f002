from dataclasses import replace

import numpy as np
import pytest
import torch

from neural_enquirer.encoding.batch import Batch
from neural_enquirer.encoding.closed import encode, vocabulary_of
from neural_enquirer.encoding.words import PADDING, UNKNOWN, Vocabulary, split_words
from neural_enquirer.synthesis.examples import PROGRAM_TYPES, ExampleSet
from neural_enquirer.synthesis.tasks import generate

EXAMPLES = generate("olympics-25k", "train", examples=60)
VOCABULARY = vocabulary_of(EXAMPLES)


@pytest.fixture(scope="module")
def batch() -> Batch:
    return encode(EXAMPLES, VOCABULARY)


def text(code: int) -> str:
    return VOCABULARY.words[code - 2]


def test_the_vocabulary_knows_all_words_in_both_forms() -> None:
    for form in ("natural", "sql"):
        encoded = encode(EXAMPLES, VOCABULARY, form)
        assert not (encoded.words == UNKNOWN).any()
    assert VOCABULARY.entities == {word.lower() for word in EXAMPLES.entity_words}


@pytest.mark.parametrize("form", ["natural", "sql"])
def test_questions_are_padded_at_the_beginning(form: str) -> None:
    encoded = encode(EXAMPLES, VOCABULARY, form)
    texts = EXAMPLES.questions if form == "natural" else EXAMPLES.logical_forms
    for question, codes in zip(texts, encoded.words.tolist(), strict=True):
        words = split_words(question)
        assert [text(code) for code in codes[len(codes) - len(words) :]] == words
        assert codes[: len(codes) - len(words)] == [PADDING] * (len(codes) - len(words))


def test_tables_hold_the_words_of_the_examples(batch: Batch) -> None:
    for index in range(len(batch)):
        (table,) = EXAMPLES.example(index).tables
        assert [text(code) for code in batch.table.fields[index].tolist()] == [
            n.lower() for n in table.field_names
        ]
        for row, codes in enumerate(batch.table.cells[index].tolist()):
            spelled = [table.text(row, column).lower() for column in range(len(codes))]
            assert [text(code) for code in codes] == spelled


def test_answers_point_at_the_cell_of_the_answer(batch: Batch) -> None:
    answers = batch.table.cells.flatten(1).gather(1, batch.answers[:, None])
    assert [text(code) for code in answers.flatten().tolist()] == [w.lower() for w in EXAMPLES.answer_words()]
    _, rows, columns = EXAMPLES.answers.T
    assert (batch.answers // 10).tolist() == rows.tolist()
    assert (batch.answers % 10).tolist() == columns.tolist()


def test_mentions_by_brute_force(batch: Batch) -> None:
    for index in range(len(batch)):
        words = set(split_words(EXAMPLES.questions[index]))
        (table,) = EXAMPLES.example(index).tables
        for row in range(table.row_count):
            for column in range(len(table.fields)):
                said = table.text(row, column).lower() in words
                assert bool(batch.table.mentions[index, row, column]) == said


def test_steps_end_with_the_answer_and_conditions_come_first(batch: Batch) -> None:
    select_where = PROGRAM_TYPES.index("select_where")
    for steps, kind, labels in zip(EXAMPLES.steps, EXAMPLES.types, batch.steps.tolist(), strict=True):
        expected = steps.tolist()
        if kind == select_where:
            expected = [expected[3], -1, -1, -1, expected[4]]
        assert labels == expected
    assert torch.equal(batch.steps[:, -1], batch.answers % 10)


def test_by_value_every_cell_of_that_value_is_an_answer() -> None:
    encoded = encode(EXAMPLES, VOCABULARY, by_value=True)
    assert encoded.answer_cells is not None
    for index in range(len(encoded)):
        value = encoded.table.cells[index].flatten()[encoded.answers[index]]
        assert torch.equal(encoded.answer_cells[index], encoded.table.cells[index].flatten() == value)
    assert (encoded.answer_cells.sum(dim=1) > 1).any()


def test_unknown_words_have_one_code_and_are_never_mentions() -> None:
    vocabulary = Vocabulary(("how", "year"), frozenset())
    encoded = encode(EXAMPLES, vocabulary)
    assert (encoded.words == UNKNOWN).any()
    assert (encoded.table.cells == UNKNOWN).all()
    assert not encoded.table.mentions.any()


def test_a_question_without_words_is_padding() -> None:
    silent = replace(EXAMPLES.select([0]), questions=["?"])
    assert encode(silent, VOCABULARY).words.tolist() == [[PADDING]]


def test_no_examples() -> None:
    assert len(encode(EXAMPLES.select([]), VOCABULARY)) == 0


def test_order_of_examples_does_not_matter(batch: Batch) -> None:
    order = np.arange(len(EXAMPLES))[::-1].copy()
    moved: ExampleSet = EXAMPLES.select(order)
    assert vocabulary_of(moved) == VOCABULARY
    reverse = encode(moved, VOCABULARY)
    expected = batch.select(torch.from_numpy(order))
    assert torch.equal(reverse.words, expected.words)
    assert torch.equal(reverse.table.cells, expected.table.cells)
    assert torch.equal(reverse.table.mentions, expected.table.mentions)
