"""What holds for all tests: tensor shapes are checked, and tests that need a GPU say so."""

import os
from pathlib import Path
from typing import Any

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


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of drawn questions as small as their kinds allow: blocks are drawn whole, if few are wanted."""
    from neural_enquirer.synthesis.open import sampler

    monkeypatch.setattr(sampler, "BLOCK", sum(sampler.ONE_TABLE.ratio.values()))


TOGETHER = {
    "all data sets": [
        f"tests/synthesis/test_{name}.py" for name in ("data_card", "tasks", "templates", "verification")
    ],
    "all engines": [f"tests/engines/test_{name}.py" for name in ("engines_agree", "opening", "safe_engines")],
}
"""Files that share what takes long to make, such as a Spark session: one process runs them all."""
LONGEST = (
    "tests/test_cli_training.py",
    "tests/reproduction/test_reproduce.py",
    "tests/web/test_page_access.py",
    "tests/web/test_page_answers.py",
    "tests/web/test_page_table.py",
    "tests/web/test_page.py",
    "tests/test_hostile.py",
    "tests/training/test_loop.py",
    "tests/test_readme.py",
)
"""Files that take long, and are begun first as the above are, so that no process waits for another."""
_GROUPS = {file: group for group, files in TOGETHER.items() for file in files}


def _group(nodeid: str) -> str:
    file = nodeid.partition("::")[0]
    return _GROUPS.get(file, file)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Shares the files out, in the order in which they were collected (--no-loadscope-reorder)."""
    from xdist.scheduler import LoadScopeScheduling

    class Grouped(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return _group(nodeid)

    return Grouped(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    order = {group: place for place, group in enumerate([*TOGETHER, *LONGEST])}
    items.sort(key=lambda item: order.get(_group(item.nodeid), len(order)))
    _skip_without_gpu(items)


def _skip_without_gpu(items: list[pytest.Item]) -> None:
    marked = [item for item in items if item.get_closest_marker("gpu")]
    if not marked or _has_cuda():
        return
    for item in marked:
        item.add_marker(pytest.mark.skip(reason="needs a CUDA device, and this machine has none"))


def _has_cuda() -> bool:
    import torch  # only when a test asks: most test files never load it

    return torch.cuda.is_available()
