"""Holds the Triton kernels against the plain model.

As a script it needs neither a GPU, with Triton's interpreter, nor pytest, on a machine that has one:

    TRITON_INTERPRET=1 python tests/model/fused_checks.py
    PYTHONPATH=src python tests/model/fused_checks.py cuda
"""

import sys
from itertools import product
from unittest.mock import patch

import torch
from torch import Tensor

from model_samples import random_batch, random_model, with_padding
from neural_enquirer.encoding.batch import Batch
from neural_enquirer.model import fused_cascade, fused_recurrence
from neural_enquirer.model.enquirer import NeuralEnquirer
from neural_enquirer.training.losses import step_by_step_loss


def check(device: str, *, reset_after: bool, padded: bool, grounded: bool) -> None:
    """Compares scores, annotations and gradients for more questions than one program takes."""
    batch = random_batch(tuple(1 + i % 6 for i in range(fused_recurrence.QUESTIONS + 3)), rows=5)
    batch = (with_padding(batch) if padded else batch).to(device)
    model = random_model(executors=3, reset_after=reset_after, grounded=grounded).float().to(device)
    expected, found = outcome(model, batch, fused=False), outcome(model, batch, fused=True)
    for name, value in expected.items():
        torch.testing.assert_close(
            found[name], value, rtol=1e-4, atol=1e-5, msg=lambda text, name=name: f"{name}: {text}"
        )


def outcome(model: NeuralEnquirer, batch: Batch, *, fused: bool) -> dict[str, Tensor]:
    """What a step of training computes, with or without the kernels."""
    model.zero_grad()
    with (
        patch.object(fused_cascade, "usable", return_value=fused),
        patch.object(fused_recurrence, "usable", return_value=fused),
    ):
        output = model(batch)
        step_by_step_loss(output, batch, alpha=0.5).backward()
    scores = {"answers": output.candidates(), "field_scores": torch.stack(output.table.field_scores)}
    return {
        **scores,
        "row annotations": torch.stack([memory.rows for memory in output.table.memories]),
        "table annotations": torch.stack([memory.table for memory in output.table.memories]),
        **{name: parameter.grad for name, parameter in model.named_parameters()},
    }


if __name__ == "__main__":
    if sys.argv[1:] == ["cuda"]:
        for chosen in product((False, True), repeat=3):
            check("cuda", **dict(zip(("reset_after", "padded", "grounded"), chosen, strict=True)))
    else:  # all would take the interpreter minutes
        check("cpu", reset_after=False, padded=True, grounded=True)
        check("cpu", reset_after=True, padded=False, grounded=False)
