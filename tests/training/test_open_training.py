"""`enquirer train` on the open task, with real questions beside the drawn ones."""

from pathlib import Path

import pytest

import real_folders
from command_line import Run, assert_one_line

EXPERIMENT = """
[task]
name = "open"
examples = 30
held_out = 20

[model]
executors = 2
hidden_size = 8
state_size = 8

[training]
batch_size = 4
epochs = 1
optimizer = "adamw"
learning_rate = 0.001
"""


def train(enquirer: Run, folder: Path, data: str) -> tuple[int, str, str]:
    (folder / "small.toml").write_text(EXPERIMENT)
    return enquirer("train", folder / "small.toml", "--data", folder / data, "--out", folder / "run")


@pytest.mark.usefixtures("small_blocks")
def test_real_questions_join_the_open_task(enquirer: Run, tmp_path: Path) -> None:
    for split in ("train", "dev"):
        real_folders.simple(tmp_path / "data", split)
    status, printed, err = train(enquirer, tmp_path, "data")
    assert (status, err) == (0, "")
    assert "wikisql" in printed
    assert enquirer("evaluate", tmp_path / "run", "--data", tmp_path / "data")[0] == 0


def test_a_folder_that_is_not_there(enquirer: Run, tmp_path: Path) -> None:
    assert_one_line(train(enquirer, tmp_path, "nowhere"), "nowhere is not a folder")
