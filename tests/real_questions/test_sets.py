"""One reader for all sets of real questions."""

import pickle
from pathlib import Path

import pytest

import real_folders
from neural_enquirer.real_questions import RealDataError
from neural_enquirer.real_questions.sets import AskedQuestion, is_set, read_set


def ids(questions: list[AskedQuestion]) -> list[str]:
    return [question.id for question in questions]


def test_each_set_judges_by_its_own_rules(tmp_path: Path) -> None:
    cell, several, counted = read_set(real_folders.simple(tmp_path / "sql"), "dev")
    assert (cell.kind, counted.kind) == ("none", "count")
    assert several.is_right(["Perth", "Sydney"])
    assert not several.is_right(["Perth", "Sydney", "Perth"])  # WikiSQL counts cells
    quoted, years, _ = read_set(real_folders.wiki_table_questions(tmp_path / "wtq"), "dev")
    assert (quoted.kind, years.kind) == ("one_cell", "several_cells")
    assert years.is_right(["2001", "1999", "1999.0"])  # WikiTableQuestions compares sets of values
    found, nothing = read_set(real_folders.everyday(tmp_path / "dev", "a.csv"), "dev")
    assert (found.kind, found.answerable, nothing.answerable) == ("list", True, False)
    assert found.is_right(['"perth"', "Athens."])
    assert found.is_right(["2 cities"])
    assert not found.is_right(["Perth"])


def test_a_refusal_is_right_where_nothing_answers(tmp_path: Path) -> None:
    found, nothing = read_set(real_folders.everyday(tmp_path / "dev", "a.csv"))
    assert (nothing.is_right([]), nothing.is_right(["Perth"]), found.is_right([])) == (True, False, False)
    unanswered = read_set(real_folders.wikisql(tmp_path / "sql"), "dev")[-1]
    assert not unanswered.answerable
    assert unanswered.is_right([])


def test_training_questions_are_parted_by_their_tables(tmp_path: Path) -> None:
    part = real_folders.everyday(
        tmp_path / "everyday" / "train", "r_UN.csv", "r_CAFE.csv"
    )  # the first is kept out
    for folder in (part, part.parent):
        # A hash of its name keeps r_UN out.
        assert ids(read_set(folder, "held_out")) == ["r_UN.csv-0", "r_UN.csv-1"]
        assert ids(read_set(folder, "train")) == ["r_CAFE.csv-0", "r_CAFE.csv-1"]
    assert len(read_set(part)) == 4
    real = real_folders.simple(tmp_path / "sql", "train")
    assert (len(read_set(real, "train")), len(read_set(real, "held_out"))) == (3, 0)


def test_a_split_that_is_not_there(tmp_path: Path) -> None:
    part = real_folders.everyday(tmp_path / "everyday" / "train", "r_CAFE.csv")
    for folder in (part, part.parent):
        assert is_set(folder)
        with pytest.raises(RealDataError, match="has no dev questions"):
            read_set(folder, "dev")
    with pytest.raises(RealDataError, match="unknown split 'all'"):
        read_set(part, "all")
    assert not is_set(tmp_path)
    with pytest.raises(RealDataError, match="holds no questions"):
        read_set(tmp_path)


def test_questions_travel_between_processes(tmp_path: Path) -> None:
    (found, _) = pickle.loads(pickle.dumps(read_set(real_folders.everyday(tmp_path / "dev", "a.csv"))))
    assert found.is_right(["athens", "perth"])
