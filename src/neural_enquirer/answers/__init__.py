"""Answers of all kinds: what was found, how it is told, what was understood, and why there may be none."""

from neural_enquirer.answers.accounting import Understanding, Understood, understand
from neural_enquirer.answers.answer import Answer, Candidate, answer_of
from neural_enquirer.answers.heard import Heard
from neural_enquirer.answers.kinds import answer_kind
from neural_enquirer.answers.refusals import Refusal
from neural_enquirer.answers.steps import ProgramStep, program_steps
from neural_enquirer.judge.ranked import REFUSALS, Ranked

__all__ = [
    "REFUSALS",
    "Answer",
    "Candidate",
    "Heard",
    "ProgramStep",
    "Ranked",
    "Refusal",
    "Understanding",
    "Understood",
    "answer_kind",
    "answer_of",
    "program_steps",
    "understand",
]
