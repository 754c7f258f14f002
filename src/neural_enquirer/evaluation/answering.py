"""What a model answers to questions of a set: by its judge, by its decoder alone, or by its cascade alone."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from neural_enquirer.prediction import Prediction, Predictor, Tables, Verdict
from neural_enquirer.prediction.loading import load_predictor
from neural_enquirer.prediction.predictors import check_sizes
from neural_enquirer.real_questions.example import RealDataError
from neural_enquirer.real_questions.sets import AskedQuestion
from neural_enquirer.tables import TableError

JUDGE: Final = "judge"
DECODER: Final = "decoder"
CASCADE: Final = "cascade"
WAYS: Final = (JUDGE, DECODER, CASCADE)
"""By what an open model may answer; all others have a cascade alone, or what stands for it."""

QUESTIONS_AT_ONCE: Final = 512


@dataclass(frozen=True)
class Response:
    """What a model answers to one question.

    Attributes:
        texts: the answer's values as plain texts; none where the question is refused.
        confidence: how sure the model is of that.
        considered: the texts of all outcomes that it chose from; empty where it does not list them.
        cell: table, row and field, where one cell is the answer.
    """

    texts: tuple[str, ...]
    confidence: float
    considered: tuple[tuple[str, ...], ...] = ()
    cell: tuple[int, int, int] | None = None


Answerer = Callable[[Sequence[tuple[Tables, str]]], list[Response]]


def load_answerer(name: str, by: str = JUDGE) -> Answerer:
    """Loads a model by its name or directory, to answer in one of `WAYS`."""
    return answerer(load_predictor(name, judged=by != DECODER), by)


def answerer(predictor: Predictor, by: str = JUDGE) -> Answerer:
    """A model as something that answers: with programs where it writes any and shall, else with cells."""
    return partial(_by_cells if by == CASCADE else _by_programs, predictor)


def answer_all(
    answer: Answerer, questions: Sequence[AskedQuestion], progress: Callable[[int], None] | None = None
) -> list[Response]:
    """Asks all questions; `progress` hears how many were answered at a time.

    Tables that nobody can ask, such as one without rows, count as a refusal.
    """
    responses: list[Response] = []
    for start in range(0, len(questions), QUESTIONS_AT_ONCE):
        some = questions[start : start + QUESTIONS_AT_ONCE]
        askable = [can_ask(question.tables) for question in some]
        asked = [(one.tables, one.question) for one, can in zip(some, askable, strict=True) if can]
        found = iter(answer(asked))
        responses += [next(found) if can else Response((), 0.0) for can in askable]
        if progress is not None:
            progress(len(some))
    return responses


def read_responses(path: Path) -> dict[str, Response]:
    """Reads what somebody answered, by the ids of the questions.

    Args:
        path: JSON, an object a line or a list of them, with `id`, `answers` (texts; none where the question
            was refused) and `confidence`.

    Raises:
        RealDataError: with one line that says what is wrong with the file.
    """
    content = path.read_text(encoding="utf-8").strip()
    try:
        records = json.loads(content if content.startswith("[") else f"[{','.join(content.splitlines())}]")
        return {record["id"]: _response(record) for record in records}
    except (ValueError, TypeError, KeyError) as error:
        raise RealDataError(f"{path} is no JSON with an id, answers and a confidence a line") from error


def _response(record: Mapping[str, Any]) -> Response:
    answers = record.get("answers") or ()
    parts = answers if isinstance(answers, list | tuple) else (answers,)
    return Response(tuple(map(str, parts)), float(record.get("confidence") or 0))


def can_ask(tables: Tables) -> bool:
    """Whether a model can be asked about tables: they have rows, and not too many to compare."""
    try:
        check_sizes(tables)
    except TableError:
        return False
    return all(table.row_count for table in tables)


def _by_programs(model: Predictor, questions: Sequence[tuple[Tables, str]]) -> list[Response]:
    verdicts = model.judge(questions)
    return [_of_verdict(verdict, tables) for verdict, (tables, _) in zip(verdicts, questions, strict=True)]


def _of_verdict(verdict: Verdict, tables: Tables) -> Response:
    if not verdict.ranked:  # the model writes no programs
        return _of_cells(verdict.prediction, tables)
    results = [outcome.result for outcome in verdict.ranked]
    considered = tuple(() if result is None else result.texts(tables) for result in results)
    best, cell = results[0], None
    if best is not None and best.verbatim and best.cells_count == 1:
        (only,) = best.cells
        cell = only.table, only.row, only.column
    return Response(considered[0], verdict.ranked[0].probability, considered, cell)


def _by_cells(predictor: Predictor, questions: Sequence[tuple[Tables, str]]) -> list[Response]:
    predictions = predictor.predict(questions)
    return [_of_cells(own, tables) for own, (tables, _) in zip(predictions, questions, strict=True)]


def _of_cells(prediction: Prediction, tables: Tables) -> Response:
    if prediction.is_refusal:
        return Response((), prediction.none_probability)
    table, row, field = prediction.best
    return Response((tables[table].text(row, field),), prediction.best_probability, cell=(table, row, field))
