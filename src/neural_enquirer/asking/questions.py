"""What can be asked: a question, or a file of them: plain text or JSONL, one a line, or a JSON list."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path
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


@dataclass(frozen=True)
class AskedQuestion:
    """A question, and what else its object in the file holds, which comes back with the answer."""

    question: str
    others: dict[str, Any]


def read_questions(path: str) -> list[AskedQuestion]:
    """Reads all questions of a file, or of standard input (`-`), before the first is answered.

    What the file holds says what it is: a JSON list; lines of JSON, where the first one is; else plain text.

    Raises:
        QuestionError: names the first line or entry that is no question.
    """
    name = "standard input" if path == "-" else path
    content = sys.stdin.buffer.read() if path == "-" else _content(path)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise QuestionError(f"{name}, line {line}: not UTF-8 text; save the file as UTF-8") from None
    if text.lstrip().startswith("["):
        entries = enumerate(_listed(text, name), start=1)
        return [_asked(entry, f"{name}, entry {number}") for number, entry in entries]
    lines = [(number, line.strip()) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    is_json = bool(lines) and _is_json(lines[0][1])
    return [
        _asked(_json(line, f"{name}, line {number}") if is_json else line, f"{name}, line {number}")
        for number, line in lines
    ]


def _content(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except FileNotFoundError:
        raise QuestionError(f"{path} does not exist; check the name of the file of questions") from None
    except ValueError:  # a name with a NUL
        raise QuestionError("the file of questions has no possible name") from None


def _listed(text: str, name: str) -> list[Any]:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        place = f", line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise QuestionError(
            f"{name}{place}: not JSON, though it begins as a list; give a list of texts"
        ) from None
    assert isinstance(content, list)
    return content


def _is_json(line: str) -> bool:
    """Whether a first line says that all are JSON: an object, even a broken one, or a text in quotes."""
    if line.startswith("{"):
        return True
    try:
        return isinstance(json.loads(line), str)
    except (ValueError, RecursionError):
        return False


def _json(line: str, place: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise QuestionError(f'{place}: not JSON; a line is {{"question": "…"}}') from None


def _asked(entry: Any, place: str) -> AskedQuestion:
    content = {"question": entry} if isinstance(entry, str) else entry
    question = content.get("question") if isinstance(content, dict) else None
    if not isinstance(question, str):
        raise QuestionError(f'{place}: no question; it is {{"question": "…"}}, or the question itself')
    try:
        check_question(question)
    except QuestionError as error:
        raise QuestionError(f"{place}: {error}") from None
    return AskedQuestion(question, {key: value for key, value in content.items() if key != "question"})
