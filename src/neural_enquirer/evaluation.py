"""Evaluation: the share of questions answered with the right cell, per query type."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from neural_enquirer.encoding.batch import Batch
from neural_enquirer.encoding.open_batch import OpenBatch
from neural_enquirer.encoding.words import PADDING
from neural_enquirer.model.enquirer import NeuralEnquirer
from neural_enquirer.model.open_enquirer import OpenEnquirer

CHUNKS = {"cpu": 256, "cuda": 5000}
"""Questions answered at once: on the CPU few enough that what is in work stays in its caches."""


@dataclass(frozen=True)
class Accuracy:
    """Accuracies between 0 and 1; types with no question are left out."""

    overall: float
    by_type: dict[str, float]
    examples: int


@torch.no_grad()
def predict(model: NeuralEnquirer | OpenEnquirer, batch: Batch | OpenBatch) -> Int[Tensor, "batch"]:
    """Returns the most likely cell of each question, counted row by row.

    The number after the last cell stands for "none of them", where the model can say so.
    Questions of like length are answered together, so that the query encoder has all of them at work.
    """
    was_training = model.training
    model.eval()
    order = (batch.words != PADDING).sum(dim=1).argsort()
    answers = torch.empty_like(batch.answers)
    for chosen in order.split(CHUNKS[batch.words.device.type]):
        answers[chosen] = model(batch.select(chosen)).candidates().argmax(dim=1)
    model.train(was_training)
    return answers


def accuracy(
    model: NeuralEnquirer | OpenEnquirer, batch: Batch | OpenBatch, type_names: tuple[str, ...]
) -> Accuracy:
    """Compares the most likely cells with the answers' cells, any of them where several hold an answer."""
    right = _right(predict(model, batch), batch)
    count = torch.bincount(batch.types, minlength=len(type_names))
    correct = torch.bincount(batch.types[right], minlength=len(type_names))
    by_type = {
        name: hits / total
        for name, hits, total in zip(type_names, correct.tolist(), count.tolist(), strict=True)
        if total
    }
    return Accuracy(int(correct.sum()) / max(len(batch), 1), by_type, len(batch))


def _right(predicted: Int[Tensor, "batch"], batch: Batch | OpenBatch) -> Bool[Tensor, "batch"]:
    if batch.answer_cells is None:
        return predicted == batch.answers
    held = batch.answer_cells.flatten(1)
    candidates = torch.cat((held, ~held.any(dim=1, keepdim=True)), dim=1)
    return candidates.gather(1, predicted[:, None]).squeeze(1)
