"""Everyday questions: a data set of this project, in `datasets/everyday` of its repository."""

from neural_enquirer.real_questions.everyday.keeping_out import Split, split, tenths_of
from neural_enquirer.real_questions.everyday.other_names import OtherNames, draw_names, read_other_names
from neural_enquirer.real_questions.everyday.programs import programs_of, read_programs, write_programs
from neural_enquirer.real_questions.everyday.questions import (
    KINDS,
    REASONS,
    UNANSWERABLE,
    EverydayQuestion,
    is_everyday,
    read_everyday,
    read_tables,
)
from neural_enquirer.real_questions.everyday.scoring import (
    EverydayScore,
    Given,
    Share,
    is_right,
    read_given,
    same,
    score,
)

__all__ = [
    "KINDS",
    "REASONS",
    "UNANSWERABLE",
    "EverydayQuestion",
    "EverydayScore",
    "Given",
    "OtherNames",
    "Share",
    "Split",
    "draw_names",
    "is_everyday",
    "is_right",
    "programs_of",
    "read_everyday",
    "read_given",
    "read_other_names",
    "read_programs",
    "read_tables",
    "same",
    "score",
    "split",
    "tenths_of",
    "write_programs",
]
