"""Asking without what only training needs: nothing of it is loaded, and nothing of it has to be there."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
GAMES, QUESTION = str(EXAMPLES / "olympics.csv"), "Which city hosted the games in 2000?"
TRAINING = ("torch", "jaxtyping", "pyarrow")
HEAVY = {
    *TRAINING,
    "matplotlib",
    "pandas",
    "duckdb",
    "sqlglot",
    "fastapi",
    "rich",
    "numpy.ma",
}


def run(*arguments: str, without: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, in which some packages cannot be imported."""
    code = (
        "import importlib.abc, sys\n"
        "class Missing(importlib.abc.MetaPathFinder):\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name in {without!r}: raise ModuleNotFoundError(name, name=name)\n"
        "sys.meta_path.insert(0, Missing())\n"
        "import importlib.util\n"
        "find = importlib.util.find_spec\n"
        f"importlib.util.find_spec = lambda name: None if name in {without!r} else find(name)\n"
        "from neural_enquirer.cli.app import main\n"
        "main()\n"
    )
    command = [sys.executable, "-X", "importtime", "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def loaded(done: subprocess.CompletedProcess[str]) -> set[str]:
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip() for line in lines}


def complaint(done: subprocess.CompletedProcess[str]) -> str:
    return "\n".join(line for line in done.stderr.splitlines() if not line.startswith("import time:"))


def test_an_answer_takes_nothing_but_what_it_needs() -> None:
    done = run("ask", GAMES, QUESTION)
    assert done.returncode == 0, complaint(done)
    assert done.stdout
    assert not loaded(done) & HEAVY


@pytest.mark.parametrize(
    "arguments",
    [
        ("ask", GAMES, QUESTION, "--explain", "--sql"),
        ("ask", GAMES, QUESTION, "--json"),
        ("evaluate", "open", "--task", "open", "--examples", "4"),
        ("models",),
        ("profile", GAMES),
    ],
    ids=lambda arguments: arguments[0],
)
def test_what_training_needs_may_be_missing(arguments: tuple[str, ...]) -> None:
    done = run(*arguments, without=TRAINING)
    assert done.returncode == 0, complaint(done)
    assert done.stdout


@pytest.mark.parametrize(
    ("arguments", "package", "extra"),
    [
        (("train", "experiments/open.toml", "--out", "nowhere"), "torch", "train"),
        (("generate", "open", "--out", "nowhere"), "pyarrow", "train"),
        (("reproduce", "table2"), "torch", "train"),
        (("models", "--export", "nowhere"), "torch", "export"),
        (("ask", GAMES, QUESTION, "--model", "olympics-sbs"), "torch", "train"),
        (("ask", GAMES, QUESTION, "--figure", "why.png"), "matplotlib", "figure"),
    ],
    ids=["train", "generate", "reproduce", "export", "a closed model", "a figure"],
)
def test_what_is_missing_is_told_in_one_line(arguments: tuple[str, ...], package: str, extra: str) -> None:
    done = run(*arguments, without=(package,))
    assert done.returncode == 2
    (line,) = complaint(done).splitlines()
    assert line.endswith(f"needs {package}, which is not installed; run: pip install '.[{extra}]'")
