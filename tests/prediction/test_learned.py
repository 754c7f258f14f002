"""Which of two models answers which questions."""

import pytest

from neural_enquirer.checkpoint_files import CheckpointError
from neural_enquirer.judge.ranked import Ranked
from neural_enquirer.prediction import Verdict
from neural_enquirer.prediction.learned import LearnedPredictor, fields_of, learned_fields
from neural_enquirer.prediction.predictors import OpenPredictor
from neural_enquirer.programs import parse, run
from neural_enquirer.tables import Table

FIELDS = ("Name", "team", "pay", "born", "office")
KNOWN = Table.of([dict.fromkeys(FIELDS, 1)])
OTHER = Table.of([{"city": "Oslo"}])
REFUSED = Ranked(None, "no_field", None, 0.1)


class Writer(OpenPredictor):
    """Always answers with the same number, which its decoder finds as probable as it is told."""

    def __init__(self, name, number, written):
        self.name = name
        self.program, self.written = parse(f"count(rows(pay < {number}))"), written

    def judge(self, questions):
        result = run(self.program, [KNOWN])
        return [
            Verdict(self.name, (Ranked(self.program, None, result, 0.9, self.written), REFUSED))
            for _ in questions
        ]


def answering(before, after, *, same=False):
    """A model that found an answer so probable, and finds another, or the same, so probable now."""
    general = Writer("general", 2 if same else 0, before)
    return LearnedPredictor(
        general, lambda: Writer("learned", 2, after), [fields_of(KNOWN)], ["Who is the Boss?"]
    )


def answerer(predictor, tables, question):
    (verdict,) = predictor.judge([(tables, question)])
    return verdict.prediction


@pytest.fixture
def predictor():
    return answering(0.8, 0.8)


def test_each_question_goes_to_its_model_and_the_order_stays(predictor):
    asked = [((KNOWN,), "a"), ((OTHER,), "b"), ((OTHER, KNOWN), "c"), ((OTHER,), "who is the boss")]
    answers = [verdict.prediction for verdict in predictor.judge(asked)]
    assert answers == ["learned", "general", "learned", "general"]


@pytest.mark.parametrize(
    ("before", "after", "same", "expected"),
    [
        (0.9, 0.6, False, "learned"),  # another answer, which it is sure of
        (0.9, 0.4, False, "general"),  # not sure of it
        (0.2, 0.6, True, "learned"),  # sure of what it only guessed
        (0.5, 0.8, True, "general"),  # as good as before
    ],
)
def test_what_was_not_learned_is_answered_as_before(before, after, same, expected):
    assert answerer(answering(before, after, same=same), (KNOWN,), "a") == expected


def test_what_was_corrected_is_always_answered_as_learned():
    predictor = answering(0.9, 0.1)
    assert answerer(predictor, (KNOWN,), "who is  the boss") == "learned"
    assert answerer(predictor, (KNOWN,), "who was the boss") == "general"


def test_a_field_more_makes_no_other_table(predictor):
    assert predictor.knows([Table.of([dict.fromkeys(("NAME", *FIELDS[1:], "new"), 1)])])
    assert not predictor.knows([Table.of([dict.fromkeys((*FIELDS, "new", "newer"), 1)])])


def test_what_was_learned_is_loaded_when_it_is_asked():
    loaded = []
    predictor = LearnedPredictor(Writer("general", 2, 1.0), lambda: loaded.append(1), [fields_of(KNOWN)])
    predictor.judge([((OTHER,), "a")])
    assert predictor.name == "general"
    assert not loaded


def test_a_damaged_config_is_told(tmp_path):
    assert learned_fields({}, tmp_path) == []
    with pytest.raises(CheckpointError, match="what was learned"):
        learned_fields({"learned": 3}, tmp_path)
