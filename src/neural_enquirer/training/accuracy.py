"""Evaluation: the share of questions answered with the right cell, per type of question."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from neural_enquirer.checkpoint import Checkpoint
from neural_enquirer.encoding.any_batch import AnyBatch
from neural_enquirer.encoding.batch import Batch
from neural_enquirer.encoding.closed import EncodingError, encode, type_names
from neural_enquirer.encoding.program_batch import ProgramBatch
from neural_enquirer.encoding.words import PADDING
from neural_enquirer.model.network import Network
from neural_enquirer.synthesis.examples import ExampleSet

CHUNKS = {"cpu": 256, "cuda": 5000}
"""Questions answered at once: on the CPU few enough that what is in work stays in its caches."""

PROGRAM_CHUNK = 500
PROGRAMS = "programs"
"""What the share of questions is called whose programs are found."""


@dataclass(frozen=True)
class Accuracy:
    """Accuracies between 0 and 1; types with no question are left out."""

    overall: float
    by_type: dict[str, float]
    examples: int


def encode_questions(trained: Checkpoint, examples: ExampleSet) -> Batch:
    """Encodes questions for a model with a closed vocabulary.

    Raises:
        EncodingError: if the model reads another number of tables.
    """
    count = len(examples.tables)
    if not trained.model.reads(count):
        raise EncodingError(f"these questions have {count} tables each, which this model does not read")
    return encode(examples, trained.vocabulary, trained.form)


def accuracy_of(trained: Checkpoint, examples: ExampleSet, device: torch.device | str) -> Accuracy:
    """Returns the share of questions that a network answers with the right cell.

    Entities that training never met get the vectors that their text decides.

    Raises:
        EncodingError: if the model reads another number of tables.
    """
    knowing = trained.knowing(examples.entity_words)
    batch = encode_questions(knowing, examples).to(device)
    return accuracy(knowing.model.to(device), [batch], type_names(examples))


@torch.no_grad()
def predict(model: Network, batch: AnyBatch) -> Int[Tensor, "batch"]:
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
    model: Network,
    batches: Sequence[AnyBatch],
    names: tuple[str, ...],
) -> Accuracy:
    """Compares the most likely cells with the answers' cells; `names` are those of the types."""
    count = correct = torch.zeros(len(names), dtype=torch.int64)
    for batch in batches:
        right = batch.types[_right(predict(model, batch), batch)]
        count = count + torch.bincount(batch.types, minlength=len(names)).cpu()
        correct = correct + torch.bincount(right, minlength=len(names)).cpu()
    by_type = {
        name: hits / total
        for name, hits, total in zip(names, correct.tolist(), count.tolist(), strict=True)
        if total
    }
    total = int(count.sum())
    return Accuracy(int(correct.sum()) / max(total, 1), by_type, total)


@torch.no_grad()
def with_programs(found: Accuracy, model: Network, batches: Sequence[ProgramBatch]) -> Accuracy:
    """Adds the share of questions whose programs the model finds likelier than all others."""
    was_training = model.training
    model.eval()
    hits = [
        int(model(batch.select(chosen)).found().sum())
        for batch in batches
        for chosen in torch.arange(len(batch), device=batch.schema.words.device).split(PROGRAM_CHUNK)
    ]
    model.train(was_training)
    total = sum(map(len, batches))
    share = sum(hits) / max(total, 1)
    by_type = {**found.by_type, PROGRAMS: share}
    return Accuracy((found.overall + share) / 2, by_type, found.examples + total)


def _right(predicted: Int[Tensor, "batch"], batch: AnyBatch) -> Bool[Tensor, "batch"]:
    """Returns which predictions hold: the answer's cell, or any that holds its value if no more is known."""
    if batch.answer_cells is None:
        return predicted == batch.answers
    right = batch.answer_cells
    right = torch.cat((right, ~right.any(dim=1, keepdim=True)), dim=1)
    return right.gather(1, predicted[:, None])[:, 0]
