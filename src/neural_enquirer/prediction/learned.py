"""The predictor of a model that has learned corrections: it remembers them, and the rest stays as it was.

A question about tables with the same fields is compared with those that were corrected. The right program of
one that it is like, with the values that it names, joins the outcomes, as probable as it is that the same is
asked. All else is answered as if nothing had been learned.
"""

import json
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from neural_enquirer.checkpoint_files import CheckpointError
from neural_enquirer.encoding.actions import Asked
from neural_enquirer.encoding.linking import Links
from neural_enquirer.encoding.text import fold
from neural_enquirer.judge.ranked import NOT_ABOUT, Ranked
from neural_enquirer.judge.verdict import Judge
from neural_enquirer.prediction.cells import Prediction, Tables
from neural_enquirer.prediction.likeness import Answer, Question, Recalled, features, moved
from neural_enquirer.prediction.predictors import OpenPredictor
from neural_enquirer.prediction.verdict import Verdict
from neural_enquirer.programs.execution import Runner
from neural_enquirer.programs.language import Program, ProgramError
from neural_enquirer.programs.parsing import parse
from neural_enquirer.tables import Table

FILE: Final = "corrections.json"
_ALIKE: Final = 0.8
"""The share of fields that a table must have in common with another to be asked as that one is."""
_CERTAIN: Final = 0.99
"""How probable it is that what somebody said is right is right."""
_SUBJECTS_KEPT: Final = 16

Fields = frozenset[str]


@dataclass(frozen=True)
class Remembered:
    """A correction: a question, the fields of its tables, and the right program; none if nothing answers."""

    question: str
    fields: tuple[Fields, ...]
    program: str | None

    def is_about(self, tables: Sequence[Table]) -> bool:
        """Whether some tables are such as it was asked of."""
        pairs = zip(map(fields_of, tables), self.fields, strict=False)
        return len(tables) == len(self.fields) and all(_are_alike(*pair) for pair in pairs)


@dataclass(frozen=True)
class Known:
    """A correction about the tables at hand, and what the model itself makes of its question."""

    question: Question
    right: Program | None
    score: float


class LearnedPredictor:
    """A model, and corrections of what it said."""

    def __init__(self, general: OpenPredictor, memory: Sequence[Remembered], likeness: Judge) -> None:
        """Takes the model as it was.

        Args:
            general: the model.
            memory: the corrections.
            likeness: says whether one of them is asked again.
        """
        self.name = general.name
        self._general, self._memory, self._likeness = general, memory, likeness
        self._known: OrderedDict[tuple[int, ...], tuple[Tables, list[Known]]] = OrderedDict()

    def judge(self, questions: Sequence[tuple[Tables, str]]) -> list[Verdict]:
        """Answers questions as the model does, or as somebody said that like ones are to be answered."""
        verdicts = self._general.judge(questions)
        return [
            self._reminded(tables, question, verdict)
            for (tables, question), verdict in zip(questions, verdicts, strict=True)
        ]

    def predict(self, questions: Sequence[tuple[Tables, str]]) -> list[Prediction]:
        """Answers questions by the cascade alone, which learns no corrections."""
        return self._general.predict(questions)

    def link(self, tables: Tables, question: str) -> list[Links]:
        """Links a question to tables, for which nothing of it is answered."""
        return self._general.link(tables, question)

    def _reminded(self, tables: Tables, text: str, verdict: Verdict) -> Verdict:
        known = self._known_of(tables)
        question = Question(Asked(text, tables, verdict.links), verdict.ranked)
        recalled = recall(self._general, question, known)
        if not recalled:
            return verdict
        same = [place for place, one in enumerate(recalled) if _plain(one.corrected) == _plain(question)]
        if same:
            chances = [0.0] * len(recalled) + [1 - _CERTAIN]
            chances[same[-1]] = _CERTAIN
        else:
            chances = self._likeness.probabilities(features(question, recalled)).tolist()
        return replace(verdict, ranked=_joined(question, recalled, chances))

    def _known_of(self, tables: Tables) -> list[Known]:
        """The corrections about such tables."""
        key = tuple(map(id, tables))
        if key not in self._known:
            while len(self._known) >= _SUBJECTS_KEPT:
                self._known.popitem(last=False)
            own = [one for one in self._memory if one.is_about(tables)]
            self._known[key] = tables, known_of(self._general, tables, own)
        return self._known[key][1]


def known_of(predictor: OpenPredictor, tables: Tables, memory: Sequence[Remembered]) -> list[Known]:
    """Corrections, with what the model makes of their questions."""
    found = []
    verdicts = predictor.judge([(tables, one.question) for one in memory])
    for one, verdict in zip(memory, verdicts, strict=True):
        asked = Asked(one.question, tables, verdict.links)
        right = None if one.program is None else parse(one.program)
        found.append(Known(Question(asked, verdict.ranked), right, predictor.scores(asked, [right])[0]))
    return found


def recall(predictor: OpenPredictor, question: Question, known: Sequence[Known]) -> list[Recalled]:
    """Applies corrections to a question; those by which it has no answer are left out."""
    if not known:
        return []
    asked, runner = question.asked, Runner(question.asked.tables)
    found: list[tuple[Known, Program | None, Answer]] = []
    for one in known:
        program = None if one.right is None else moved(one.right, one.question, question)
        try:
            answer = None if program is None else tuple(sorted(runner.run(program).texts(asked.tables)))
        except ProgramError:
            continue
        if answer != ():
            found.append((one, program, answer))
    wrong = [one.question.outcomes[0].program for one, _, _ in found]
    scores = predictor.scores(asked, [*(program for _, program, _ in found), *wrong])
    pairs = zip(scores, scores[len(found) :], strict=False)
    return [
        Recalled(one.question, one.right, program, answer, (*own, one.score))
        for (one, program, answer), own in zip(found, pairs, strict=True)
    ]


def _joined(question: Question, recalled: Sequence[Recalled], chances: Sequence[float]) -> tuple[Ranked, ...]:
    """The outcomes of a model and of corrections: of those with the same answer, the likelier one.

    Their chances are not added: what the model thinks of an answer is a part of what speaks for a correction.
    """
    runner = Runner(question.asked.tables)
    found = {
        answer: replace(one, probability=one.probability * chances[-1])
        for one, answer in zip(question.outcomes, question.answers, strict=True)
    }
    for one, chance in zip(recalled, chances, strict=False):
        before = found.get(one.answer)
        if before is None or chance > before.probability:
            result = None if one.program is None else runner.run(one.program)
            refusal, text = NOT_ABOUT if result is None else None, one.corrected.asked.question
            written = before.written if before else 0.0
            found[one.answer] = Ranked(one.program, refusal, result, chance, written, text)
    return tuple(sorted(found.values(), key=lambda one: -one.probability))


def _plain(question: Question) -> str:
    """A question without what makes no other one of it: case, spaces, the mark at its end."""
    return " ".join(fold(question.asked.question).split()).rstrip(" ?.!")


def fields_of(table: Table) -> Fields:
    """The names of a table's fields, by which it is known."""
    return frozenset(map(fold, table.field_names))


def _are_alike(one: Fields, other: Fields) -> bool:
    return len(one & other) >= _ALIKE * len(one | other)


def write_memory(directory: Path, memory: Iterable[Remembered]) -> None:
    """Writes corrections into the folder of a model."""
    content = [
        {"question": one.question, "fields": [sorted(own) for own in one.fields], "program": one.program}
        for one in memory
    ]
    (directory / FILE).write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def read_memory(directory: Path) -> list[Remembered]:
    """The corrections that a model has learned; none where it has learned nothing.

    Raises:
        CheckpointError: if the file is damaged.
    """
    path = directory / FILE
    if not path.is_file():
        return []
    try:
        content: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
        return [
            Remembered(
                str(one["question"]),
                tuple(frozenset(map(str, own)) for own in one["fields"]),
                None if one["program"] is None else str(one["program"]),
            )
            for one in content
        ]
    except (ValueError, KeyError, TypeError):
        raise CheckpointError(f"{path} is damaged; learn again") from None
