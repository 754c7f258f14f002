"""Questions that people typed about tables of the web: WikiSQL and WikiTableQuestions, read from their files.

The data are not part of this project; docs/real-questions.md says where they come from. Nothing here needs
more than Python's own library. `everyday` has a set of the project's own.
"""

from neural_enquirer.real_questions.denotation import right
from neural_enquirer.real_questions.example import Condition, RealDataError, RealExample, SqlQuery
from neural_enquirer.real_questions.reading import SPLITS, is_real, read_real

__all__ = [
    "SPLITS",
    "Condition",
    "RealDataError",
    "RealExample",
    "SqlQuery",
    "is_real",
    "read_real",
    "right",
]
