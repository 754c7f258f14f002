"""Files of questions: JSONL, an object with a "question" a line."""

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from neural_enquirer.enquirer import QuestionError, check_question


@dataclass(frozen=True)
class AskedQuestion:
    """A line of the file: the question, and what else its object holds, which comes back with the answer."""

    question: str
    others: dict[str, Any]


def read_questions(path: str) -> list[AskedQuestion]:
    """Reads all questions of a file, or of standard input (`-`), before the first is answered.

    Raises:
        QuestionError: names the first line that is no question.
    """
    name = "standard input" if path == "-" else path
    content = sys.stdin.buffer.read() if path == "-" else _content(path)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise QuestionError(f"{name}, line {line}: not UTF-8 text; save the file as UTF-8") from None
    return list(_questions(text.split("\n"), name))


def _content(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except FileNotFoundError:
        raise QuestionError(f"{path} does not exist; check the name of the file of questions") from None
    except ValueError:  # a name with a NUL
        raise QuestionError("the file of questions has no possible name") from None


def _questions(lines: Iterable[str], name: str) -> Iterator[AskedQuestion]:
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield _asked(line, f"{name}, line {number}")


def _asked(line: str, place: str) -> AskedQuestion:
    try:
        content = json.loads(line)
    except (ValueError, RecursionError):
        raise QuestionError(f'{place}: not JSON; a line is {{"question": "…"}}') from None
    question = content.get("question") if isinstance(content, dict) else None
    if not isinstance(question, str):
        raise QuestionError(f'{place}: no question; a line is {{"question": "…"}}')
    try:
        check_question(question)
    except QuestionError as error:
        raise QuestionError(f"{place}: {error}") from None
    return AskedQuestion(question, {key: value for key, value in content.items() if key != "question"})
