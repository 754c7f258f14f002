"""What networks answer to encoded questions, and the share of right cells, per type of question."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from neural_enquirer.checkpoint import Checkpoint
from neural_enquirer.encoding.any_batch import AnyBatch
from neural_enquirer.encoding.batch import Batch
from neural_enquirer.encoding.closed import EncodingError, encode
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

    @classmethod
    def of(
        cls, right: npt.NDArray[np.bool_], types: npt.NDArray[np.integer], names: Sequence[str]
    ) -> "Accuracy":
        """Counts which questions were answered right; `types` are places among `names`."""
        of_type = {name: right[types == code] for code, name in enumerate(names)}
        by_type = {name: float(own.mean()) for name, own in of_type.items() if len(own)}
        return cls(float(right.mean()) if len(right) else 0.0, by_type, len(right))


def encode_questions(trained: Checkpoint, examples: ExampleSet) -> Batch:
    """Encodes questions for a model with a closed vocabulary.

    Raises:
        EncodingError: if the model reads another number of tables.
    """
    count = len(examples.tables)
    if not trained.model.reads(count):
        raise EncodingError(f"these questions have {count} tables each, which this model does not read")
    return encode(examples, trained.vocabulary, trained.form)


@dataclass(frozen=True)
class CellAnswers:
    """What a system answers to the questions of a closed task.

    Attributes:
        places: the cell of each answer, counted table by table and row by row.
        confidences: how probable each is.
    """

    places: npt.NDArray[np.int64]
    confidences: npt.NDArray[np.float64]


def answers_of(trained: Checkpoint, examples: ExampleSet, device: torch.device | str) -> CellAnswers:
    """Returns what a network answers; entities that training never met get the vectors of their text.

    Raises:
        EncodingError: if the model reads another number of tables.
    """
    knowing = trained.knowing(examples.entity_words)
    batch = encode_questions(knowing, examples).to(device)
    places, confidences = choose(knowing.model.to(device), batch, trained.temperature)
    return CellAnswers(places.cpu().numpy(), confidences.double().cpu().numpy())


def predict(model: Network, batch: AnyBatch) -> Int[Tensor, "batch"]:
    """Returns the most likely cell of each question; see `choose`."""
    return choose(model, batch)[0]


@torch.no_grad()
def choose(
    model: Network, batch: AnyBatch, temperature: float = 1.0
) -> tuple[Int[Tensor, "batch"], Float[Tensor, "batch"]]:
    """Returns the most likely cell of each question, counted row by row, and its probability.

    The number after the last cell stands for "none of them", where the model can say so.
    Questions of like length are answered together, so that the query encoder has all of them at work.
    """
    was_training = model.training
    model.eval()
    order = (batch.words != PADDING).sum(dim=1).argsort()
    answers = torch.empty_like(batch.answers)
    chances = torch.empty_like(batch.answers, dtype=torch.float32)
    for chosen in order.split(CHUNKS[batch.words.device.type]):
        scores = model(batch.select(chosen)).candidates() / temperature
        best, answers[chosen] = scores.max(dim=1)
        chances[chosen] = (best - scores.logsumexp(dim=1)).exp().to(chances.dtype)
    model.train(was_training)
    return answers, chances


def accuracy(
    model: Network,
    batches: Sequence[AnyBatch],
    names: tuple[str, ...],
) -> Accuracy:
    """Compares the most likely cells with the answers' cells; `names` are those of the types."""
    right = torch.cat([_right(predict(model, batch), batch) for batch in batches])
    types = torch.cat([batch.types for batch in batches])
    return Accuracy.of(right.cpu().numpy(), types.cpu().numpy(), names)


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
