"""Which of two models is asked about which tables."""

import pytest

from neural_enquirer.checkpoint_files import CheckpointError
from neural_enquirer.prediction.learned import LearnedPredictor, fields_of, learned_fields
from neural_enquirer.prediction.predictors import OpenPredictor
from neural_enquirer.tables import Table

FIELDS = ("Name", "team", "pay", "born", "office")
KNOWN = Table.of([dict.fromkeys(FIELDS, 1)])


class Echo(OpenPredictor):
    """Answers with its name and the question."""

    def __init__(self, name):
        self.name = name

    def judge(self, questions):
        return [(self.name, question) for _, question in questions]


@pytest.fixture
def predictor():
    return LearnedPredictor(Echo("general"), lambda: Echo("learned"), [fields_of(KNOWN)])


def test_each_question_goes_to_its_model_and_the_order_stays(predictor):
    other = Table.of([{"city": "Oslo"}])
    asked = [((KNOWN,), "a"), ((other,), "b"), ((other, KNOWN), "c"), ((other,), "d")]
    answers = predictor.judge(asked)
    assert answers == [("learned", "a"), ("general", "b"), ("learned", "c"), ("general", "d")]


def test_a_field_more_makes_no_other_table(predictor):
    assert predictor.knows([Table.of([dict.fromkeys(("NAME", *FIELDS[1:], "new"), 1)])])
    assert not predictor.knows([Table.of([dict.fromkeys((*FIELDS, "new", "newer"), 1)])])


def test_what_was_learned_is_loaded_when_it_is_asked():
    loaded = []
    predictor = LearnedPredictor(Echo("general"), lambda: loaded.append(1), [fields_of(KNOWN)])
    assert predictor.name == "general"
    assert not loaded


def test_a_damaged_config_is_told(tmp_path):
    assert learned_fields({}, tmp_path) == []
    with pytest.raises(CheckpointError, match="what was learned"):
        learned_fields({"learned": 3}, tmp_path)
