"""`enquirer learn`, but for the learning itself."""

import pytest

from command_line import Run, assert_one_line, runner
from neural_enquirer.learning import learning
from neural_enquirer.learning.corrections import Correction, append, references
from neural_enquirer.tables import Table


@pytest.fixture
def enquirer(monkeypatch, capsys) -> Run:
    return runner(monkeypatch, capsys)


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "games.csv"
    path.write_text("year,city\n1996,Atlanta\n2000,Sydney\n")
    return path


@pytest.fixture
def corrections(tmp_path, table):
    path = tmp_path / "corrections.jsonl"
    append(path, Correction("the last city", references([Table.read(table)]), answers=("Sydney",)))
    return path


def test_says_what_came_of_it(enquirer, table, corrections, tmp_path, monkeypatch):
    asked = []

    def learn(*arguments, **options):
        asked.append((arguments, options))
        return learning.Learned(1, 1, (("when", "no program was found that answers it so"),))

    monkeypatch.setattr(learning, "learn", learn)
    status, out, err = enquirer("learn", table, corrections, "--out", tmp_path / "model")
    assert (status, err) == (0, "")
    assert "left out: “when”" in out
    assert "answers 1 of 1 corrected questions" in out
    ((model, tables, found, folder, _), options) = asked[0]
    assert (model, [one.name for one in tables], folder) == ("open", ["games"], tmp_path / "model")
    assert [one.question for one in found] == ["the last city"]
    assert not options


def test_both_tables_and_corrections_are_needed(enquirer, table, tmp_path):
    assert_one_line(enquirer("learn", table, "--out", tmp_path / "m"), "behind them the file of corrections")


def test_a_missing_file_is_told(enquirer, table, tmp_path):
    outcome = enquirer("learn", table, tmp_path / "none.jsonl", "--out", tmp_path / "m")
    assert_one_line(outcome, "does not exist")


def test_corrections_of_another_table_are_told(enquirer, corrections, tmp_path):
    other = tmp_path / "rivers.csv"
    other.write_text("river\nPo\nRhine\n")
    outcome = enquirer("learn", other, corrections, "--out", tmp_path / "m")
    assert_one_line(outcome, "it is about games")
    assert not (tmp_path / "m").exists()
