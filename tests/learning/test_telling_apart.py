import numpy as np

from neural_enquirer.learning.telling_apart import Beside, learned, names_of_wrong
from neural_enquirer.prediction.likeness import FEATURES, load_likeness
from neural_enquirer.real_questions.sets import AskedQuestion
from neural_enquirer.training.judge_learning import Case


def case(alike):
    """Beside two corrections, the second of which is meant where the words are alike."""
    rows = np.zeros((3, len(FEATURES)), np.float32)
    rows[:2, FEATURES.index("recalled")] = 1
    rows[1, FEATURES.index("words of new kept")] = alike
    return Case(rows, np.array([False, alike > 0.5, alike <= 0.5]), "", "")


def test_it_is_learned_what_speaks_for_a_correction():
    shares = np.random.default_rng(0).random(2000)
    judge = learned([case(share) for share in shares])
    assert judge.probabilities(case(0.9).rows).argmax() == 1
    assert judge.probabilities(case(0.1).rows).argmax() == 2


def test_wordings_that_are_answered_wrongly_are_known_by_their_question():
    def asked(name, accepted=(("1",),)):
        return AskedQuestion(name, (), "", "", accepted, lambda one, other: one == other)

    questions = [asked("a-1-0"), asked("a-1-1"), asked("a-2-0"), asked("a-3-0", ())]
    wrong = names_of_wrong(questions, {"a-1-0"})
    assert {name: [one.id for one in own] for name, own in wrong.items()} == {
        "a-1": ["a-1-1"],
        "a-2": ["a-2-0"],
    }


def test_corrections_that_matter_are_seen_together():
    rows = {"a": (np.float32([1]), False), "b": (np.float32([2]), True)}
    kept, lost = (Beside(rows, np.float32([9]), kept).case(["b", "a", "c"]) for kept in (True, False))
    assert kept.rows.tolist() == [[2], [1], [9]]
    assert kept.right.tolist() == [True, False, True]
    assert lost.right.tolist() == [True, False, False]
    assert kept.weight > lost.weight
    assert Beside(rows, np.float32([9]), False).case(["a"]).right.tolist() == [False, True]
    assert Beside(rows, np.float32([9]), True).case(["c"]) is None


def test_what_comes_with_the_package_fits():
    judge = load_likeness()
    rows = np.zeros((2, len(FEATURES)), np.float32)
    assert judge.probabilities(rows).shape == (2,)
