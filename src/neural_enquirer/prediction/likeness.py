"""Likeness: whether a question asks what was corrected before, in other words or of other values.

What speaks for it is counted here: words and values that both questions say, what the model makes of both,
and how well the right program of the one goes with the other. What it all amounts to was learned from
questions in several wordings (`learning/telling_apart.py`).
"""

import enum
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from neural_enquirer.encoding.actions import Asked
from neural_enquirer.encoding.text import STOP_WORDS, stem
from neural_enquirer.encoding.word_vectors import row_of, word_vector
from neural_enquirer.judge.ranked import Ranked
from neural_enquirer.judge.storage import load_judge
from neural_enquirer.judge.verdict import Judge
from neural_enquirer.prediction.wordings import FOLDER, load_wordings
from neural_enquirer.programs.enumeration import plain_number
from neural_enquirer.programs.language import Compare, Condition, Constant, Field, Program
from neural_enquirer.programs.trees import changed, parts

LIKENESS: Final = "likeness.safetensors"

Answer = tuple[str, ...] | None
"""The sorted texts of an answer; None for a refusal."""
_RARE: Final = 1.2
"""How much a word says that has no vector; common words say less."""
_ASKING: Final = frozenset({"not", "no", "or", "than", "who", "when", "where", "how", "if"})
_ASKS: Final = 0.3
_UNLIKE: Final = 0.3
"""Words whose vectors have such a cosine have nothing in common."""
_LEAST: Final = -15.0
"""A log-probability that is as good as none."""


def load_likeness() -> Judge:
    """Reads what all that speaks for a question being like another amounts to."""
    found = load_judge(FOLDER, LIKENESS, FEATURES)
    assert found is not None, f"{LIKENESS} comes with the package"
    return found


@dataclass(frozen=True, eq=False)
class Question:
    """A question, and what the model makes of it, the likeliest first."""

    asked: Asked
    outcomes: Sequence[Ranked]

    @cached_property
    def stems(self) -> npt.NDArray[np.str_]:
        """The stems of its words."""
        return np.array([stem(word) for word in self.asked.links[0].words], np.str_)

    @cached_property
    def weights(self) -> npt.NDArray[np.float32]:
        """How much each of its words says."""
        return np.array([_weight(word) for word in self.asked.links[0].words], np.float32)

    @cached_property
    def vectors(self) -> npt.NDArray[np.float32]:
        """The vectors of its words."""
        return np.array([word_vector(word) for word in self.asked.links[0].words], np.float32)

    @cached_property
    def direction(self) -> npt.NDArray[np.float32]:
        """Where its words point together."""
        return load_wordings().direction(self.asked.links[0].words)

    @cached_property
    def mentions(self) -> list[frozenset[Condition]]:
        """The rows that each mention may mean."""
        found: list[set[Condition]] = [set() for _ in range(self.asked.spoken_count)]
        for (mention, _), condition in self.asked.named.items():
            if mention < len(found):
                found[mention].add(condition)
        return list(map(frozenset, found))

    @cached_property
    def conditions(self) -> frozenset[Condition]:
        """The rows that all mentions may mean."""
        return frozenset().union(*self.mentions)

    @cached_property
    def numbers(self) -> frozenset[Any]:
        """Its numbers, and the days of its dates."""
        said = (one.quantity for one in self.asked.said)
        return frozenset(one.of_a_year or one.days if one.number is None else one.number for one in said)

    @cached_property
    def answers(self) -> list[Answer]:
        """What comes of each outcome."""
        return [answer_of(one, self.asked) for one in self.outcomes]

    def chance(self, answer: Answer) -> tuple[float, float]:
        """How probable an answer is, to the judge and to the decoder."""
        same = [one for one, own in zip(self.outcomes, self.answers, strict=True) if own == answer]
        return sum(one.probability for one in same), sum(one.written for one in same)

    @cached_property
    def programs(self) -> dict[Program, float]:
        """How probable the decoder finds each of the programs."""
        return {one.program: one.written for one in self.outcomes if one.program is not None}

    @cached_property
    def traits(self) -> Counter[Any]:
        """How probable each trait of a program is."""
        found: Counter[Any] = Counter()
        for program, chance in self.programs.items():
            for trait in _traits(program):
                found[trait] += chance  # type: ignore[assignment]
        return found

    def agrees(self, program: Program | None, traits: bool = True) -> float:
        """How much of a program, or only of its fields, those of the question have on average."""
        of, total = _traits if traits else _fields, sum(self.programs.values())
        own = of(program)
        agreed = sum(chance * _share(of(one), own) for one, chance in self.programs.items())
        return agreed / total if total else 0.0


@dataclass(frozen=True)
class Recalled:
    """A correction, applied to a question.

    Attributes:
        corrected: the question that was corrected.
        right: what is right there; None where nothing answers.
        program: the same with the values of the question at hand.
        answer: what that gives.
        scores: the log-probabilities of `right`, of what the model said there, and of `right` there.
    """

    corrected: Question
    right: Program | None
    program: Program | None
    answer: Answer
    scores: tuple[float, float, float]


def answer_of(one: Ranked, asked: Asked) -> Answer:
    """What comes of an outcome."""
    return None if one.result is None else tuple(sorted(one.result.texts(asked.tables)))


def moved(program: Program, old: Question, new: Question) -> Program:
    """A program with the values that another question names in the place of those that it does not."""
    free = new.conditions - old.conditions
    lost, gained = old.numbers - new.numbers, new.numbers - old.numbers

    def change(part: Any) -> Any:
        if isinstance(part, Compare) and part in old.conditions and part not in new.conditions:
            instead = [
                one
                for one in free
                if isinstance(one, Compare) and (one.term, one.comparison) == (part.term, part.comparison)
            ]
            return instead[0] if len(instead) == 1 else part
        if isinstance(part, Constant) and part.value in lost and len(gained) == 1:
            (number,) = gained
            return Constant(plain_number(number)) if isinstance(number, float) else part
        return part

    return changed(program, change)


def features(new: Question, recalled: Sequence[Recalled]) -> npt.NDArray[np.float32]:
    """A row for each correction that may be meant, and one for none of them."""
    rows = np.zeros((len(recalled) + 1, len(FEATURES)), np.float32)
    for row, one in zip(rows, recalled, strict=False):
        _fill(row, {"recalled": 1.0, **dict(_of_words(one.corrected, new)), **dict(_of_outcomes(one, new))})
        _fill(row, dict(_of_program(one, new)))
    _fill(rows[-1], {"sure": new.outcomes[0].probability, "refuses": float(new.answers[0] is None)})
    return rows


def _fill(row: npt.NDArray[np.float32], values: Mapping[str, float]) -> None:
    row[[_PLACES[name] for name in values]] = list(values.values())


def _of_words(old: Question, new: Question) -> Iterator[tuple[str, float]]:
    same = (old.stems[:, None] == new.stems[None, :]).astype(np.float32)
    near = same
    if same.size:
        near = np.maximum(same, ((old.vectors @ new.vectors.T - _UNLIKE) / (1 - _UNLIKE)).clip(0, 1))
    for name, axis, weights in (("old", 1, old.weights), ("new", 0, new.weights)):
        total = max(float(weights.sum()), 1e-6)
        kept = float(near.max(axis=axis, initial=0.0) @ weights)
        yield f"words of {name} kept", kept / total
        yield f"words of {name} alike", float(same.max(axis=axis, initial=0.0) @ weights) / total
        yield f"words of {name} lost", total - kept
    yield "worded alike", float(old.direction @ new.direction)
    yield "mentions of both", min(sum(bool(one & old.conditions) for one in new.mentions), 3)
    yield "mentions of new", min(sum(not one & old.conditions for one in new.mentions), 3)
    yield "mentions of old", min(sum(not one & new.conditions for one in old.mentions), 3)
    yield "numbers of both", len(old.numbers & new.numbers)
    yield "numbers of new", len(new.numbers - old.numbers)
    yield "numbers of old", len(old.numbers - new.numbers)


def _of_outcomes(one: Recalled, new: Question) -> Iterator[tuple[str, float]]:
    old = one.corrected
    wrong, first = old.outcomes[0], new.outcomes[0]
    yield "same program", float(first.program is not None and first.program == wrong.program)
    yield "same answer", float(new.answers[0] == old.answers[0])
    yield "right already", float(new.answers[0] == one.answer)
    yield "chance of wrong", new.chance(old.answers[0])[0]
    yield "chance of right", new.chance(one.answer)[0]
    yield "written right", new.chance(one.answer)[1]
    yield "sure", first.probability
    yield "was sure", wrong.probability
    yield "refuses", float(first.program is None)
    yield "refusal", new.chance(None)[1]
    yield "was refusal", old.chance(None)[1]
    common = (math.sqrt(own * new.programs.get(each, 0.0)) for each, own in old.programs.items())
    yield "programs of both", sum(common)
    answers = set(old.answers) & set(new.answers)
    yield "answers of both", sum(math.sqrt(old.chance(each)[1] * new.chance(each)[1]) for each in answers)
    yield "traits of both", _cosine(old.traits, new.traits)


def _of_program(one: Recalled, new: Question) -> Iterator[tuple[str, float]]:
    old, right = one.corrected, one.right
    wrong, first = old.outcomes[0].program, new.outcomes[0].program
    yield "agrees with right", new.agrees(right)
    yield "agrees with wrong", new.agrees(wrong)
    yield "fields agree with right", new.agrees(right, traits=False)
    yield "first like right", _share(_traits(first), _traits(right))
    yield "first like wrong", _share(_traits(first), _traits(wrong)) if first or wrong else 1.0
    yield "right like wrong", _share(_traits(right), _traits(wrong))
    yield "moved", float(one.program != right)
    score, of_wrong, was = (max(each, _LEAST) for each in one.scores)
    best = max([math.log(max(each, 1e-6)) for each in new.programs.values()], default=_LEAST / 2)
    yield "score", score
    yield "score behind", score - best
    yield "score risen", min(max(score - was, -10.0), 10.0)
    yield "score of wrong", of_wrong
    yield "cannot be said", float(one.scores[0] == -math.inf)


def _weight(word: str) -> float:
    """How much a word says: those that are common say less."""
    if word in STOP_WORDS:
        return _ASKS if word in _ASKING else 0.0
    row = row_of(word)
    return _RARE if row == 0 else min(_RARE, 0.15 + 0.12 * math.log(row))


@lru_cache(maxsize=8192)
def _traits(program: Program | None) -> frozenset[Any]:
    """The parts of a program, the kinds of these, and what their names and operations are."""
    found: set[Any] = set()
    for part in () if program is None else parts(program):
        found |= {part, type(part)}
        found |= {(name, one) for name, one in vars(part).items() if isinstance(one, str | int | enum.Enum)}
    return frozenset(found)


@lru_cache(maxsize=8192)
def _fields(program: Program | None) -> frozenset[Any]:
    """The fields of a program."""
    return frozenset(part for part in _traits(program) if isinstance(part, Field))


def _share(one: frozenset[Any], other: frozenset[Any]) -> float:
    return len(one & other) / max(1, len(one | other))


def _cosine(one: Mapping[Any, float], other: Mapping[Any, float]) -> float:
    lengths = [math.sqrt(sum(value * value for value in each.values())) for each in (one, other)]
    return sum(value * other.get(key, 0.0) for key, value in one.items()) / max(math.prod(lengths), 1e-6)


FEATURES: Final = (
    "recalled", "sure", "refuses",
    *(f"words of {name} {what}" for name in ("old", "new") for what in ("kept", "alike", "lost")),
    "worded alike",
    *(f"{what} of {whose}" for what in ("mentions", "numbers") for whose in ("both", "new", "old")),
    "same program", "same answer", "right already", "chance of wrong", "chance of right", "written right",
    "was sure", "refusal", "was refusal", "programs of both", "answers of both", "traits of both",
    "agrees with right", "agrees with wrong", "fields agree with right", "first like right",
    "first like wrong", "right like wrong", "moved", "score", "score behind",
    "score risen", "score of wrong", "cannot be said",
)  # fmt: skip
"""What is counted, in the order of the rows."""
_PLACES: Final = {name: place for place, name in enumerate(FEATURES)}
