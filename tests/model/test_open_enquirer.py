"""The open model: what must hold whatever the weights are."""

import datetime
from dataclasses import replace

import pytest
import torch
from torch import Tensor

from neural_enquirer.encoding.open import OpenQuestion, prepare_all
from neural_enquirer.encoding.open_batch import OpenBatch
from neural_enquirer.encoding.padding import Sizes, TableSizes, collate
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.model.open_enquirer import OpenConfig, OpenEnquirer
from neural_enquirer.model.output import Output
from neural_enquirer.tables import Table
from neural_enquirer.training.losses import answer_loss

VOCABULARY = Vocabulary(
    (
        "which",
        "what",
        "the",
        "of",
        "has",
        "most",
        "tallest",
        "height",
        "than",
        "more",
        "city",
        "in",
        "before",
    ),
    frozenset(),
)
CONFIG = OpenConfig(
    executors=3,
    embedding_size=8,
    link_size=4,
    field_size=8,
    cell_size=8,
    annotation_size=8,
    hidden_size=12,
    state_size=6,
)

RECORDS = [
    {"city": "Athens", "height": 3, "opened": datetime.date(1999, 1, 1), "note": "old"},
    {"city": "Rome", "height": 9, "opened": datetime.date(2004, 5, 1), "note": None},
    {"city": "New York", "height": 5, "opened": datetime.date(2010, 1, 1), "note": "new"},
    {"city": "Oslo", "height": None, "opened": datetime.date(2015, 1, 1), "note": "new"},
]
QUESTIONS = [
    "which city has the tallest height",
    "what height has new york",
    "the most in 2004 before more than 3",
]


@pytest.fixture
def model() -> OpenEnquirer:
    torch.manual_seed(0)
    return OpenEnquirer(CONFIG, torch.randn(len(VOCABULARY) - 1, CONFIG.embedding_size)).eval()


def prepared(records: list[dict[str, object]], questions: list[str]) -> list[OpenQuestion]:
    table = Table.of(records)
    return prepare_all([((table,), question) for question in questions], VOCABULARY)


def batch() -> OpenBatch:
    return collate(prepared(RECORDS, QUESTIONS), answers=[((0, 1, 0),), ((0, 2, 1),), ()])


def scores_of(output: Output) -> Tensor:
    """The scores of the cells of the only table."""
    (table,) = output.tables
    return table.answer_scores


def test_answers_and_field_weights_are_distributions(model: OpenEnquirer) -> None:
    output = model(batch())
    torch.testing.assert_close(output.candidates().softmax(dim=1).sum(dim=1), torch.ones(3))
    for scores in output.tables[0].field_scores:
        torch.testing.assert_close(scores.softmax(dim=1).sum(dim=1), torch.ones(3))


def test_a_missing_cell_is_never_the_answer(model: OpenEnquirer) -> None:
    scores = scores_of(model(batch()))
    assert (scores[:, 1, 3] == -torch.inf).all()
    assert (scores[:, 3, 1] == -torch.inf).all()


def test_padding_never_changes_an_answer(model: OpenEnquirer) -> None:
    questions = prepared(RECORDS, QUESTIONS)
    plain = model(collate(questions))
    padded = model(collate(questions, Sizes(20, 5, 4, (TableSizes(rows=9, fields=7, headers=4),))))
    torch.testing.assert_close(scores_of(padded)[:, :4, :5], scores_of(plain))
    torch.testing.assert_close(padded.none_scores, plain.none_scores)
    assert (scores_of(padded)[:, 4:] == -torch.inf).all()
    assert (scores_of(padded)[:, :, 4:] == -torch.inf).all()


def without_order(some: OpenBatch) -> OpenBatch:
    """Takes the field away that holds the order of rows."""
    (table,) = some.tables
    sizes = table.sizes - torch.tensor([0, 1], dtype=table.sizes.dtype)
    return replace(some, tables=(replace(table, sizes=sizes),))


def test_the_order_of_rows_never_answers(model: OpenEnquirer) -> None:
    assert (scores_of(model(batch()))[:, :, -1] == -torch.inf).all()


def test_permuting_rows_permutes_the_answer(model: OpenEnquirer) -> None:
    order = [2, 0, 3, 1]
    plain = scores_of(model(without_order(collate(prepared(RECORDS, QUESTIONS)))))
    moved = scores_of(model(without_order(collate(prepared([RECORDS[i] for i in order], QUESTIONS)))))
    torch.testing.assert_close(moved, plain[:, order])


def test_unknown_words_do_not_matter_when_they_link_alike(model: OpenEnquirer) -> None:
    """What counts is where a word points, not which word it is."""

    def scores(word: str) -> torch.Tensor:
        records = [{word: "a b", "x": 1}, {word: "c d", "x": 2}]
        asked = collate(prepared(records, [f"which {word} has the most x"]))
        return scores_of(model(asked)).softmax(dim=2)

    torch.testing.assert_close(scores("zorp"), scores("blick"), atol=0.2, rtol=0)


def test_it_learns_a_few_questions_by_heart() -> None:
    torch.manual_seed(0)
    model = OpenEnquirer(CONFIG, 0.3 * torch.randn(len(VOCABULARY) - 1, CONFIG.embedding_size))
    few = batch()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(150):
        optimizer.zero_grad()
        answer_loss(model(few), few).backward()
        optimizer.step()
    assert (model(few).candidates().argmax(dim=1) == few.answers).all()


@pytest.mark.parametrize(
    "setting",
    [{"executors": 1}, {"answer_depth": 1}, {"cell_size": 0}, {"attention_size": 0}, {"dropout": 1.0}],
)
def test_impossible_sizes_are_refused(setting: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="model"):
        OpenConfig(**setting)  # type: ignore[arg-type]
