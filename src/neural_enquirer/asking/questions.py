"""What can be asked."""

from typing import Any, Final

_LONGEST_WORD: Final = 500
"""Longer words are no words, and comparing all their possible spellings with a table is costly."""


class QuestionError(ValueError):
    """A question that cannot be asked; the message is one line that says why."""


def check_question(question: Any) -> str:
    """Returns the question if it can be asked.

    Raises:
        QuestionError: says why it cannot.
    """
    if not isinstance(question, str):
        raise QuestionError(f"a question is text, not {type(question).__name__}")
    if not any(character.isalnum() for character in question):
        raise QuestionError("the question has no words; ask, for example: which city has the most people")
    longest = max(map(len, question.split()))
    if longest > _LONGEST_WORD:
        raise QuestionError(f"a word of the question has {longest:,} letters; ask in plain words")
    return question
