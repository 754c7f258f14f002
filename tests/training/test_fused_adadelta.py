"""The kernel of AdaDelta against PyTorch's, on a GPU and, where Triton is installed, in its interpreter."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from torch import nn

from fused_adadelta_checks import check
from neural_enquirer.training.experiment import TrainingConfig
from neural_enquirer.training.fused_adadelta import FusedAdadelta
from neural_enquirer.training.optimization import make_optimizer


@pytest.mark.gpu
def test_on_a_gpu() -> None:
    check("cuda")
    weights = nn.Parameter(torch.ones(3, device="cuda"))
    assert isinstance(make_optimizer(weights, TrainingConfig()), FusedAdadelta)


@pytest.mark.skipif(
    importlib.util.find_spec("triton") is None, reason="needs the package triton, which is not installed"
)
def test_in_the_interpreter() -> None:
    checks = Path(__file__).with_name("fused_adadelta_checks.py")
    environment = {**os.environ, "TRITON_INTERPRET": "1", "OMP_NUM_THREADS": "1"}
    result = subprocess.run(
        [sys.executable, str(checks)], env=environment, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
