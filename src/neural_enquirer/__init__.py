"""Ask a table a question in plain words: Neural Enquirer."""

import importlib
from typing import TYPE_CHECKING, Any

from neural_enquirer.tables import Table, TableError, TableWarning

if TYPE_CHECKING:
    from neural_enquirer.asking.answer import Answer
    from neural_enquirer.asking.enquirer import Enquirer
    from neural_enquirer.asking.questions import QuestionError

__all__ = ["Answer", "Enquirer", "QuestionError", "Table", "TableError", "TableWarning"]

# Loaded when first used: those who only read tables need no numerical library.
_LATER = {"Answer": "asking.answer", "Enquirer": "asking.enquirer", "QuestionError": "asking.questions"}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_LATER[name]}"), name)
