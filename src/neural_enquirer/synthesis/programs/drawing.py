"""Draws questions of every kind about any tables, each with the program that answers it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from neural_enquirer.programs.execution import run
from neural_enquirer.programs.language import Program, ProgramError
from neural_enquirer.synthesis.open.draw import Draw, NoQuestionError, attempted
from neural_enquirer.synthesis.programs.drafting import drafted, worded
from neural_enquirer.synthesis.programs.joining import Ground, grounds
from neural_enquirer.synthesis.programs.subject import Subject
from neural_enquirer.synthesis.programs.unanswerable import missing_field, missing_row, nonsense, off_topic
from neural_enquirer.tables import Table

_UNANSWERABLE: Final[tuple[tuple[float, str, Callable[[Draw, Subject], str]], ...]] = (
    (0.045, "no_field", missing_field),
    (0.025, "no_row", missing_row),
    (0.008, "off_topic", off_topic),
    (0.004, "nonsense", nonsense),
)
"""The shares of questions that nothing answers, why, and what draws them."""
_OF_TWO: Final = 0.7
_TRIES: Final = 60
_LONGEST: Final = 220


@dataclass(frozen=True)
class DrawnQuestion:
    """A question about tables.

    Attributes:
        question: as somebody may type it.
        program: answers it; None where these tables cannot.
        kind: what is asked for; without a program, why nothing answers: `no_field`, `no_row`, `off_topic`,
            `nonsense`.
        natural: whether it may speak of fields as people do (tallest), or calls them by their names only.
    """

    question: str
    program: Program | None
    kind: str
    natural: bool = False


def draw_questions(tables: Sequence[Table], count: int, seed: int) -> list[DrawnQuestion]:
    """Draws questions about tables: all about the only one, or about one or two of several.

    Args:
        tables: what the questions are about; their names differ.
        count: how many questions; fewer come out where the tables have too little to ask about.
        seed: the same seed gives the same questions.
    """
    headers = (name for table in tables for name in (table.name, *table.field_names))
    draw = Draw("programs", seed, *headers)
    places = [ground for ground in grounds(tables) if ground.subject.fields and ground.subject.row_count > 1]
    if not places:
        return []
    drawn = (_drawn(draw, places, tables) for _ in range(count))
    return [question for question in drawn if question is not None]


def _drawn(draw: Draw, places: Sequence[Ground], tables: Sequence[Table]) -> DrawnQuestion | None:
    joined = [ground for ground in places if not ground.ordered]
    kind = draw.random()
    for _ in range(_TRIES):
        ground = draw.of(joined) if joined and draw.chance(_OF_TWO) else draw.of(places)
        question = attempted(_of_kind, draw, kind, ground, tables)
        if question is not None and len(question.question) <= _LONGEST:
            return question
    return None


def _of_kind(draw: Draw, kind: float, ground: Ground, tables: Sequence[Table]) -> DrawnQuestion:
    """A question that nothing answers, where the number is small enough, or one that a program does."""
    for share, reason, make in _UNANSWERABLE:
        kind -= share
        if kind < 0:
            return DrawnQuestion(make(draw, ground.subject), None, reason)
    draft = drafted(draw, ground.subject, ground.ordered)
    program = ground.placed(draft.program)
    if program is None or not _has_answer(program, tables):
        raise NoQuestionError
    return DrawnQuestion(worded(draw, draft), program, draft.kind, draft.natural)


def _has_answer(program: Program, tables: Sequence[Table]) -> bool:
    try:
        return bool(run(program, tables).values)
    except ProgramError:
        return False
