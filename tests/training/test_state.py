import json
from pathlib import Path

import pytest
import torch
from torch import nn

from neural_enquirer.checkpoint import CheckpointError
from neural_enquirer.training.state import (
    PROGRESS,
    WEIGHTS,
    EpochReport,
    Progress,
    TrainingError,
    check_directory,
    load_state,
    read_progress,
    save_state,
)


def report(epoch: int, overall: float = 0.5) -> EpochReport:
    return EpochReport(epoch, 1.0, overall, {"nest": overall}, 10.0 * epoch)


def run_of(seed: int) -> tuple[nn.Linear, torch.optim.Optimizer]:
    torch.manual_seed(seed)
    model = nn.Linear(2, 1)
    return model, torch.optim.AdamW(model.parameters())


def take_step(model: nn.Linear, optimizer: torch.optim.Optimizer) -> None:
    optimizer.zero_grad()
    model(torch.tensor([[1.0, 2.0]])).sum().backward()
    optimizer.step()


def test_round_trip(tmp_path: Path) -> None:
    model, optimizer = run_of(0)
    take_step(model, optimizer)
    progress = Progress({"task": {"name": "x"}}, 7, (report(1), report(2)))
    save_state(tmp_path, model, optimizer, progress)
    other, other_optimizer = run_of(1)
    assert load_state(tmp_path, other, other_optimizer) == progress
    for _ in range(2):  # weights and optimizer go on alike
        take_step(model, optimizer)
        take_step(other, other_optimizer)
        assert torch.equal(model.weight, other.weight)


def test_into_an_optimizer_that_has_begun(tmp_path: Path) -> None:
    """A captured graph keeps its tensors, so the stored values are put into them."""
    model, optimizer = run_of(0)
    take_step(model, optimizer)
    save_state(tmp_path, model, optimizer, Progress({}, 0, (report(1),)))
    other, other_optimizer = run_of(1)
    take_step(other, other_optimizer)
    kept = other_optimizer.state[other.weight]["exp_avg"]
    load_state(tmp_path, other, other_optimizer)
    assert other_optimizer.state[other.weight]["exp_avg"] is kept
    assert torch.equal(kept, optimizer.state[model.weight]["exp_avg"])


def test_a_kill_between_the_two_files(tmp_path: Path) -> None:
    """The weights are those of the first epoch, so the report of the second does not count."""
    model, optimizer = run_of(0)
    save_state(tmp_path, model, optimizer, Progress({}, 0, (report(1),)))
    weights = (tmp_path / WEIGHTS).read_bytes()
    save_state(tmp_path, model, optimizer, Progress({}, 0, (report(1), report(2))))
    (tmp_path / WEIGHTS).write_bytes(weights)
    assert load_state(tmp_path, model, optimizer).epochs == (report(1),)


def test_the_best_so_far() -> None:
    assert Progress({}, 0).best == -1
    assert Progress({}, 0, (report(1, 0.2), report(2, 0.8), report(3, 0.4))).best == 0.8


def test_damaged_states(tmp_path: Path) -> None:
    model, optimizer = run_of(0)
    save_state(tmp_path, model, optimizer, Progress({}, 0, (report(1),)))
    with pytest.raises(CheckpointError, match="does not fit"):
        load_state(tmp_path, nn.Linear(3, 1), optimizer)
    (tmp_path / PROGRESS).write_text(json.dumps({"epochs": [{}]}))
    with pytest.raises(CheckpointError, match="does not say"):
        load_state(tmp_path, model, optimizer)
    (tmp_path / WEIGHTS).write_bytes((tmp_path / WEIGHTS).read_bytes()[:40])
    with pytest.raises(CheckpointError, match="truncated"):
        load_state(tmp_path, model, optimizer)


class TestCheckDirectory:
    @pytest.mark.parametrize("resume", [False, True])
    def test_new_and_empty_folders_will_do(self, tmp_path: Path, resume: bool) -> None:
        check_directory(tmp_path / "new", resume=resume)
        check_directory(tmp_path, resume=resume)

    @pytest.mark.parametrize("resume", [False, True])
    def test_a_file_will_not(self, tmp_path: Path, resume: bool) -> None:
        (tmp_path / "file").touch()
        with pytest.raises(TrainingError, match="is a file"):
            check_directory(tmp_path / "file", resume=resume)

    def test_what_a_run_left_is_for_resuming(self, tmp_path: Path) -> None:
        (tmp_path / "config.json").touch()
        check_directory(tmp_path, resume=True)
        with pytest.raises(TrainingError, match="--resume"):
            check_directory(tmp_path, resume=False)

    def test_half_written_files_of_a_killed_run_do_not_matter(self, tmp_path: Path) -> None:
        (tmp_path / ".config.json").touch()
        check_directory(tmp_path, resume=True)

    def test_a_folder_of_something_else_is_left_alone(self, tmp_path: Path) -> None:
        (tmp_path / "thesis.tex").touch()
        with pytest.raises(TrainingError, match="holds no run"):
            check_directory(tmp_path, resume=True)


def test_a_run_of_before_renaming_kept_to_the_split_is_another_one(tmp_path: Path) -> None:
    now = Progress({}, 0, (report(1),), renaming="within training forms")
    (tmp_path / "progress.json").write_text(json.dumps({"experiment": {}, "seed": 0, "epochs": []}))
    old = read_progress(tmp_path)
    assert not old.is_of(now)
    assert old.is_of(Progress({}, 0, (report(1),)))
