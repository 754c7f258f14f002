"""A model that learns corrections, from beginning to end."""

import json

import pytest

from neural_enquirer.asking.enquirer import Enquirer
from neural_enquirer.learning import learning
from neural_enquirer.learning.corrections import CellRef, Correction, references
from neural_enquirer.learning.learning import LearningError, learn
from neural_enquirer.prediction.learned import read_memory
from neural_enquirer.tables import Table
from neural_enquirer.whole_folder import FolderError

STAFF = Table.of(
    [
        {"name": "Ada", "team": "Sales", "pay": 30},
        {"name": "Bo", "team": "Sales", "pay": 50},
        {"name": "Cy", "team": "Tools", "pay": 40},
    ],
    "staff",
)
LONE = Table.of([{"river": "Rhine", "length": 1230}, {"river": "Po", "length": 652}], "rivers")
OTHER = Table.of([{"city": "Oslo", "people": 7}, {"city": "Rome", "people": 9}], "cities")
REFS = references([STAFF])
PAIR = (OTHER, Table.of([{"town": "Oslo", "mayor": "Ann"}, {"town": "Rome", "mayor": "Ben"}], "mayors"))
ODD = Correction("the odd one out", REFS, program="cells(name, rows(team = Tools))")
NOTHING = Correction("the weather there", references(PAIR), refuse=True)
GONE = Correction("the janitor", REFS, cells=(CellRef("staff", 9, "name"),))


def nobody(what: str, done: int, total: int) -> None:
    """Hears nothing."""


@pytest.fixture(scope="module")
def learned(tmp_path_factory):
    out = tmp_path_factory.mktemp("learning") / "model"
    heard = []
    summary = learn("open", (STAFF, *PAIR), [ODD, GONE, NOTHING], out, lambda *told: heard.append(told))
    return out, summary, heard


def test_what_is_corrected_is_answered(learned):
    out, summary, _ = learned
    assert (summary.corrections, summary.right) == (2, 2)
    enquirer = Enquirer.from_pretrained(out)
    assert enquirer.ask(STAFF, ODD.question).value == "Cy"
    assert enquirer.ask(STAFF, "who is the odd one out?").value == "Cy"


def test_what_cannot_be_learned_is_told(learned):
    assert learned[1].left_out == ((GONE.question, "staff has no row 10"),)


def test_other_tables_are_asked_as_before(learned):
    before, after = (Enquirer.from_pretrained(one) for one in ("open", learned[0]))
    for question in ("the odd one out", "the longest river"):
        assert after.ask(LONE, question).confidence == before.ask(LONE, question).confidence


def test_the_card_says_what_it_was_learned_from(learned):
    config = json.loads((learned[0] / "config.json").read_text())
    assert config["about"]["learned_from"]["tables"] == ["cities", "mayors", "staff"]
    assert config["about"]["learned_from"]["questions"] == ["the odd one out", "the weather there"]


def test_it_is_told_how_far_it_has_come(learned):
    last = {what: (done, total) for what, done, total in learned[2]}
    assert last == {"finding programs": (3, 3)}


def test_a_model_that_has_learned_learns_more(learned, tmp_path):
    boss = Correction("the boss", REFS, program="cells(name, largest(pay))")
    learn(str(learned[0]), (STAFF,), [boss], tmp_path / "model", nobody)
    questions = [one.question for one in read_memory(tmp_path / "model")]
    assert questions == [ODD.question, NOTHING.question, boss.question]
    assert Enquirer.from_pretrained(tmp_path / "model").ask(STAFF, ODD.question).value == "Cy"


def test_the_answer_says_where_it_was_learned(learned):
    enquirer = Enquirer.from_pretrained(learned[0])
    assert "As you corrected “the odd one out”." in enquirer.ask(STAFF, ODD.question).told
    assert "corrected" not in enquirer.ask(LONE, "the longest river").told


def test_it_is_copied_whole(learned, tmp_path):
    Enquirer.from_pretrained(learned[0]).save_pretrained(tmp_path)
    assert Enquirer.from_pretrained(tmp_path).ask(STAFF, ODD.question).value == "Cy"


def test_nothing_is_left_of_a_try_that_was_stopped(tmp_path, monkeypatch):
    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(learning, "right_program", stopped)
    with pytest.raises(KeyboardInterrupt):
        learn("open", (STAFF,), [ODD], tmp_path / "model", nobody)
    assert list(tmp_path.iterdir()) == []


def test_a_table_that_is_not_there_is_told(tmp_path):
    with pytest.raises(LearningError, match="it is about staff"):
        learn("open", PAIR, [ODD], tmp_path / "model", nobody)


def test_a_folder_that_is_taken_is_left_alone(tmp_path):
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(FolderError, match="not empty"):
        learn("open", (STAFF,), [ODD], tmp_path, nobody)


def test_a_model_of_the_paper_learns_nothing(tmp_path):
    with pytest.raises(LearningError, match="does not write programs"):
        learn("olympics-n2n", (STAFF,), [ODD], tmp_path / "model", nobody)
