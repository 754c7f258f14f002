"""Programs: a language for what people ask of tables, run exactly, shown as SQL and as a sentence."""

import importlib
from typing import TYPE_CHECKING, Any

from neural_enquirer.programs.execution import run
from neural_enquirer.programs.language import Program, ProgramError
from neural_enquirer.programs.parsing import parse
from neural_enquirer.programs.result import Cell, Result, StepRows
from neural_enquirer.programs.text import condition_text, term_text, to_text
from neural_enquirer.programs.types import check

if TYPE_CHECKING:
    from neural_enquirer.programs.spoken.sentences import sentence
    from neural_enquirer.programs.sql import to_sql
    from neural_enquirer.programs.sql_reading import from_sql

__all__ = [
    "Cell",
    "Program",
    "ProgramError",
    "Result",
    "StepRows",
    "check",
    "condition_text",
    "from_sql",
    "parse",
    "run",
    "sentence",
    "term_text",
    "to_sql",
    "to_text",
]

_LATER = {"from_sql": "sql_reading", "sentence": "spoken", "to_sql": "sql"}

if not TYPE_CHECKING:  # which would believe that there is every name

    def __getattr__(name: str) -> Any:
        """Loads what needs sqlglot when it is first used: those who only run programs do not need it."""
        if name not in _LATER:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(importlib.import_module(f"{__name__}.{_LATER[name]}"), name)
