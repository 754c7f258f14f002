import json
from pathlib import Path

import pytest

import command_line
from neural_enquirer.synthesis.open.sampler import ONE_TABLE
from neural_enquirer.synthesis.splits import TaskError
from neural_enquirer.synthesis.storage import DatasetError, read_open_dataset, write_open_dataset


def test_what_was_written_is_read_back(tmp_path: Path) -> None:
    examples = ONE_TABLE.generate("train", seed=2, examples=600)
    write_open_dataset(tmp_path, 2, {"train": examples})

    found = read_open_dataset(tmp_path, "train")

    assert found == examples
    assert [one.tables[0].texts for one in found] == [one.tables[0].texts for one in examples]
    assert [one.program for one in found] == [one.program for one in examples]


def test_fewer_examples_are_the_beginning_of_more() -> None:
    assert ONE_TABLE.generate("test", examples=30) == ONE_TABLE.generate("test", examples=700)[:30]


def test_the_command_writes_the_same_bytes_for_the_same_seed(
    enquirer: command_line.Run, tmp_path: Path
) -> None:
    for name in ("one", "other"):
        status, out, _ = enquirer("generate", "open", "--out", tmp_path / name, "--examples", 200, "--verify")
        assert status == 0
        assert "200 train" in out
        assert "verified" in out

    for file in ("train.parquet", "validation.parquet", "test.parquet", "dataset.json"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "other" / file).read_bytes()
    described = json.loads((tmp_path / "one" / "dataset.json").read_text())
    assert described["task"] == "open"
    assert described["examples"]["train"]["total"] == 200
    assert read_open_dataset(tmp_path / "one", "test") == ONE_TABLE.generate("test", examples=20)


def test_errors_are_one_line_for_people(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match="unknown split"):
        ONE_TABLE.generate("practice")
    with pytest.raises(TaskError, match="0 or more"):
        ONE_TABLE.generate("train", seed=-1)
    with pytest.raises(DatasetError, match="has no split"):
        read_open_dataset(tmp_path, "train")
    (tmp_path / "train.parquet").write_bytes(b"nothing")
    with pytest.raises(DatasetError, match="generate the data set again"):
        read_open_dataset(tmp_path, "train")
