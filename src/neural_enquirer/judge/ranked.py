"""What a judge hands over: programs with their results, or refusals, and how probable each is."""

from dataclasses import dataclass
from typing import Final

from neural_enquirer.programs.language import Program
from neural_enquirer.programs.result import Result

NO_FIELD: Final = "no_field"
NO_ROW: Final = "no_row"
NOT_ABOUT: Final = "not_about_this_table"
UNSUPPORTED: Final = "unsupported"
UNSURE: Final = "unsure"
REFUSALS: Final = (NO_FIELD, NO_ROW, NOT_ABOUT, UNSUPPORTED, UNSURE)
"""Why there is no answer: no field has it, no row has it, the question is about something else, nothing here
can work it out, or nothing is likely enough."""


@dataclass(frozen=True)
class Ranked:
    """One outcome that a judge considered: a program and what running it gave, or a refusal of some kind.

    Attributes:
        program: the program; None for a refusal.
        refusal: one of `REFUSALS` where there is no program; else None.
        result: what running the program gave; None for a refusal.
        probability: how probable it is that this is right.
        written: how probable the decoder finds it, which a judge knows better.
        recalled: the question whose correction speaks for it; None where none does.
        unheard: the places of words that sound like conditions and that it does nothing with; looked for in
            the likeliest outcome alone.
    """

    program: Program | None
    refusal: str | None
    result: Result | None
    probability: float
    written: float = 0.0
    recalled: str | None = None
    unheard: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if (self.program is None) != (self.result is None) or (self.program is None) != (
            self.refusal in REFUSALS
        ):
            raise ValueError("an outcome is a program with its result, or a refusal of a known kind")
