"""What holds for all tests: tensor shapes are checked, and tests that need a GPU say so."""

import os
from pathlib import Path

import pytest
from jaxtyping import install_import_hook

import command_line

# Before torch is loaded: the tests' models are so small that threads would only wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")

PACKAGE = Path(__file__).parents[1] / "src" / "neural_enquirer"


def checked_modules() -> list[str]:
    """All modules through which tensors go but those with kernels, which Triton has to find as written."""
    return [
        f"neural_enquirer.{folder.replace('/', '.')}.{path.stem}"
        for folder in ("encoding", "model", "training", "baselines/neural_programmer")
        for path in (PACKAGE / folder).glob("[a-z]*.py")
        if not path.stem.startswith("fused_")
    ]


# Before any test imports them: from here on, a tensor whose shape differs from its annotation is an error.
install_import_hook(checked_modules(), "beartype.beartype")


@pytest.fixture
def enquirer(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> command_line.Run:
    """Runs the command in this process: exit status, standard output, standard error."""
    return command_line.runner(monkeypatch, capsys)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    marked = [item for item in items if item.get_closest_marker("gpu")]
    if not marked or _has_cuda():
        return
    for item in marked:
        item.add_marker(pytest.mark.skip(reason="needs a CUDA device, and this machine has none"))


def _has_cuda() -> bool:
    import torch  # only when a test asks: most test files never load it

    return torch.cuda.is_available()
