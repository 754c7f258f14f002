"""The whole reproduction where only torch, numpy, safetensors and jaxtyping are installed."""

import importlib.metadata
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from neural_enquirer.reproduction.__main__ import main

REPOSITORY = Path(__file__).parents[2]
INSTALLED = ("torch", "numpy", "safetensors", "jaxtyping")


def needed(names: tuple[str, ...]) -> dict[str, importlib.metadata.Distribution]:
    """Returns packages with all that they ask for themselves, extras left out."""
    found: dict[str, importlib.metadata.Distribution] = {}
    left = list(names)
    while left:
        name = re.sub(r"[-_.]+", "-", left.pop()).lower()
        try:
            found[name] = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:  # for another system
            continue
        wanted = [line for line in found[name].requires or () if "extra ==" not in line]
        names_of = (re.match(r"[\w.-]+", line) for line in wanted)
        left += [
            each[0] for each in names_of if each and re.sub(r"[-_.]+", "-", each[0]).lower() not in found
        ]
    return found


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a Python that sees these packages and the checkout, and nothing else."""
    packages = tmp_path_factory.mktemp("bare")
    for distribution in needed(INSTALLED).values():
        tops = {path.parts[0] for path in distribution.files or () if path.parts[0] != ".."}
        for top in tops - {"__pycache__"}:
            place = Path(str(distribution.locate_file(top)))
            if place.exists() and not (packages / top).exists():
                (packages / top).symlink_to(place)
    path = os.pathsep.join([str(REPOSITORY / "src"), str(packages)])
    return {**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""}


def ran(bare: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs Python without the packages of this environment."""
    command = [sys.executable, "-S", *arguments]
    return subprocess.run(command, env=bare, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("package", ["typer", "rich", "matplotlib", "sqlglot", "duckdb", "pyarrow"])
def test_others_are_not_there(bare: dict[str, str], package: str) -> None:
    assert "ModuleNotFoundError" in ran(bare, "-c", f"import {package}").stderr


def test_all_of_it_runs_on_a_bare_machine_and_goes_on_where_it_was(
    bare: dict[str, str], tmp_path: Path
) -> None:
    out = tmp_path / "results"
    command = ("-m", "neural_enquirer.reproduction")
    options = ("--quick", "--out", str(out), "--workers", "2", "--device", "cpu")
    first = ran(bare, *command, "large-kb", *options)
    assert first.returncode == 0, first.stderr
    assert "Large knowledge source" in first.stdout
    before = {path: path.stat().st_mtime_ns for path in out.glob("runs/*/*.json")}
    assert len(before) >= 3
    again = ran(bare, *command, "large-kb", *options)
    assert again.stderr == ""
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert (out / "README.md").is_file()


def test_figures_and_curves_are_left_to_another_machine(bare: dict[str, str], tmp_path: Path) -> None:
    """Nothing is trained: what is drawn comes from the models of the package, as far as it goes."""
    show = (
        "from pathlib import Path\n"
        "from neural_enquirer.reproduction import reproduce, stored\n"
        f"request = reproduce.Request('figures', quick=True, out=Path({str(tmp_path)!r}))\n"
        "reproduce._show(request, stored.Results(request.folder))\n"
    )
    done = ran(bare, "-c", show)
    assert done.returncode == 0, done.stderr
    assert "figures: not drawn, matplotlib is not installed" in done.stdout
    assert (tmp_path / "plateau.json").is_file()


def test_what_cannot_be_done_is_said_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["table2", "--seeds", "0"]) == 2
    assert (
        capsys.readouterr().err
        == "python -m neural_enquirer.reproduction: --seeds must be 1 or more, not 0\n"
    )
    assert main(["oov", "--only", "open", "--quick"]) == 2
    assert "oov has no experiment open" in capsys.readouterr().err
