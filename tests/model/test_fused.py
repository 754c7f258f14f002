"""The Triton kernels against the plain model, on a GPU and, where Triton is installed, in its interpreter."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from fused_checks import check
from model_samples import random_batch, random_model
from neural_enquirer.model import fused_cascade, fused_recurrence


@pytest.mark.gpu
@pytest.mark.parametrize("reset_after", [False, True])
@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize("grounded", [False, True])
def test_on_a_gpu(reset_after: bool, padded: bool, grounded: bool) -> None:
    check("cuda", reset_after=reset_after, padded=padded, grounded=grounded)


@pytest.mark.gpu
def test_a_gpu_uses_the_kernels() -> None:
    batch, model = random_batch().to("cuda"), random_model().float().to("cuda")
    assert fused_recurrence.usable(batch.words, model.config.state_size)
    assert fused_cascade.usable(model.cascade, torch.zeros(3, 3, 4, 3, device="cuda"))


@pytest.mark.skipif(
    importlib.util.find_spec("triton") is None, reason="needs the package triton, which is not installed"
)
def test_in_the_interpreter() -> None:
    checks = Path(__file__).with_name("fused_checks.py")
    environment = {**os.environ, "TRITON_INTERPRET": "1", "OMP_NUM_THREADS": "1"}
    result = subprocess.run(
        [sys.executable, str(checks)], env=environment, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr


def test_the_cpu_goes_without_kernels() -> None:
    batch, model = random_batch(), random_model()
    assert not fused_recurrence.usable(batch.words, model.config.state_size)
    assert not fused_cascade.usable(model.cascade, torch.zeros(3, 3, 4, 3))
