"""Against: what the words of a question say against the programs that were written for it."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from neural_enquirer.encoding.actions import Asked
from neural_enquirer.judge.candidates import Candidates
from neural_enquirer.judge.ruled_out import ruled_out
from neural_enquirer.judge.turned import turned
from neural_enquirer.judge.unheard import free_words


@dataclass(frozen=True)
class Against:
    """What both the features and the verdict of a judge go by.

    Attributes:
        ruled_out: which programs cannot be what the question means.
        turned: those that ask for what a prefix denies, each with the one that asks for the opposite.
        free: the places of words that the tables have nothing to do with.
    """

    ruled_out: list[bool]
    turned: list[tuple[int, int | None]]
    free: list[int]

    @classmethod
    def of(cls, asked: Asked, candidates: Candidates, says: npt.NDArray[np.float32]) -> "Against":
        """Looks at a question and what its programs gave."""
        programs = [one.program for one in candidates.answers]
        return cls(ruled_out(asked, programs, says), turned(asked, programs), free_words(asked))
