"""Questions of templates as a set: the paper's forms and every operation, over held-out schemas."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from neural_enquirer.evaluation.scoring import Answered, Score
from neural_enquirer.programs.execution import run
from neural_enquirer.real_questions.denotation import same_rows
from neural_enquirer.real_questions.sets import AskedQuestion
from neural_enquirer.synthesis.examples import WORDINGS, Example, ExampleSet
from neural_enquirer.synthesis.programs import draw_questions
from neural_enquirer.tables import Table

UNSUPPORTED: Final = "unsupported"
"""Examples that no cell answers: counts, sums, lists. They have no program, so nobody knows their answer."""
_TURN: Final = 2
"""So many examples are kept, and so many replaced: wordings take turns, and as many of each are kept."""


@dataclass(frozen=True)
class TemplateQuestion:
    """A drawn question, and in which of `WORDINGS`; None where nothing answers it and it has neither."""

    asked: AskedQuestion
    wording: str | None


def forms(examples: Iterable[Example]) -> list[TemplateQuestion]:
    """The questions of examples whose answer is a cell, or nothing at all."""
    known = (each for each in enumerate(examples) if each[1].type != UNSUPPORTED)
    return [_of_form(example, place) for place, example in known]


def with_operations(examples: Sequence[Example]) -> list[TemplateQuestion]:
    """Half the questions of examples, and in the place of the others questions of every operation.

    These are drawn over the tables of the examples, whose schemas are as new to a model. Where a table has
    nothing to ask about, there is one question less.
    """
    questions: list[TemplateQuestion] = []
    for place, example in enumerate(examples):
        if example.type == UNSUPPORTED or place // _TURN % 2 == 1:
            questions += draw_operations(example.tables, place)
        else:
            questions.append(_of_form(example, place))
    return questions


def draw_operations(tables: tuple[Table, ...], seed: int, count: int = 1) -> Iterator[TemplateQuestion]:
    """Draws questions of every operation over tables; fewer where they have little to ask about."""
    for number, drawn in enumerate(draw_questions(tables, count, seed)):
        texts = () if drawn.program is None else run(drawn.program, tables).texts(tables)
        wording = WORDINGS[drawn.natural] if texts else None
        name = f"{seed}-{number}"
        yield TemplateQuestion(_asked(name, tables, drawn.question, drawn.kind, texts), wording)


def as_open(questions: ExampleSet) -> list[Example]:
    """The questions of an Olympic task, for a model that takes any tables."""
    return [questions.example(i) for i in range(len(questions))]


def score_templates(questions: Sequence[TemplateQuestion], answered: Sequence[Answered]) -> dict[str, Any]:
    """The figures as the command line's JSON, with those of each wording where there are two."""
    wordings = {
        wording: [one for one, own in zip(answered, questions, strict=True) if own.wording == wording]
        for wording in WORDINGS
    }
    figures = Score.of(answered).to_json()
    if all(wordings.values()):
        figures["by_wording"] = {wording: _in_short(Score.of(own)) for wording, own in wordings.items()}
    return figures


def _in_short(score: Score) -> Mapping[str, Any]:
    return {"overall": score.overall, "by_type": score.by_type, "examples": score.examples}


def _of_form(example: Example, place: int) -> TemplateQuestion:
    texts = [example.tables[table].text(row, column) for table, row, column in example.cells[:1]]
    return TemplateQuestion(
        _asked(str(place), example.tables, example.question, example.type, texts), example.wording
    )


def _asked(
    name: str, tables: tuple[Table, ...], question: str, kind: str, texts: Sequence[str]
) -> AskedQuestion:
    accepted = (tuple(texts),) if texts else ()
    return AskedQuestion(name, tables, question, kind, accepted, same_rows)
