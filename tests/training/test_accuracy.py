from dataclasses import replace

import pytest
import torch
from torch import nn

from neural_enquirer.encoding.batch import Batch, TableCodes
from neural_enquirer.model.network import Network
from neural_enquirer.model.output import Output, TableOutput
from neural_enquirer.training.accuracy import CHUNKS, Accuracy, accuracy, predict

TYPES = ("one", "two", "three")


class Fixed(Network):
    """Answers question i with the cell that its only word says."""

    def forward(self, batch: Batch) -> Output:
        assert not self.training
        scores = nn.functional.one_hot(batch.words[:, 0], 6).float()
        return Output.of_one(TableOutput(scores.view(-1, 2, 3), (), ()))


BATCH = Batch(
    words=torch.tensor([[0], [1], [2], [3], [4]]),
    tables=(
        TableCodes(
            fields=torch.ones(5, 3, dtype=torch.int64),
            cells=torch.ones(5, 2, 3, dtype=torch.int64),
            mentions=torch.zeros(5, 2, 3, dtype=torch.bool),
        ),
    ),
    answers=torch.tensor([0, 1, 5, 3, 0]),
    answer_cells=None,
    steps=torch.zeros(5, 5, dtype=torch.int64),
    types=torch.tensor([0, 0, 0, 2, 2]),
)


def test_accuracy_per_type() -> None:
    found = accuracy(Fixed(), [BATCH], TYPES)
    assert found.overall == pytest.approx(3 / 5)
    assert found.by_type == {"one": pytest.approx(2 / 3), "three": pytest.approx(1 / 2)}
    assert found.examples == 5


def test_only_the_cell_counts_not_its_value() -> None:
    """All cells hold the same word; another cell is wrong all the same."""
    assert accuracy(Fixed(), [replace(BATCH, answers=BATCH.answers + 1)], TYPES).overall == 0


@pytest.mark.parametrize("chunk", [1, 2, 5, 100])
def test_the_size_of_chunks_does_not_matter(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CHUNKS, "cpu", chunk)
    assert predict(Fixed(), BATCH).tolist() == [0, 1, 2, 3, 4]


class Doubtful(Fixed):
    """Says of every second question that the answer is not in the table."""

    def forward(self, batch: Batch) -> Output:
        return replace(super().forward(batch), none_scores=batch.words[:, 0] % 2 * 2.0)


def test_that_no_cell_is_the_answer_comes_after_the_cells() -> None:
    assert predict(Doubtful(), BATCH).tolist() == [0, 6, 2, 6, 4]
    answers = torch.tensor([0, 6, 5, 6, 0])
    assert accuracy(Doubtful(), [replace(BATCH, answers=answers)], TYPES).overall == pytest.approx(3 / 5)


def test_no_questions() -> None:
    nothing = BATCH.select(slice(0))
    assert accuracy(Fixed(), [nothing], TYPES) == Accuracy(0.0, {}, 0)


@pytest.mark.parametrize("training", [False, True])
def test_leaves_the_model_as_it_was(training: bool) -> None:
    model = Fixed().train(training)
    predict(model, BATCH)
    assert model.training is training
