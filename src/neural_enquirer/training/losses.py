"""Losses: what is learned from answers alone, and with the field of each step given."""

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn import functional

from neural_enquirer.encoding.any_batch import AnyBatch, Shelf
from neural_enquirer.encoding.batch import Batch
from neural_enquirer.encoding.program_batch import ProgramBatch
from neural_enquirer.model.output import Output
from neural_enquirer.model.program_decoder import NEVER, ProgramOutput

BEST = 0.3
"""The share of the programs' loss that counts the likeliest program alone."""


def answer_loss(output: Output, batch: AnyBatch) -> Float[Tensor, ""]:
    """End-to-end (N2N): the mean of -log p(y | Q, T).

    Where only the answer's value is known, p(y) is the sum over all cells that hold it; where the model can
    say so and no cell holds it, p(y) is that of the answer not being in the table.
    """
    scores = output.candidates()
    if batch.answer_cells is None:
        return functional.cross_entropy(scores, batch.answers)
    right = batch.answer_cells
    if output.none_scores is not None:
        right = torch.cat((right, ~right.any(dim=1, keepdim=True)), dim=1)
    held = scores.masked_fill(~right, -torch.inf)
    return (scores.logsumexp(dim=1) - held.logsumexp(dim=1)).mean()


def field_loss(output: Output, batch: Batch) -> Float[Tensor, ""]:
    """The mean over questions of -Σ_ℓ log ω̃(f*_ℓ), over the executors whose field is known.

    Labels are aligned at the end: a question of fewer steps than executors leaves the first ones free, one of
    more steps than executors goes without its first labels.
    """
    own = output.table.field_scores
    known = min(len(own), batch.steps.shape[1] - 1)
    scores = torch.cat(own[-known:])
    labels = batch.steps[:, -1 - known : -1].T.flatten()
    total = functional.cross_entropy(scores, labels, ignore_index=-1, reduction="sum")
    return total / len(batch)


def step_by_step_loss(output: Output, batch: Batch, alpha: float) -> Float[Tensor, ""]:
    """Step-by-step (SbS): the answer's loss plus α times the field loss."""
    return answer_loss(output, batch) + alpha * field_loss(output, batch)


def program_loss(output: ProgramOutput) -> Float[Tensor, ""]:
    """The mean of -log of the summed probability of a question's programs.

    Some of the programs that give an answer give it by chance. A part of the loss asks for the likeliest of
    them only, so that the model makes up its mind.
    """
    scores = output.scores
    told = scores.amax(dim=1) > NEVER / 10
    chosen = (1 - BEST) * scores.logsumexp(dim=1) + BEST * scores.amax(dim=1)
    return -torch.where(told, chosen, 0.0).sum() / told.sum().clamp(min=1)


def open_loss(output: Output | ProgramOutput, batch: Shelf) -> Float[Tensor, ""]:
    """What the open model learns from: cells that answer, and programs that do."""
    if isinstance(output, ProgramOutput):
        return program_loss(output)
    assert not isinstance(batch, ProgramBatch)
    return answer_loss(output, batch)
