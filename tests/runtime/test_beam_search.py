"""Writing programs in numpy: the same as in torch, and nothing likely is missed."""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest
import torch

from asked_games import GAMES, LANDS, VOCABULARY, actions, linked
from neural_enquirer.encoding.actions import Action, Derivation, Pool, Symbol
from neural_enquirer.encoding.actions.grammar import (
    COMPARING,
    PRODUCTION_NUMBERS,
    START,
    Open,
    expanded,
    symbols_of,
)
from neural_enquirer.encoding.program_batch import collate
from neural_enquirer.model.program_decoder import COUNT
from neural_enquirer.model.program_decoder import Turn as TorchTurn
from neural_enquirer.runtime.beam_search import search
from neural_enquirer.runtime.decoder import Decoder
from neural_enquirer.runtime.heard import NEVER, Heard, Memory, Now, Together
from neural_enquirer.tables import Table
from writing_models import batch_of, heard_of, in_numpy, writing_model

BOTH = (GAMES, LANDS)
QUESTIONS: list[tuple[str, tuple[Table, ...]]] = [
    ("which city had more than 9 days in 1900", (GAMES,)),
    ("days in greece or paris in asia with 60 people or 17 days after february", BOTH),
    ("how many in athens", (GAMES,)),
    ("", (LANDS,)),
]


@pytest.mark.parametrize("seed", range(3))
def test_what_is_found_scores_as_it_is_taught(seed: int) -> None:
    """Step by step, in numpy and without padding, or told all at once, in torch and padded."""
    model = writing_model(seed)
    asked, heard = zip(*heard_of(model, QUESTIONS), strict=True)
    counts = [len(one.tables) for one in asked]
    found = search(in_numpy(model).decoder, heard, counts, beam=16, least=-60.0)
    assert all(found)
    with torch.no_grad():
        taught = model(batch_of(QUESTIONS, [[way.derivation for way in ways] for ways in found])).scores
    for ways, scores, (_, tables) in zip(found, taught, QUESTIONS, strict=True):
        assert [way.score for way in ways] == pytest.approx(scores[: len(ways)].tolist(), abs=1e-4)
        assert [way.score for way in ways] == sorted((way.score for way in ways), reverse=True)
        assert len({way.derivation for way in ways}) == len(ways)
        for way in ways:
            assert len(symbols_of(way.derivation, len(tables))) == len(way.derivation)


@torch.no_grad()
def test_each_step_is_that_of_the_model() -> None:
    """All choices of all steps, of a question in a padded batch."""
    model, place = writing_model(), 1
    asked, alone = heard_of(model, QUESTIONS)[place]
    decoder, tables = in_numpy(model).decoder, len(asked.tables)
    padded = model.hear(collate([linked(*question) for question in QUESTIONS], VOCABULARY))
    (ways,) = search(decoder, [alone], [tables], 24, least=-60.0)
    derivation = max((way.derivation for way in ways), key=len)
    together = decoder.together([alone])
    mine, theirs = decoder.begin(together), model.decoder.begin(padded, 1)
    numbers = _numbers(alone, [part.shape[1] for part in (padded.fields, padded.mentions, padded.quantities)])
    previous, given = -1, 0
    for action, turn in zip(derivation, symbols_of(derivation, tables), strict=True):
        now = (int(turn.symbol), turn.parent % (COUNT + 1), given)
        scores, mine = decoder.step(together, mine, [(0, [Now(*turn, given, previous)])])
        told = int(numbers[previous]) if previous >= 0 else -1
        same = TorchTurn(*(torch.full((len(QUESTIONS), 1), n) for n in (*now, told)))
        expected, theirs = model.decoder.step(padded, theirs, same)
        probabilities = expected[place, 0].exp().numpy()
        np.testing.assert_allclose(np.exp(scores[0]), probabilities[numbers], atol=1e-5)
        assert probabilities[numbers].sum() == pytest.approx(1, abs=1e-5)
        previous = alone.choices.offsets[action.pool] + action.number
        given = action.number if action.pool in (Pool.MENTION, Pool.QUANTITY) else given


def _numbers(heard: Heard, padded: list[int]) -> npt.NDArray[np.int64]:
    """Where the choices of a question stand in a padded batch."""
    own = heard.choices.sizes
    starts = np.cumsum([COUNT, *padded])
    parts = [np.arange(start, start + size) for start, size in zip(starts, own, strict=True)]
    return np.concatenate([np.arange(COUNT), *parts])


def test_a_wide_beam_finds_all_there_is() -> None:
    model = writing_model()
    ((_, heard),) = heard_of(model, [("how many", (LANDS,))])
    decoder = in_numpy(model).decoder
    together = decoder.together([heard])
    everything = _all(decoder, together, decoder.begin(together), (START,), (), longest=3)
    (found,) = search(decoder, [heard], [1], beam=200_000, least=-math.inf, longest=3)
    assert {way.derivation for way in found} == set(everything)
    for way in found:
        assert way.score == pytest.approx(everything[way.derivation], abs=1e-4)
    assert sum(math.exp(way.score) for way in found) < 1
    best = sorted(everything.values(), reverse=True)
    (likely,) = search(decoder, [heard], [1], beam=200_000, least=best[7] - 1e-4, longest=3)
    assert [way.score for way in likely[:8]] == pytest.approx(best[:8], abs=1e-4)
    assert len(search(decoder, [heard], [1], beam=2, longest=3)[0]) <= 2


class Scripted(Decoder):
    """Prefers an answer of two steps; two refusals are there at once."""

    def __init__(self) -> None:
        first = {"no_field": 0.12, "off_topic": 0.08, "exists": 0.8}
        self.script = {Symbol.ANSWER: first, Symbol.ROWS: {"all": 1.0}}

    def together(self, heard: Sequence[Heard]) -> Together:
        return Together.of(heard)

    def begin(self, heard: Together) -> Memory:
        return Memory(*(np.zeros((len(heard.starts), 1), np.float32) for _ in range(3)))

    def step(
        self, heard: Together, memory: Memory, now: Sequence[tuple[int, Sequence[Now]]]
    ) -> tuple[npt.NDArray[np.float32], Memory]:
        every = [one for _, own in now for one in own]
        scores = np.full((len(every), heard.free.shape[1]), NEVER)
        for way, one in enumerate(every):
            for name, chance in self.script[one.symbol].items():
                scores[way, PRODUCTION_NUMBERS[name]] = math.log(chance)
        return scores, memory


class Led(Scripted):
    """Takes one derivation step by step, and remembers what it might have chosen."""

    def __init__(self, way: Derivation) -> None:
        self.way, self.rows = way, list[int]()

    def step(
        self, heard: Together, memory: Memory, now: Sequence[tuple[int, Sequence[Now]]]
    ) -> tuple[npt.NDArray[np.float32], Memory]:
        action = self.way[len(self.rows)]
        self.rows += heard.turn(now).free.tolist()
        scores = np.full((1, heard.free.shape[1]), NEVER)
        scores[0, heard.choices[0].offsets[action.pool] + action.number] = 0
        return scores, memory


def test_fields_are_those_of_the_mention_or_number_before() -> None:
    ((asked, heard),) = heard_of(writing_model(), [("greece or paris, after 1896 or 17 days", (GAMES,))])
    for text, place, given in (
        ("cells days where is m1 city all", 5, len(Symbol) + 2),
        ("cells days where > q1 days all", 5, len(Symbol) + asked.mention_count + 2),
    ):
        led = Led(actions(asked, text))
        assert [[way.derivation for way in ways] for ways in search(led, [heard], [1], beam=1)] == [[led.way]]
        assert led.rows[place] == given


def test_only_what_some_field_compares_with_is_compared() -> None:
    ((asked, heard),) = heard_of(writing_model(), [("60 people before 4 march 2004", (LANDS,))])
    assert [bool(fields) for fields in asked.comparable.values()] == [True, False]  # no field has days
    start = heard.choices.offsets[Pool.QUANTITY]
    for compared in (True, False):
        row = heard.choices.row(Symbol.QUANTITY, COMPARING.index(compared), given=0)
        assert heard.choices.forbidden[row, start : start + 2].tolist() == [0, NEVER if compared else 0]


def test_what_takes_longer_may_be_likelier() -> None:
    ((asked, heard),) = heard_of(writing_model(), [("games at all", (GAMES,))])
    (found,) = search(Scripted(), [heard], [1], beam=2)
    assert [way.derivation for way in found] == [
        actions(asked, "exists all"),
        actions(asked, "no_field"),
    ]
    assert [math.exp(way.score) for way in found] == pytest.approx([0.8, 0.12])
    assert len(search(Scripted(), [heard], [1], beam=2, longest=1)[0]) == 2
    (given_up,) = search(Scripted(), [heard], [1], beam=2, least=math.log(0.9))
    assert actions(asked, "exists all") not in [way.derivation for way in given_up]


def test_what_is_far_behind_the_best_is_left_out() -> None:
    """Also if it was finished before the best was."""
    ((asked, heard),) = heard_of(writing_model(), [("games at all", (GAMES,))])
    best, second = actions(asked, "exists all"), actions(asked, "no_field")
    for behind, left in ((math.inf, 3), (2.0, 2), (1.0, 1)):
        (ways,) = search(Scripted(), [heard], [1], beam=16, behind=behind)
        found = [way.derivation for way in ways]
        assert found[:2] == [best, second][:left]
        assert len(found) == left


def test_questions_side_by_side_have_the_programs_they_have_alone() -> None:
    """Of any length, with one table and two, and when some have theirs long before others."""
    model = writing_model(1)
    asked, heard = zip(*heard_of(model, [*QUESTIONS, *QUESTIONS[::-1]]), strict=True)
    counts, decoder = [len(one.tables) for one in asked], in_numpy(model).decoder
    together = search(decoder, heard, counts, beam=7, least=-60.0, behind=6.0)
    for own, one, count in zip(together, heard, counts, strict=True):
        (alone,) = search(decoder, [one], [count], beam=7, least=-60.0, behind=6.0)
        assert [way.derivation for way in own] == [way.derivation for way in alone]
        assert [way.score for way in own] == pytest.approx([way.score for way in alone], abs=1e-4)


def _all(
    decoder: Decoder,
    heard: Together,
    memory: Memory,
    stack: tuple[Open, ...],
    done: Derivation,
    longest: int,
) -> dict[Derivation, float]:
    """Every derivation of at most so many steps that needs neither mention nor quantity, and its score."""
    if len(done) == longest or not stack:
        return {} if stack else {done: 0.0}
    offsets = heard.choices[0].offsets
    last = offsets[done[-1].pool] + done[-1].number if done else -1
    scores, memory = decoder.step(heard, memory, [(0, [Now(*stack[0], 0, last)])])
    found = {}
    for choice in np.flatnonzero(scores[0] > -1e8).tolist():
        pool = Pool.FIELD if choice >= COUNT else Pool.PRODUCTION
        action = Action(pool, choice - offsets[pool])
        rest = _all(decoder, heard, memory, expanded(stack, action, 1), (*done, action), longest)
        found |= {one: score + float(scores[0, choice]) for one, score in rest.items()}
    return found
