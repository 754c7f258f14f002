"""Programs: a language for what people ask of tables, run exactly, shown as SQL and as a sentence."""

from neural_enquirer.programs import language
from neural_enquirer.programs.execution import run
from neural_enquirer.programs.language import *  # noqa: F403
from neural_enquirer.programs.parsing import parse
from neural_enquirer.programs.result import Cell, Result, StepRows
from neural_enquirer.programs.text import condition_text, term_text, to_text
from neural_enquirer.programs.types import check

__all__ = [
    "Cell",
    "Result",
    "StepRows",
    "check",
    "condition_text",
    "parse",
    "run",
    "term_text",
    "to_text",
]
__all__ += language.__all__
