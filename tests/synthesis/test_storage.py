import json
from pathlib import Path

import numpy as np
import pytest

from neural_enquirer.synthesis.examples import ExampleSet
from neural_enquirer.synthesis.storage import DatasetError, read_dataset, write_dataset
from neural_enquirer.synthesis.tasks import TASKS, generate


def small(task: str, seed: int = 0) -> dict[str, ExampleSet]:
    return {split: generate(task, split, seed=seed, examples=60) for split in ("train", "validation", "test")}


@pytest.mark.parametrize("task", TASKS)
def test_what_is_written_is_read_back(task: str, tmp_path: Path) -> None:
    splits = small(task)

    write_dataset(tmp_path, task, 0, splits)

    for split, written in splits.items():
        read = read_dataset(tmp_path, split)
        assert (read.field_names, read.words, read.entity_words) == (
            written.field_names,
            written.words,
            written.entity_words,
        )
        assert [read.example(index) for index in range(60)] == [written.example(index) for index in range(60)]
        assert np.array_equal(read.steps, written.steps)
        for column in ("types", "answers", "steps"):
            assert getattr(read, column).dtype == getattr(written, column).dtype
        assert [block.cells.dtype for block in read.tables] == [np.int16] * len(written.tables)


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    for name, seed in (("first", 4), ("second", 4), ("third", 5)):
        (tmp_path / name).mkdir()
        write_dataset(tmp_path / name, "olympics-25k", seed, small("olympics-25k", seed))

    for file in (tmp_path / "first").iterdir():
        assert file.read_bytes() == (tmp_path / "second" / file.name).read_bytes()
        assert file.read_bytes() != (tmp_path / "third" / file.name).read_bytes()


def test_the_description_says_what_is_inside(tmp_path: Path) -> None:
    write_dataset(tmp_path, "olympics-25k", 3, small("olympics-25k", 3))

    description = json.loads((tmp_path / "dataset.json").read_text())

    assert (description["task"], description["seed"]) == ("olympics-25k", 3)
    assert description["examples"]["train"] == {
        "total": 60,
        "select_where": 12,
        "superlative": 12,
        "where_superlative": 12,
        "nest": 24,
    }
    assert len(description["fields"]) == 10
    assert len(description["words"]) == 240
    assert len(description["entity_words"]) == 120


def test_the_file_alone_shows_questions_and_answers(tmp_path: Path) -> None:
    import pyarrow.parquet

    splits = small("olympics-25k")
    write_dataset(tmp_path, "olympics-25k", 0, splits)

    row = pyarrow.parquet.read_table(tmp_path / "test.parquet").to_pylist()[0]

    assert row["question"] == splits["test"].questions[0]
    assert row["answer"] == splits["test"].answer_words()[0]
    assert row["type"] == "select_where"


def test_what_cannot_be_read_is_said_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"no dataset\.json"):
        read_dataset(tmp_path, "train")
    write_dataset(tmp_path, "olympics-25k", 0, small("olympics-25k"))
    with pytest.raises(DatasetError, match="no split 'dev'"):
        read_dataset(tmp_path, "dev")
    whole = (tmp_path / "test.parquet").read_bytes()
    (tmp_path / "test.parquet").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DatasetError, match="generate the data set again") as caught:
        read_dataset(tmp_path, "test")
    assert "\n" not in str(caught.value)
    for text in ("{", "[]", '{"format": 99}'):
        (tmp_path / "dataset.json").write_text(text)
        with pytest.raises(DatasetError, match="generate the data set again"):
            read_dataset(tmp_path, "train")
