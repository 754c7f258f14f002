"""`enquirer reproduce`, end to end at a tiny size."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from command_line import ENQUIRER, Run, assert_one_line
from neural_enquirer.reproduction import figures
from neural_enquirer.reproduction.reproduce import ReproductionError, Request, plan
from neural_enquirer.reproduction.stored import QUICK_NOTE

# One thread: then sums are taken in the same order by whoever takes them.
ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""}


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The results of the whole paper at a tiny size, and what was printed."""
    out = tmp_path_factory.mktemp("quick") / "results"
    command = [*ENQUIRER, "reproduce", "--quick", "--out", str(out)]
    done = subprocess.run(
        command, env={**ENVIRONMENT, "COLUMNS": "80"}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return out, done.stdout


def test_every_cell_is_made(quick: tuple[Path, str]) -> None:
    out, printed = quick
    for run in plan(Request(quick=True, out=out)):
        stored = json.loads(run.result.read_text())
        assert 0 <= stored["test"]["overall"] <= 1
        assert stored["test"]["examples"] == 20
        assert stored["note"] == QUICK_NOTE
    assert "not run" not in printed + (out / "README.md").read_text()
    for word in ("paper", "ours", "spread", "minutes", "CPU"):
        assert word in printed


def test_80_columns_are_enough_and_figures_are_said_to_mean_nothing(quick: tuple[Path, str]) -> None:
    _, printed = quick
    assert "the figures mean nothing" in " ".join(printed.split())
    tables = printed.partition("figures")[0].splitlines()
    assert max(map(len, tables)) <= 80


def test_every_figure_is_drawn(quick: tuple[Path, str]) -> None:
    out, _ = quick
    names = {path.name for path in (out / "figures").glob("*.png")}
    assert names == {
        "efficiency.png",
        "between-tables.png",
        *(f"{figure.name}.png" for figure in figures.FIGURES),
    }


def test_what_is_there_is_kept(quick: tuple[Path, str], enquirer: Run) -> None:
    out, _ = quick
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*.json")}
    status, printed, said = enquirer("reproduce", "oov", "--quick", "--seeds", 1, "--out", out)
    assert {path: path.stat().st_mtime_ns for path in out.rglob("*.json")} == before
    assert (status, said) == (0, "")
    assert "N2N-OOV" in printed


def test_all_seeds_of_the_tables_are_planned_and_one_for_figures() -> None:
    titles = [run.title for run in plan(Request("large-kb", seeds=2, workers=1))]
    experiments = ("n2n", "n2n-widened", "ours")
    assert titles == [f"large-kb-{which}-{seed}" for seed in range(2) for which in experiments]
    assert len(plan(Request("large-kb"))) == 9
    assert len(plan(Request("large-kb", quick=True))) == 3
    drawn = [run.title for run in plan(Request("figures", seeds=3, workers=1))]
    assert drawn == [f"{name}-0" for name in figures.experiments()]


def test_single_experiments_can_be_asked_for() -> None:
    runs = plan(Request("large-kb", seeds=2, workers=1, only=("large-kb-ours",)))
    assert [run.title for run in runs] == ["large-kb-ours-0", "large-kb-ours-1"]
    with pytest.raises(ReproductionError, match="oov has no experiment large-kb-ours"):
        plan(Request("oov", only=("large-kb-ours",)))


def test_several_runs_at_a_time_begin_with_the_longest_and_say_so() -> None:
    runs = plan(Request("two-tables", seeds=2, workers=4))
    assert [run.title for run in runs[:2]] == ["two-tables-paper-adadelta-0", "two-tables-paper-adadelta-1"]
    assert runs[-1].title == "two-tables-linked-natural-1"
    assert {run.note for run in runs} == {"ran beside up to 3 others"}
    assert {run.note for run in plan(Request("two-tables", workers=1))} == {""}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("table3",), "table2, oov"),
        (("table2", "--seeds", "0"), "--seeds must be 1 or more"),
        (("table2", "--quick", "--out", "results"), "--out"),
        (("table2", "--device", "abacus"), "auto, cpu or cuda"),
        (("oov", "--quick", "--only", "open"), "oov has no experiment open"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    arguments: tuple[str, ...], said: str, enquirer: Run
) -> None:
    assert_one_line(enquirer("reproduce", *arguments), said)


def test_a_small_run_never_joins_real_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ReproductionError, match="another folder"):
        Request(quick=True, out=Path("results"))
    assert Request(quick=True).folder == Path("results-quick")
