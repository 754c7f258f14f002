"""Training and shipping on a machine that has little but torch."""

import subprocess
import sys
from pathlib import Path

import pytest

from neural_enquirer.checkpoint import load
from neural_enquirer.real_questions.everyday.programs import write_programs
from neural_enquirer.shipping import __main__ as alone
from neural_enquirer.training.state import read_progress
from shipping_runs import HELD_OUT, OTHERS, QUESTIONS, everyday

PROGRAMS = (
    "cells(city, largest(rows, people))",
    'cells(city, rows(country = "Australia"))',
    "count(rows)",
)
SCRIPT = """
import sys

class Bare:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"duckdb", "sqlglot", "typer", "rich", "matplotlib", "pyarrow"}:
            raise ImportError(name)

sys.meta_path.insert(0, Bare())
from neural_enquirer.shipping import __main__ as alone

def ship(shipment, told):
    print("shipped", shipment.run.name, [run.name for run in shipment.also])
    shipment.target.mkdir(exist_ok=True)

alone.ship = ship
if __name__ == "__main__":
    sys.exit(alone.main(sys.argv[1:]))
"""


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    """Everyday questions with their programs, about tables of two tenths and of another."""
    names = [*HELD_OUT[:2], *OTHERS[:2]]
    folder = everyday(tmp_path / "everyday", names)
    write_programs(
        folder, {f"{name}-{place}": program for name in names for place, program in enumerate(PROGRAMS)}
    )
    return folder


def test_runs_side_by_side_hold_out_their_own_tenth_and_go_on_where_they_were(
    tmp_path: Path, questions: Path
) -> None:
    script, out = tmp_path / "bare.py", tmp_path / "runs"
    script.write_text(SCRIPT)
    small = ["task.examples=20", "task.held_out=10", "training.epochs=1", "model.state_size=8"]
    command = [sys.executable, str(script), "experiments/open.toml", "--out", str(out), "--runs", "2"]
    command += ["--data", str(questions), "--device", "cpu", *(f"--set={setting}" for setting in small)]
    root = Path(__file__).parents[2]
    first = subprocess.run(command, capture_output=True, text=True, cwd=root, check=False)
    assert first.returncode == 0, first.stderr
    assert first.stdout.count("epoch 1/1") == 2
    for seed in (0, 1):
        progress = read_progress(out / str(seed))
        assert (progress.seed, progress.experiment["task"]["tenth"]) == (seed, seed)
        assert load(out / str(seed)).model.kind == "open"
    again = subprocess.run(command, capture_output=True, text=True, cwd=root, check=False)
    assert again.returncode == 0, again.stderr
    assert "epoch" not in again.stdout
    assert again.stdout.startswith("shipped ")


def test_what_is_wrong_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    closed = Path(__file__).parents[2] / "experiments" / "olympics-25k-n2n.toml"
    assert alone.main([str(closed), "--out", str(tmp_path), "--data", str(tmp_path)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "not of the open model" in line
    assert len(QUESTIONS) == len(PROGRAMS) + 1  # the last one has no answer
