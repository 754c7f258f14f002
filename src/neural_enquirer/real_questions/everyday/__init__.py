"""Everyday questions: a data set of this project, in `datasets/everyday` of its repository."""

from neural_enquirer.real_questions.everyday.keeping_out import split
from neural_enquirer.real_questions.everyday.questions import EverydayQuestion, read_everyday, read_tables

__all__ = ["EverydayQuestion", "read_everyday", "read_tables", "split"]
