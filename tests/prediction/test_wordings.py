import numpy as np
import pytest

from neural_enquirer.prediction.wordings import Wordings, load_wordings, meaning_of

NOTHING = np.zeros((64, 2), np.float32)
OWN = np.array([[0, 0], [3, 4], [-3, 4]], np.float32)


def test_a_question_points_where_its_words_do_together():
    wordings = Wordings(("who", "win"), NOTHING, np.ones(3, np.float32), OWN)
    assert wordings.direction(["who"]).tolist() == pytest.approx([0.6, 0.8])
    assert wordings.direction(["who", "wins", "it"]).tolist() == pytest.approx([0, 1])
    assert wordings.direction(["it"]).tolist() == wordings.direction([]).tolist() == [0, 0]


def test_what_words_mean_counts_too():
    meaning = np.eye(64, 2, dtype=np.float32)
    light, heavy = (
        Wordings(("ship",), meaning, np.array(weights, np.float32), OWN[:2] * 0)
        for weights in ((0, 1), (1, 0))
    )
    assert light.direction(["ship", "boat"]).tolist() == light.direction(["ship"]).tolist()
    assert heavy.direction(["ship", "boat"]).tolist() == heavy.direction(["boat"]).tolist()


def test_unknown_words_are_like_themselves_only():
    one, other = meaning_of("tq7431"), meaning_of("zx0099")
    assert one @ meaning_of("tq7431") == pytest.approx(1)
    assert abs(one @ other) < 0.6


def test_it_is_kept_in_a_file(tmp_path):
    Wordings(("who", "win"), NOTHING, np.ones(3, np.float32), OWN).save(tmp_path)
    found = load_wordings(tmp_path)
    assert found.stems == ["who", "win"]
    assert found.own == pytest.approx(OWN, abs=0.02)


def test_what_comes_with_the_package_knows_other_wordings():
    def direction(question):
        return load_wordings().direction(question.split())

    asked = direction("how much did it cost in total")
    assert asked @ direction("what was the total price") > asked @ direction("who was there first") + 0.2
