"""From programs that were written to outcomes with probabilities."""

import math
from random import Random

import numpy as np
import numpy.typing as npt
import pytest

from asked_games import GAMES, LANDS, actions, ask, random_derivation
from neural_enquirer.encoding.actions import PRODUCTIONS, Asked, derive
from neural_enquirer.judge.candidates import gather
from neural_enquirer.judge.features import FEATURES, Votes, features
from neural_enquirer.judge.judging import judged
from neural_enquirer.judge.ranked import NO_ROW, UNSURE
from neural_enquirer.judge.verdict import Judge
from neural_enquirer.programs.parsing import parse
from neural_enquirer.programs.text import to_text
from neural_enquirer.runtime.beam_search import Way
from neural_enquirer.tables import Table

ASKED = ask("which cities of greece had more than 17 days")
VOTES = Votes({"Athens": 0.5, "Paris": 0.2}, 0.1)
WRITTEN = {
    "cells city where is m0 country all": 0.2,  # Athens, Athens
    "cells city first all": 0.25,  # Athens
    "distinct city where is m0 country all": 0.05,  # Athens
    "cells city where > q0 days all": 0.15,  # London has 17 days, and only Paris has more
    "no_row": 0.1,
    "off_topic": 0.05,
    "cells city where > q0 days where is m0 country all": 0.04,  # nothing
    "cells city where than_= year text m0 all": 0.06,  # a year is no text
}


def ways(asked: Asked = ASKED) -> list[Way]:
    return [Way(actions(asked, text), math.log(chance)) for text, chance in WRITTEN.items()]


def says(asked: Asked) -> npt.NDArray[np.float32]:
    pointers = len(asked.places) + asked.mention_count + len(asked.said) + len(asked.tables)
    return np.random.default_rng(0).random((len(asked.links[0].words), pointers), np.float32)


def random_judge(seed: int = 0) -> Judge:
    draw = np.random.default_rng(seed)
    sizes = (len(FEATURES), 8, 1)

    def some(*shape: int) -> npt.NDArray[np.float32]:
        return draw.normal(size=shape).astype(np.float32)

    weights = tuple(some(sizes[i + 1], sizes[i]) / 3 for i in range(2))
    return Judge(some(sizes[0]), 1 + some(sizes[0]) ** 2, weights, tuple(some(size) for size in sizes[1:]))


def test_programs_that_give_the_same_are_one_candidate() -> None:
    found = gather(ways(), ASKED)
    assert [one.texts for one in found.answers] == [("Athens",), ("Athens", "Athens"), ("Paris",)]
    first = found.answers[0]
    assert first.programs == 2
    assert math.exp(first.score) == pytest.approx(0.3)
    assert math.exp(first.best) == pytest.approx(0.25)
    assert to_text(first.program) == "cells(city, first())"
    assert found.refusals == pytest.approx((0, 0.1, 0.05))
    assert found.empty == pytest.approx(0.1)


def test_the_order_of_values_makes_no_other_answer() -> None:
    asked = ask("the 2 latest games, after 2000")
    written = {"cells city n_largest q0 year all": 0.4, "cells city where > q1 year all": 0.2}
    found = gather([Way(actions(asked, text), math.log(chance)) for text, chance in written.items()], asked)
    (only,) = found.answers
    assert (only.texts, only.programs) == (("London", "Athens"), 2)
    assert math.exp(only.score) == pytest.approx(0.6)


def test_without_a_judge_the_decoder_decides() -> None:
    outcomes = judged(ASKED, ways(), VOTES, says(ASKED), None)
    told = [(None if one.result is None else one.result.values, one.refusal) for one in outcomes]
    assert told == [
        (("Athens",), None),
        (("Athens", "Athens"), None),
        (("Paris",), None),
        (None, NO_ROW),
    ]
    assert [one.probability for one in outcomes] == pytest.approx([0.3, 0.2, 0.15, 0.15])


def test_where_no_program_is_written_nothing_is_sure() -> None:
    for judge in (None, random_judge()):
        (only,) = judged(ASKED, [], VOTES, says(ASKED), judge)
        assert only.refusal == UNSURE


@pytest.mark.parametrize("seed", range(3))
def test_the_order_in_which_programs_come_does_not_matter(seed: int) -> None:
    judge = random_judge(seed)
    outcomes = judged(ASKED, ways(), VOTES, says(ASKED), judge)
    chances = [one.probability for one in outcomes]
    assert chances == sorted(chances, reverse=True)
    assert 0 < sum(chances) < 1  # the rest is that of the right answer not being there
    assert sum(one.refusal is not None for one in outcomes) == 1
    mixed = ways()
    Random(seed).shuffle(mixed)
    again = judged(ASKED, mixed, VOTES, says(ASKED), judge)
    assert [one.program for one in again] == [one.program for one in outcomes]
    assert [one.probability for one in again] == pytest.approx(chances)


def test_probabilities_are_those_of_a_network_by_hand() -> None:
    judge = Judge(
        mean=np.array([1, 0], np.float32),
        scale=np.array([2, 1], np.float32),
        weights=(np.array([[1, 0], [0, -1]], np.float32), np.array([[2, 1]], np.float32)),
        biases=(np.array([0, 0], np.float32), np.array([-5], np.float32)),
    )
    rows = np.array([[3, 0], [-9, 0], [1, -1]], np.float32)
    scores = np.array([2 * 1 + 0, 0, 1])
    expected = np.exp(scores) / np.exp(scores).sum()
    np.testing.assert_allclose(judge.probabilities(rows), expected, rtol=1e-6)
    np.testing.assert_allclose(judge.probabilities(rows[::-1]), expected[::-1], rtol=1e-6)


def test_every_program_has_features() -> None:
    """Whatever its productions, each candidate has a row of known, finite numbers of its own."""
    draw = Random(0)
    for asked in (ask("how many days in athens or st moritz in summer, 17 or more than 9 in 1900"),
                  ask("days in greece or asia after 1900 with 60 people", (GAMES, LANDS))):  # fmt: skip
        drawn = [random_derivation(asked, draw, one.name) for one in PRODUCTIONS for _ in range(10)]
        written = [Way(one, -3.0 - len(one)) for one in drawn if one is not None]
        found = gather(written, asked)
        assert len(found.answers) > 25
        rows = features(asked, found, VOTES, says(asked))
        assert rows.shape == (len(found.answers) + 2, len(FEATURES))
        assert np.isfinite(rows).all()
        assert (rows[:, FEATURES["answer"]] == [1] * len(found.answers) + [0, 0]).all()
        assert (rows[:, FEATURES["refusing"]].argmax(), rows[:, FEATURES["not there"]].argmax()) == (
            len(rows) - 2,
            len(rows) - 1,
        )


def test_features_say_what_the_program_leaves_out() -> None:
    found = gather(ways(), ASKED)
    rows = features(ASKED, found, VOTES, says(ASKED))
    by_greece = next(i for i, one in enumerate(found.answers) if len(one.texts) == 2)
    by_days = next(i for i, one in enumerate(found.answers) if one.texts == ("Paris",))
    told = {name: rows[:, FEATURES[name]] for name in ("mentions unused", "quantities unused", "vote")}
    assert told["mentions unused"][by_greece] < told["mentions unused"][by_days]
    assert told["quantities unused"][by_greece] > told["quantities unused"][by_days]
    assert told["vote"][by_days] == pytest.approx(0.2)
    assert told["vote"][by_greece] == pytest.approx(0.5)


def features_of(asked: Asked, texts: list[str], name: str, votes: Votes = VOTES) -> list[float]:
    """A feature of what some programs give, where no word speaks of any field."""
    found = gather([Way(actions(asked, text), -1.0 - place) for place, text in enumerate(texts)], asked)
    assert len(found.answers) == len(texts)
    rows = features(asked, found, votes, 0 * says(asked))
    return rows[: len(texts), FEATURES[name]].tolist()


def test_the_cascade_has_no_vote_on_what_is_no_cell() -> None:
    texts, votes = (
        ["count where is m0 country all", "cells days first all"],
        Votes({"2": 0.4, "10": 0.3}, 0.1),
    )
    assert features_of(ASKED, texts, "vote", votes) == pytest.approx([0, 0.3])
    assert features_of(ASKED, texts, "vote agrees", votes) == [0, 0]


def test_words_that_are_used_are_not_left() -> None:
    texts = ["cells city first all", "cells city where is m0 country all"]
    nothing, greece = features_of(ASKED, texts, "telling words unused")
    assert nothing - greece == pytest.approx(1 / 4)


def test_words_of_a_number_that_is_used_are_no_unused_mention() -> None:
    lines = Table.of([{"bus": "66", "stops": 12}, {"bus": "4a", "stops": 66}], "lines")
    asked = ask("buses with 66 stops", (lines,))
    assert (asked.links[0].mentions, [said.words for said in asked.said]) == (((2, 3),), [(2, 3)])
    texts = ["cells bus where = q0 stops all", "cells bus first all"]
    assert features_of(asked, texts, "mentions unused") == [0, 1 / 2]


def test_a_difference_takes_the_larger_value_first() -> None:
    asked = ask("how many more days did athens have than paris")
    programs = [
        parse(f"difference(maximum(days, rows(city = {one})), maximum(days, rows(city = {other})))")
        for one, other in (("Athens", "Paris"), ("Paris", "Athens"))
    ]
    found = gather([Way(derive(one, asked)[0], math.log(0.3)) for one in programs], asked)
    assert [one.texts for one in found.answers] == [("3",)]
    assert found.answers[0].program == programs[1]
    assert math.exp(found.answers[0].score) == pytest.approx(0.6)
