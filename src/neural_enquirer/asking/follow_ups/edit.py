"""An edited program, and how far-fetched it is to read a question so."""

from dataclasses import dataclass

from neural_enquirer.programs.language import Condition, Program

__all__ = ["Edit"]


@dataclass(frozen=True)
class Edit:
    """A program that a question may stand for.

    Attributes:
        program: the program.
        cost: how far-fetched the reading is.
        fresh: the conditions that the question itself has brought in.
    """

    program: Program
    cost: float = 0.0
    fresh: frozenset[Condition] = frozenset()

    def to(self, program: Program, cost: float = 0.0, *fresh: Condition) -> "Edit":
        """Another program, reached at a further cost and by further conditions."""
        return Edit(program, self.cost + cost, self.fresh.union(fresh))
