"""What the judge looks at: numbers about each candidate, about refusing, and about the question."""

import datetime
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from neural_enquirer.encoding.actions import PRODUCTIONS, Asked, Pool
from neural_enquirer.encoding.linking import ALONE, CORRECTED, LINKED, MENTION, SHARED
from neural_enquirer.encoding.mentions import How
from neural_enquirer.encoding.text import STOP_WORDS
from neural_enquirer.judge.against import Against
from neural_enquirer.judge.candidates import Candidates, Found
from neural_enquirer.judge.unheard import unheard

_OPENINGS: Final = (
    ("how many", re.compile(r"\b(how many|number of|count)\b")),
    ("how much", re.compile(r"\bhow (much|old|long|far|tall|high|big|large|heavy|fast|deep|often)\b")),
    ("average", re.compile(r"\b(average|avg|mean|median|typical\w*)\b")),
    ("total", re.compile(r"\b(total|sum|altogether|combined|in all|overall)\b")),
    ("who", re.compile(r"\b(who|whom|whose)\b")),
    ("when", re.compile(r"\b(when|what (year|date|day|month)|which (year|date|day|month))\b")),
    ("where", re.compile(r"\b(where|which (city|country|place|state)|what (city|country|place|state))\b")),
    ("or", re.compile(r"\bor\b")),
    ("list", re.compile(r"^(list|name|show|give|which|what are)\b")),
    ("yes or no", re.compile(r"^(is|are|was|were|did|do|does|has|have|had|can|could|will)\b")),
    ("share", re.compile(r"\b(percent\w*|share|proportion|fraction|ratio)\b|%")),
    (
        "difference",
        re.compile(r"\b(difference|more than|less than|older|younger|longer|how much more|than)\b"),
    ),
    ("superlative", re.compile(r"\b(\w+est|most|least|top|best|worst|first|last)\b")),
)
_KINDS: Final = ("text", "number", "date", "yes or no", "texts", "numbers")
_ANSWERS: Final = (
    "cells", "distinct", "pairs", "exists", "count", "count_distinct", "sum", "average", "median", "minimum",
    "maximum", "range", "difference", "distance", "total", "product", "ratio", "percentage", "holds",
    "groups", "groups with measures", "measures", "count groups",
)  # fmt: skip
_ROWS: Final = (
    "where", "largest", "smallest", "n", "nth", "last", "first", "next", "previous", "after", "before",
    "most", "least", "by", "is", "is not", "than", "other", "between", "missing", "present", "or", "not",
    "year_of", "month_of", "of fields", "measure",
)  # fmt: skip
_BY_OPENING: Final = ("count", "sum", "average", "cells", "difference", "percentage")
"""Answers that are told apart by how the question begins."""
_WEAKEST: Final = {
    "weakest production": (Pool.PRODUCTION,),
    "weakest field": (Pool.FIELD,),
    "weakest value": (Pool.MENTION, Pool.QUANTITY),
    "weakest step": tuple(Pool),
}
"""The steps of a derivation that its writer was least sure of."""
_EVEN: Final = math.log(0.5)
_MANY: Final = 30.0


class Votes:
    """What the cascade thinks: the probability of each text as the answer, and of none.

    Attributes:
        texts: the summed probability of the cells with each text.
        none: that of "not in these tables".
        fields: the summed probability of the cells of each field, by its number among all.
    """

    def __init__(self, texts: Mapping[str, float], none: float, fields: Sequence[float] = ()) -> None:
        """Keeps the votes."""
        self.texts, self.none, self.fields = dict(texts), none, tuple(fields)
        self.most = max(self.texts.values(), default=0.0)

    def of(self, texts: Sequence[str]) -> tuple[float, float]:
        """The probability of some texts together, and whether the likeliest text is among them."""
        total = sum(self.texts.get(text, 0.0) for text in set(texts))
        return total, float(any(self.texts.get(text, 0.0) == self.most > 0 for text in texts))


def features(
    asked: Asked,
    candidates: Candidates,
    votes: Votes,
    says: npt.NDArray[np.float32],
    against: Against | None = None,
) -> npt.NDArray[np.float32]:
    """Returns a row for each candidate, one for refusing, and one for the right answer not being there.

    Args:
        asked: the question.
        candidates: what its programs gave.
        votes: what the cascade thinks of it.
        says: how much each word speaks of each field, mention and quantity.
        against: what its words say against its programs, where that is known.
    """
    against = Against.of(asked, candidates, says) if against is None else against
    told = _Told.of(asked, says)
    count = len(candidates.answers)
    found = np.zeros((count + 2, len(FEATURES)), np.float32)
    _fill(found, _of_question(asked, candidates, votes))
    uses = [Use.of(asked, one) for one in candidates.answers]
    each = (_unused_words(told, uses, against.free), _company(candidates), _against_words(against))
    for place, (use, *others) in enumerate(zip(uses, *each, strict=True)):
        values = _of_candidate(told, candidates, place, votes, use)
        for other in others:
            values |= other
        _fill(found[place], values)
    _fill(found[count:], _of_refusing(candidates))
    found[count, FEATURES["refusing"]] = found[count + 1, FEATURES["not there"]] = 1.0
    return found


def _fill(rows: npt.NDArray[np.float32], values: Mapping[str, float]) -> None:
    """Writes features into a row, or the same ones into several."""
    rows[..., list(map(FEATURES.__getitem__, values))] = list(values.values())


@dataclass(frozen=True)
class _Told:
    """What is the same for all candidates of a question.

    Attributes:
        asked: the question.
        says: how much each word speaks of each field, mention and quantity.
        telling: 1 for each word that tells something.
        linked: how much each word speaks of anything.
        most_said: how much the word speaks of each field, mention and quantity that speaks of it most.
        named: the fields that the question names.
        openings: those of `_OPENINGS` that the question has.
        text: the question in small letters.
    """

    asked: Asked
    says: npt.NDArray[np.float32]
    telling: npt.NDArray[np.float32]
    linked: npt.NDArray[np.float32]
    most_said: list[float]
    named: frozenset[int]
    openings: tuple[str, ...]
    text: str

    @classmethod
    def of(cls, asked: Asked, says: npt.NDArray[np.float32]) -> "_Told":
        known = [own.levels for own in asked.links]
        levels = known[0] if len(known) == 1 else np.concatenate(known, axis=1)
        text = asked.question.lower().strip()
        return cls(
            asked,
            says,
            telling=np.array([word not in STOP_WORDS for word in asked.links[0].words], np.float32),
            linked=np.maximum.reduce(says, axis=1, initial=0.0),
            most_said=np.maximum.reduce(says, axis=0, initial=0.0).tolist(),
            named=frozenset(np.flatnonzero((levels >= SHARED).any(axis=0)).tolist()),
            openings=tuple(name for name, pattern in _OPENINGS if pattern.search(text)),
            text=text,
        )


@dataclass(frozen=True)
class Use:
    """What a program points at: mentions that the question says, values that it does not, quantities, fields.

    `words` are those of the mentions and quantities.
    """

    mentions: frozenset[int]
    unsaid: tuple[int, ...]
    quantities: frozenset[int]
    fields: frozenset[int]
    words: frozenset[int]

    @classmethod
    def of(cls, asked: Asked, one: Found) -> "Use":
        """What the program of a candidate points at."""
        pools: list[set[int]] = [set() for _ in Pool]
        for pool, number in one.derivation:
            pools[pool].add(number)
        fields, mentions, quantities = pools[Pool.FIELD], pools[Pool.MENTION], pools[Pool.QUANTITY]
        unsaid = tuple([number for number in mentions if number >= asked.spoken_count])
        mentions.difference_update(unsaid)
        spans = [asked.links[0].mentions[number] for number in mentions]
        spans += [asked.said[number].words for number in quantities]
        words = frozenset().union(*(range(*span) for span in spans))
        return cls(frozenset(mentions), unsaid, frozenset(quantities), frozenset(fields), words)

    def mark(self, words: npt.NDArray[np.float32], asked: Asked, says: npt.NDArray[np.float32]) -> None:
        """Writes how much each word speaks of what the program points at, 1 for those that it uses."""
        words[list(self.words)] = 1
        spoken_of = [*self.fields, *(len(asked.places) + number for number in self.unsaid)]
        if spoken_of:
            np.maximum(words, says[:, spoken_of].max(axis=1), out=words)

    def leaves(self, span: tuple[int, int]) -> bool:
        """Whether none of some words is used."""
        return self.words.isdisjoint(range(*span))


def _of_question(asked: Asked, candidates: Candidates, votes: Votes) -> dict[str, float]:
    flags = asked.links[0].flags
    words = asked.links[0].words
    telling = [flag for flag, word in zip(flags.tolist(), words, strict=True) if word not in STOP_WORDS]
    best = candidates.answers[0].score if candidates.answers else -10.0
    second = candidates.answers[1].score if len(candidates.answers) > 1 else -10.0
    return {
        "cascade none": votes.none,
        "cascade most": votes.most,
        "words": min(len(words), _MANY) / 10,
        "telling words": min(len(telling), _MANY) / 10,
        "alone": sum(bool(flag & ALONE) for flag in telling) / 3,
        "corrected": float(any(flag & CORRECTED for flag in telling)),
        "linked share": sum(bool(flag & LINKED) for flag in telling) / max(1, len(telling)),
        "mentions": min(asked.spoken_count, 6) / 3,
        "quantities": min(len(asked.said), 6) / 3,
        "candidates": len(candidates.answers) / 10,
        "empty": candidates.empty,
        "likeliest": max(best, -10.0) / 3,
        "likeliest probability": math.exp(best),
        "lead": min(best - second, 10.0) / 3,
        "tables": float(len(asked.tables) > 1),
        "log rows in all": math.log1p(sum(table.row_count for table in asked.tables)) / 4,
        "fields in all": min(len(asked.places), 40) / 20,
        "ends with a mark": float(asked.question.rstrip().endswith("?")),
        "begins large": float(asked.question[:1].isupper()),
        "refused": sum(candidates.refusals),
    }


def _of_refusing(candidates: Candidates) -> dict[str, float]:
    total = sum(candidates.refusals)
    return {
        "refusal": math.log(max(total, 1e-6)) / 3,
        "refusal probability": total,
        "no field": candidates.refusals[0],
        "no row": candidates.refusals[1],
        "off topic": candidates.refusals[2],
    }


def _of_candidate(
    told: _Told, candidates: Candidates, place: int, votes: Votes, use: Use
) -> dict[str, float]:
    one = candidates.answers[place]
    vote, agrees = votes.of(one.texts)
    is_cells = float(one.result.verbatim)
    field = _first_field(one)
    return {
        "answer": 1.0,
        "score": max(one.score, -12.0) / 3,
        "probability": math.exp(one.score),
        "best": max(one.best, -12.0) / 3,
        "behind": min(candidates.answers[0].score - one.score, 10.0) / 3,
        "is first": float(place == 0),
        "programs": min(one.programs, 8) / 4,
        "length": len(one.derivation) / 10,
        "is cells": is_cells,
        "vote": vote * is_cells,
        "log vote": is_cells * math.log(max(vote, 1e-4)) / 3,
        "vote agrees": agrees * is_cells,
        "field's vote": votes.fields[field] if field is not None and field < len(votes.fields) else 0.0,
        **_of_steps(one),
        **_of_use(told, use),
        **_of_program(one),
        **_of_result(told, one),
    }


def _of_steps(one: Found) -> dict[str, float]:
    """How sure the decoder was of the steps that it was least sure of."""
    least = [0.0] * len(Pool)
    for (pool, _), own in zip(one.derivation, one.steps, strict=False):
        if own < least[pool]:
            least[pool] = own
    values = {name: max(min([least[pool] for pool in pools]), -6.0) / 2 for name, pools in _WEAKEST.items()}
    return values | {"weak steps": min(sum(own < _EVEN for own in one.steps), 6) / 3}


def _against_words(against: Against) -> list[dict[str, float]]:
    """Which programs the words of the question speak against."""
    found = [{"ruled out": float(is_out)} for is_out in against.ruled_out]
    for denied, meant in against.turned:
        found[denied]["denied"] = 1.0
        if meant is not None:
            found[meant]["denies"] = 1.0
    return found


def _company(candidates: Candidates) -> list[dict[str, float]]:
    """How much of what was written answers in the same way, with the same field, by the same mentions."""
    chances = [math.exp(one.score) for one in candidates.answers]
    total = max(sum(chances), 1e-6)
    found = [{"share": chance / total} for chance in chances]
    for name, trait in (("way", _first_action), ("field", _first_field), ("mentions", _mentions)):
        traits = [trait(one) for one in candidates.answers]
        alike: dict[object, float] = {}
        for own, chance in zip(traits, chances, strict=True):
            alike[own] = alike.get(own, 0.0) + chance
        for row, own in zip(found, traits, strict=True):
            row[f"same {name}"] = alike[own] / total
    return found


def _first_action(one: Found) -> int:
    return one.derivation[0].number


def _first_field(one: Found) -> int | None:
    return next((action.number for action in one.derivation if action.pool is Pool.FIELD), None)


def _mentions(one: Found) -> frozenset[int]:
    return frozenset(action.number for action in one.derivation if action.pool is Pool.MENTION)


def _of_use(told: _Told, use: Use) -> dict[str, float]:
    """What of the question the program accounts for, and what it does not."""
    asked, mentions, quantities, fields = told.asked, use.mentions, use.quantities, use.fields
    links = asked.links[0]
    unused_mentions = [
        number for number, span in enumerate(links.mentions) if number not in mentions and use.leaves(span)
    ]
    exact = sum(bool(links.flags[links.mentions[number][0]] & MENTION) for number in unused_mentions)
    unused = [n for n, said in enumerate(asked.said) if n not in quantities and use.leaves(said.words)]
    spoken = [told.most_said[field] for field in fields] or [1.0]
    values = {
        "values unsaid": min(len(use.unsaid), 4) / 2,
        "mentions used": min(len(mentions), 4) / 2,
        "mentions unused": min(len(unused_mentions), 4) / 2,
        "whole mentions unused": min(exact, 4) / 2,
        "quantities used": min(len(quantities), 4) / 2,
        "quantities unused": min(len(unused), 4) / 2,
        "fields": min(len(fields), 5) / 3,
        "fields not named": len(fields - told.named) / 3,
        "named fields unused": min(len(told.named - fields), 5) / 3,
        "least spoken of": min(spoken),
        "spoken of": sum(spoken) / len(spoken),
    }
    for number in mentions:
        values[f"mention by {links.hows[number].name.lower()}"] = 1.0
    return values


def _unused_words(told: _Told, uses: Sequence[Use], free: Sequence[int]) -> list[dict[str, float]]:
    """How many words each program leaves unused, those that speak of what it points at aside."""
    used = np.zeros((len(uses), len(told.says)), np.float32)
    for row, use in zip(used, uses, strict=True):
        use.mark(row, told.asked, told.says)
    left = told.telling * (1 - used)
    linked, telling = (left * told.linked).sum(axis=1), left.sum(axis=1)
    shares = telling / max(1.0, told.telling.sum())
    unheard_of = [len(unheard(told.asked, row, free)) for row in used]
    return [
        {
            "linked words unused": min(one, 5.0) / 3,
            "telling words unused": min(other, 8.0) / 4,
            "share unused": share,
            "unheard": min(count, 3) / 2,
            "unheard, and no value used": min(count, 3) / 2 if not use.words else 0.0,
        }
        for one, other, share, count, use in zip(
            linked.tolist(), telling.tolist(), shares.tolist(), unheard_of, uses, strict=True
        )
    ]


def _of_program(one: Found) -> dict[str, float]:
    first, *others = [action.number for action in one.derivation if action.pool is Pool.PRODUCTION]
    counts: dict[str, int] = {}
    for number in others:
        part = _HAVING[number]
        if part is not None:
            counts[part] = counts.get(part, 0) + 1
    return {_ANSWERING[first]: 1.0} | {part: min(count, 3) / 2 for part, count in counts.items()}


def _answering(name: str) -> str:
    """The feature of an answer by a production."""
    first = "holds" if name.startswith("holds") else name
    return f"answers by {first if first in _ANSWERS else 'cells'}"


def _having(name: str) -> str | None:
    """The feature of a program that has a production within; None where there is none."""
    first, *others = name.split()
    parts = (name, first, " ".join(others), others[-1] if others else first)
    return next((f"has {part}" for part in parts if part in _ROWS), None)


_ANSWERING: Final = tuple(_answering(one.name) for one in PRODUCTIONS)
_HAVING: Final = tuple(_having(one.name) for one in PRODUCTIONS)


def _of_result(told: _Told, one: Found) -> dict[str, float]:
    kind, values, steps = _kind(one), one.result.values, one.result.steps
    first = PRODUCTIONS[one.derivation[0].number].name
    rows = len(steps[-1]) if steps else 0
    whole = sum(table.row_count for table in told.asked.tables)
    found = {
        f"gives {kind}": 1.0,
        "several": float(len(values) > 1),
        "log values": math.log1p(len(values)) / 3,
        "zero": float(len(values) == 1 and values[0] == 0),
        "log rows": math.log1p(rows) / 4,
        "all rows": float(rows == whole),
        "one row": float(rows == 1),
        "said in the question": float(any(text.lower() in told.text for text in one.texts if len(text) > 2)),
    }
    for name in told.openings:
        found[f"{name}: {kind}"] = 1.0
        if first in _BY_OPENING:
            found[f"{name} by {first}"] = 1.0
    return found


def _kind(one: Found) -> str:
    values = one.result.values
    first = values[0]
    if len(values) > 1:
        return "texts" if isinstance(first, str) else "numbers"
    if first in ("yes", "no") and not one.result.verbatim:
        return "yes or no"
    if isinstance(first, datetime.date):
        return "date"
    return "text" if isinstance(first, str) else "number"


def _names() -> Iterator[str]:
    yield from (
        "cascade none", "cascade most", "words", "telling words", "alone", "corrected", "linked share",
        "mentions", "quantities", "candidates", "empty", "likeliest", "likeliest probability", "lead",
        "tables", "refusing", "not there", "refusal", "refusal probability", "no field", "no row",
        "off topic",
        "answer", "score", "probability", "best", "behind", "is first", "programs", "length", "is cells",
        "vote", "log vote", "vote agrees", "field's vote", "same way", "same field", "same mentions", "share",
        "refused", "values unsaid", "mentions used", "mentions unused", "whole mentions unused",
        "quantities used", "quantities unused", "fields", "fields not named", "named fields unused",
        "linked words unused", "telling words unused", "share unused", "several", "log values", "zero",
        "log rows", "all rows", "one row", "said in the question", "log rows in all", "fields in all",
        "ends with a mark", "begins large", *_WEAKEST, "weak steps", "least spoken of", "spoken of",
        "ruled out", "denied", "denies", "unheard", "unheard, and no value used",
    )  # fmt: skip
    yield from (f"mention by {how.name.lower()}" for how in How)
    yield from (f"answers by {name}" for name in _ANSWERS)
    yield from (f"has {name}" for name in _ROWS)
    yield from (f"gives {kind}" for kind in _KINDS)
    for name, _ in _OPENINGS:
        yield from (f"{name}: {kind}" for kind in _KINDS)
        for first in _BY_OPENING:
            yield f"{name} by {first}"


FEATURES: Final[Mapping[str, int]] = {name: place for place, name in enumerate(_names())}
"""The place of each feature."""
