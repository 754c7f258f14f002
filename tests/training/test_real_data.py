from pathlib import Path

import pytest
import torch

import real_folders
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.model.open_enquirer import OpenConfig, OpenEnquirer
from neural_enquirer.model.output import Output
from neural_enquirer.real_questions import RealExample, read_real
from neural_enquirer.tables import Table
from neural_enquirer.training.accuracy import accuracy
from neural_enquirer.training.cell_data import REAL_SHELVES, REAL_TYPES, encode_real
from neural_enquirer.training.losses import answer_loss
from neural_enquirer.training.open_words import joined_vocabulary, real_words

VOCABULARY = Vocabulary(("which", "country"), frozenset())
TABLE = Table.of([{"city": "Oslo", "year": 5}, {"city": "Rome", "year": 7}, {"city": "oslo", "year": None}])


def example(question: str, cells: tuple[tuple[int, int], ...] | None, table: Table = TABLE) -> RealExample:
    answers = () if cells is None else (table.text(*cells[0]),)
    return RealExample("q", table, question, answers, cells, cells is not None and len(cells) == 1)


OSLO, YEAR, NONE = (
    example("which city", ((0, 0), (2, 0))),
    example("year of rome", ((1, 1),)),
    example("how many", None),
)
SMALL = OpenConfig(
    executors=2,
    embedding_size=4,
    link_size=4,
    field_size=4,
    cell_size=4,
    annotation_size=4,
    hidden_size=4,
    state_size=4,
)


def test_all_cells_of_the_answer_share_the_credit() -> None:
    (batch,) = encode_real([OSLO, YEAR], VOCABULARY)
    cells = batch.answer_cells.view_as(batch.tables[0].ranks)
    assert cells.nonzero().tolist() == [[0, 0, 0], [0, 2, 0], [1, 1, 1]]
    assert batch.types.tolist() == [REAL_TYPES.index("wiki_table_questions")] * 2


def test_what_is_in_no_cell_is_left_out() -> None:
    assert [len(shelf) for shelf in encode_real([OSLO, NONE], VOCABULARY)] == [1]
    assert encode_real([NONE], VOCABULARY) == []


def test_each_example_lies_on_the_smallest_shelf_that_holds_it() -> None:
    long = Table.of([{"city": f"city {i}"} for i in range(30)])
    longest = Table.of([{"city": f"city {i}"} for i in range(60)])
    cells = ((0, 0),)
    shelves = encode_real([YEAR, example("x", cells, long), example("x", cells, longest), OSLO], VOCABULARY)
    assert [len(shelf) for shelf in shelves] == [2, 1]
    used = (REAL_SHELVES[0], REAL_SHELVES[-1])
    sizes = [(size.tables[0].rows, size.tables[0].fields) for size in used]
    assert [tuple(shelf.tables[0].ranks.shape[1:]) for shelf in shelves] == sizes


def test_types_may_stand_behind_others(tmp_path: Path) -> None:
    examples = read_real(real_folders.simple(tmp_path), "dev")
    (batch,) = encode_real(examples, VOCABULARY, first_type=10)
    assert batch.types.tolist() == [10, 10]


def test_a_batch_keeps_its_cells_when_it_is_cut_and_moved() -> None:
    (whole,) = encode_real([OSLO, YEAR], VOCABULARY)
    batch = whole.select(slice(1, 2)).to("cpu")
    assert batch.answer_cells.nonzero().tolist() == [[0, batch.tables[0].ranks.shape[2] + 1]]


def test_any_cell_with_the_answer_is_right_and_the_loss_is_finite() -> None:
    torch.manual_seed(0)
    model = OpenEnquirer(SMALL, torch.randn(len(VOCABULARY) - 1, 4))
    (batch,) = encode_real([OSLO, OSLO], VOCABULARY)
    output: Output = model(batch)
    loss = answer_loss(output, batch)
    loss.backward()
    assert loss.isfinite()
    assert all(weight.grad is None or weight.grad.isfinite().all() for weight in model.parameters())
    found = accuracy(model, [batch], REAL_TYPES)
    best = output.candidates().argmax(dim=1)
    fields = batch.tables[0].ranks.shape[2]
    right = [int(best[i]) in (0, 2 * fields) for i in (0, 1)]
    assert found.overall == pytest.approx(sum(right) / 2)


def test_words_are_those_of_questions_and_headers_but_not_of_cells() -> None:
    asked = [((TABLE,), f"Which town was Oslo in {i}?") for i in range(4)]
    assert real_words(asked, least=4) == {"which", "town", "was", "in"}
    assert real_words(asked[:1], least=1) == {"which", "town", "was", "in", "city", "year"}


def test_joining_words_changes_no_code() -> None:
    joined = joined_vocabulary(VOCABULARY, ["town", "which", "at"])
    assert joined.words == ("which", "country", "at", "town")
