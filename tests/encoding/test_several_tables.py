"""Questions on several tables as tensors."""

import numpy as np
import pytest
import torch

from neural_enquirer.encoding.batch import Batch
from neural_enquirer.encoding.closed import encode, encode_tables, type_names, vocabulary_of
from neural_enquirer.encoding.words import PADDING, UNKNOWN, Vocabulary
from neural_enquirer.synthesis.examples import ExampleSet
from neural_enquirer.synthesis.tasks import generate
from neural_enquirer.tables import Table


@pytest.fixture(scope="module")
def examples() -> ExampleSet:
    return generate("olympics-two-tables", "train", examples=60)


@pytest.fixture(scope="module")
def vocabulary(examples: ExampleSet) -> Vocabulary:
    return vocabulary_of(examples)


@pytest.fixture(scope="module")
def batch(examples: ExampleSet, vocabulary: Vocabulary) -> Batch:
    return encode(examples, vocabulary, "sql")


def test_answers_are_cells_counted_over_all_tables(
    examples: ExampleSet, vocabulary: Vocabulary, batch: Batch
) -> None:
    cells = torch.cat([table.cells.flatten(1) for table in batch.tables], dim=1)
    found = cells.gather(1, batch.answers[:, None])[:, 0].tolist()
    assert found == vocabulary.encode(word.lower() for word in examples.answer_words())
    assert (batch.answers >= 70).tolist() == (examples.answers[:, 0] == 1).tolist()  # the second table


def test_every_other_question_is_a_join(examples: ExampleSet, batch: Batch) -> None:
    names = type_names(examples)
    assert [names[kind] for kind in batch.types[:4].tolist()] == ["non_join", "join"] * 2


def test_conditions_are_mentioned(examples: ExampleSet, batch: Batch) -> None:
    """The column of the condition mentions its value somewhere; the question has no other value."""
    mentions = torch.cat([table.mentions for table in batch.tables], dim=2)
    columns = torch.from_numpy(examples.steps[:, -2].astype(np.int64))
    assert mentions[torch.arange(len(batch)), :, columns].any(dim=1).all()


def test_by_value_all_cells_of_the_answers_value_count(examples: ExampleSet, vocabulary: Vocabulary) -> None:
    batch = encode(examples, vocabulary, by_value=True)
    cells = torch.cat([table.cells.flatten(1) for table in batch.tables], dim=1)
    assert batch.answer_cells is not None
    assert torch.equal(batch.answer_cells, cells == cells.gather(1, batch.answers[:, None]))


def test_select_and_to_keep_all_parts_together(batch: Batch) -> None:
    chosen = batch.select(torch.tensor([3, 1])).to("cpu")
    assert len(chosen) == 2
    assert torch.equal(chosen.tables[1].cells[1], batch.tables[1].cells[1])
    assert torch.equal(chosen.answers, batch.answers[[3, 1]])


def test_tables_of_any_size(vocabulary: Vocabulary) -> None:
    games = Table.of([{"country": "Qatar", "year": 2004}, {"country": "Atlantis", "year": 2008}])
    countries = Table.of([{"country": "Qatar"}])
    batch = encode_tables([((games, countries), "2004"), ((countries, games), "qatar")], vocabulary)
    first = batch.tables[0]
    assert first.cells.shape == (2, 2, 2)
    assert first.cells[0, 1, 0] == UNKNOWN
    assert first.values[0, 1, 0] == 0  # nobody knows whether two unknown words are the same
    assert first.cells[1].tolist()[1] == [PADDING, PADDING]
    assert first.row_mask is not None
    assert first.row_mask.tolist() == [[True, True], [True, False]]
    assert first.mentions[0].tolist() == [[False, True], [False, False]]
