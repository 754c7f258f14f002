"""Losses: what is learned from answers alone, and with the field of each step given."""

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn import functional

from neural_enquirer.encoding.any_batch import AnyBatch
from neural_enquirer.encoding.batch import Batch
from neural_enquirer.model.cascade import Output
from neural_enquirer.model.multi_table import MultiOutput


def answer_loss(output: Output | MultiOutput, batch: AnyBatch) -> Float[Tensor, ""]:
    """End-to-end (N2N): the mean of -log p(y | Q, T).

    Where only the answer's value is known, p(y) is the sum over all cells that hold it; where the model can
    say so and no cell holds it, p(y) is that of the answer not being in the table.
    """
    scores = output.candidates()
    if batch.answer_cells is None:
        return functional.cross_entropy(scores, batch.answers)
    right = batch.answer_cells.flatten(1)
    if output.none_scores is not None:
        right = torch.cat((right, ~right.any(dim=1, keepdim=True)), dim=1)
    held = scores.masked_fill(~right, -torch.inf)
    return (scores.logsumexp(dim=1) - held.logsumexp(dim=1)).mean()


def field_loss(output: Output, batch: Batch) -> Float[Tensor, ""]:
    """The mean over questions of -Σ_ℓ log ω̃(f*_ℓ), over the executors whose field is known.

    Labels are aligned at the end: a question of fewer steps than executors leaves the first ones free, one of
    more steps than executors goes without its first labels.
    """
    known = min(len(output.field_scores), batch.steps.shape[1] - 1)
    scores = torch.cat(output.field_scores[-known:])
    labels = batch.steps[:, -1 - known : -1].T.flatten()
    total = functional.cross_entropy(scores, labels, ignore_index=-1, reduction="sum")
    return total / len(batch)


def step_by_step_loss(output: Output, batch: Batch, alpha: float) -> Float[Tensor, ""]:
    """Step-by-step (SbS): the answer's loss plus α times the field loss."""
    return answer_loss(output, batch) + alpha * field_loss(output, batch)
