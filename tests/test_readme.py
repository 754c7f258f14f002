"""Runs what the README and the pages on programs and training tell people to type, in an empty folder."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "README.md"
PAGES = (README, *(README.parent / "docs" / name for name in ("programs.md", "training.md")))
SET_UP = ("make ", "source .venv/bin/activate")
"""What the commands that need an installed package are preceded by; it is not run here."""


def blocks(language: str) -> list[str]:
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


# The commands of a block belong together: a later one may use what an earlier one has made.
SCRIPTS = [
    script
    for block in blocks("bash")
    if (
        script := "\n".join(
            line for line in block.splitlines() if line.strip() and not line.startswith(SET_UP)
        )
    )
]
SNIPPETS = blocks("python")


def run(command: list[str], folder: Path) -> str:
    # The commands of the environment that runs the tests come first, as after `source .venv/bin/activate`.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    process = subprocess.run(
        command, cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
    )
    assert process.returncode == 0, process.stderr
    return process.stdout


def test_there_is_something_to_run() -> None:
    assert SNIPPETS
    assert SCRIPTS


def test_only_set_up_is_left_out() -> None:
    left_out = [line for block in blocks("bash") for line in block.splitlines() if line.startswith(SET_UP)]
    assert [line.partition("#")[0].strip() for line in left_out] == ["make ask", "source .venv/bin/activate"]


@pytest.mark.parametrize("script", SCRIPTS)
def test_commands(script: str, tmp_path: Path) -> None:
    run(["bash", "-euo", "pipefail", "-c", script], tmp_path)


@pytest.mark.parametrize("snippet", SNIPPETS)
def test_python_prints_what_it_says(snippet: str, tmp_path: Path) -> None:
    promised = re.findall(r"# prints: (.*)$", snippet, re.MULTILINE)
    assert run([sys.executable, "-W", "error", "-c", snippet], tmp_path).splitlines() == promised


def test_map_is_complete() -> None:
    """Every part of the package stands in the table of the README, and nothing that is not there."""
    package = README.parent / "src" / "neural_enquirer"
    parts = {
        path.name + "/" * path.is_dir() for path in package.iterdir() if path.is_dir() or path.suffix == ".py"
    }
    table = (
        README.read_text(encoding="utf-8").partition("| in `src/neural_enquirer/`")[2].partition("\n\n")[0]
    )
    assert set(re.findall(r"`([a-z_]+(?:\.py|/))`", table)) == parts - {"__init__.py", "__pycache__/"}
