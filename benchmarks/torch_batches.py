"""Many questions at a time by torch: cascade, what the decoder hears, and its beam search, all in batches.

Questions with as many tables are padded to one size, up to `TOGETHER` of them, and worked on side by side.
A step of the beam search follows the programs of all of them; questions that have their programs leave the
batch. Running the programs, judging and telling are the same as in `OpenPredictor`.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from benchmarks.torch_path import TorchModel, output_of, said_of
from neural_enquirer.encoding.actions import Action, Asked, Derivation, Pool
from neural_enquirer.encoding.actions.grammar import START, Open, expanded
from neural_enquirer.encoding.open import OpenQuestion, prepare
from neural_enquirer.encoding.padding import collate
from neural_enquirer.encoding.program_batch import collate as collate_schema
from neural_enquirer.judge.verdict import Judge
from neural_enquirer.model.program_decoder import COUNT, Heard, Memory, ProgramDecoder, Turn
from neural_enquirer.prediction.cells import Tables
from neural_enquirer.prediction.closer_look import ROWS_SEEN
from neural_enquirer.prediction.outputs import prediction_of
from neural_enquirer.prediction.predictors import (
    BEHIND,
    PROGRAMS,
    Evidence,
    OpenPredictor,
    check_sizes,
    votes_of,
)
from neural_enquirer.runtime.beam_search import LONGEST, Way
from neural_enquirer.runtime.loading import Loaded

__all__ = ["TOGETHER", "TorchPredictor", "search_many"]

TOGETHER = 256
_LEAST = -12.0
_IMPOSSIBLE = -1e8
_GIVING = (Pool.MENTION, Pool.QUANTITY)


class TorchPredictor(OpenPredictor):
    """Answers by torch: one question by itself as `OpenPredictor` does, several side by side."""

    def __init__(self, trained: Loaded, name: str, judge: Judge | None = None) -> None:
        """Wraps a model of `torch_path`, and the judge that goes with it."""
        super().__init__(trained, name, judge)
        model: Any = trained.model
        assert isinstance(model, TorchModel)
        self._torch = model

    def _evidence(self, questions: Sequence[tuple[Tables, str]]) -> Iterator[Evidence]:
        if len(questions) == 1:
            yield from super()._evidence(questions)
            return
        for tables, _ in questions:
            check_sizes(tables)
        for start in range(0, len(questions), TOGETHER):
            yield from self._some(questions[start : start + TOGETHER])

    def _some(self, asked: Sequence[tuple[Tables, str]]) -> Iterator[Evidence]:
        """Works on questions with as many tables together; those on long tables come one by one."""
        found: dict[int, Evidence] = {}
        groups: dict[int, list[int]] = {}
        for place, (tables, _) in enumerate(asked):
            if any(table.row_count > ROWS_SEEN for table in tables):
                found[place] = next(super()._evidence([asked[place]]))
            else:
                groups.setdefault(len(tables), []).append(place)
        for places in groups.values():
            found |= zip(places, self._together([asked[place] for place in places]), strict=True)
        return (found[place] for place in range(len(asked)))

    @torch.inference_mode()
    def _together(self, asked: Sequence[tuple[Tables, str]]) -> list[Evidence]:
        network, vocabulary = self._torch.network, self._vocabulary
        questions = [prepare(text, self._indexes.of(tables), vocabulary) for tables, text in asked]
        told = [
            Asked(text, tables, [table.links for table in question.tables])
            for question, (tables, text) in zip(questions, asked, strict=True)
        ]
        batch = collate(questions)
        reading = network.read(batch)
        schema = collate_schema(list(zip(told, map(_indexes, questions), strict=True)), vocabulary)
        with network.knowing(reading):
            output, heard = network.execute(batch), network.hear(schema)
        written = search_many(network.decoder, heard, [len(tables) for tables, _ in asked], PROGRAMS, BEHIND)
        found = []
        for place, (question, one, ways) in enumerate(zip(questions, told, written, strict=True)):
            mentioned = [table.links.cell_mentions > 0 for table in question.tables]
            own = output_of(output, place, question)
            prediction = prediction_of(own, mentioned, self._temperature, one.tables)
            votes, says = votes_of(prediction, one.tables), said_of(heard, place, one)
            found.append(Evidence(one, tuple(ways), votes, says, prediction))
        return found


def _indexes(question: OpenQuestion) -> list[Any]:
    return [table.index for table in question.tables]


@dataclass(frozen=True)
class _Followed:
    """A derivation that has symbols left to expand."""

    actions: Derivation
    stack: tuple[Open, ...]
    given: int
    score: float
    steps: tuple[float, ...]
    way: int
    choice: int


_FIRST = _Followed((), (START,), 0, 0.0, (), 0, -1)


@dataclass
class _Search:
    """The search for the programs of one question."""

    tables: int
    followed: list[_Followed] = field(default_factory=lambda: [_FIRST])
    finished: list[Way] = field(default_factory=list)
    bar: float = -math.inf

    def go_on(
        self,
        scores: Sequence[float],
        places: Sequence[int],
        actions: Sequence[Action],
        beam: int,
        behind: float,
    ) -> None:
        """Takes the best choices, the best first; the same decisions as in `runtime.beam_search`."""
        grown = []
        for score, place in zip(scores, places, strict=True):
            if score <= max(self.bar, _IMPOSSIBLE):
                break
            way, choice = divmod(place, len(actions))
            one, action = self.followed[way], actions[choice]
            derivation, stack = (*one.actions, action), expanded(one.stack, action, self.tables)
            steps = (*one.steps, score - one.score)
            if stack:
                given = action.number if action.pool in _GIVING else one.given
                grown.append(_Followed(derivation, stack, given, score, steps, way, choice))
            else:
                self.finished.append(Way(derivation, score, steps))
        self.followed = []
        if not scores or scores[0] <= max(self.bar, _IMPOSSIBLE):
            return
        self.finished = sorted(self.finished, key=lambda way: -way.score)[:beam]
        self.bar = scores[0] - behind
        if self.finished:
            last = self.finished[-1].score if len(self.finished) == beam else -math.inf
            self.bar = max(self.bar, self.finished[0].score - behind, last)
        self.followed = [one for one in grown if one.score > max(_LEAST, self.bar)][:beam]

    def found(self, behind: float) -> list[Way]:
        """The programs, the likeliest first."""
        return [way for way in self.finished if way.score >= self.finished[0].score - behind]


def search_many(
    decoder: ProgramDecoder, heard: Heard, tables: Sequence[int], beam: int, behind: float
) -> list[list[Way]]:
    """Finds the most likely derivations of each question of a batch."""
    searches = [_Search(count) for count in tables]
    running, actions = searches, _actions(heard)
    memory = decoder.begin(heard, 1)
    for _ in range(LONGEST):
        scores, memory = decoder.step(heard, memory, _turn(running))
        totals = (scores + _scores(running)[..., None]).flatten(1)
        values, places = totals.topk(min(2 * beam, totals.shape[1]), dim=1)
        for one, own, where in zip(running, values.tolist(), places.tolist(), strict=True):
            one.go_on(own, where, actions, beam, behind)
        left = [place for place, one in enumerate(running) if one.followed]
        if not left:
            break
        if len(left) < len(running):
            chosen = torch.tensor(left)
            heard = Heard(**{item.name: getattr(heard, item.name)[chosen] for item in fields(Heard)})
            memory = Memory(*(getattr(memory, item.name)[chosen] for item in fields(Memory)))
            running = [running[place] for place in left]
        memory = _taken(memory, running)
    return [one.found(behind) for one in searches]


def _actions(heard: Heard) -> list[Action]:
    """The action of each choice; padding's are never chosen."""
    parts = (heard.fields, heard.mentions, heard.quantities, heard.tables)
    pointed = [
        Action(pool, number)
        for pool, part in zip((Pool.FIELD, Pool.MENTION, Pool.QUANTITY, Pool.TABLE), parts, strict=True)
        for number in range(part.shape[1])
    ]
    return [*(Action(Pool.PRODUCTION, number) for number in range(COUNT)), *pointed]


def _most(running: Sequence[_Search]) -> int:
    return max(len(one.followed) for one in running)


def _turn(running: Sequence[_Search]) -> Turn:
    most = _most(running)
    rows = []
    for one in running:
        own = [
            (int(way.stack[0].symbol), way.stack[0].parent % (COUNT + 1), way.given, way.choice)
            for way in one.followed
        ]
        rows.append(own + [(0, 0, 0, -1)] * (most - len(own)))
    return Turn(*torch.tensor(rows).unbind(dim=2))


def _scores(running: Sequence[_Search]) -> Float[Tensor, "batch way"]:
    most = _most(running)
    rows = [[way.score for way in one.followed] for one in running]
    return torch.tensor([own + [-math.inf] * (most - len(own)) for own in rows])


def _taken(memory: Memory, running: Sequence[_Search]) -> Memory:
    """The memories of the derivations that are followed on."""
    most = _most(running)
    rows = [[way.way for way in one.followed] for one in running]
    index = torch.tensor([own + [0] * (most - len(own)) for own in rows])[..., None]

    def take(own: Float[Tensor, "batch way size"]) -> Float[Tensor, "batch chosen size"]:
        return own.gather(1, index.expand(-1, -1, own.shape[2]))

    return Memory(take(memory.hidden), take(memory.context), take(memory.used))
