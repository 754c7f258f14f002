"""Why NEST stays near 60 % end to end: does a model find the row that the question names?

"Which country hosted the longest game before the game in Athens" compares all games with one that it names. A
model that answers without finding that row can still choose an extreme row that passes most filters. So each
question is asked a second time with another row named, for which the answer is another one: a model that does
not look for the named row keeps its answer.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch

from neural_enquirer.checkpoint import Checkpoint
from neural_enquirer.programs.execution import run
from neural_enquirer.programs.language import Compare, Comparison, ProgramError
from neural_enquirer.programs.paper import (
    Parts,
    against,
    field_name,
    named_by,
    parts,
    said_value,
    spelled,
    superlative,
    the_cell,
)
from neural_enquirer.reproduction.figure_questions import leaves_a_choice
from neural_enquirer.reproduction.stored import Results, marked, table
from neural_enquirer.synthesis.examples import PROGRAM_TYPES, Example, ExampleSet
from neural_enquirer.synthesis.tasks import generate
from neural_enquirer.training.accuracy import encode_questions, predict

FILE: Final = "plateau.json"
MODELS: Final = {
    "N2N": "olympics-100k-n2n",
    "SbS": "olympics-100k-sbs-fast",
    "ours: N2N grounded": "olympics-100k-grounded",
}
"""The experiments whose models are asked."""
QUESTIONS: Final = 4_000
"""Test questions that are drawn; one in four is nested."""


@dataclass(frozen=True)
class _Named:
    """A row that a question may name: its word, and the row of the answer that it leads to."""

    row: int
    word: str
    answer: int


def measure(models: Mapping[str, Checkpoint], questions: int = QUESTIONS) -> dict[str, Any]:
    """Asks models nested questions twice, and works out how far one gets without the named row."""
    drawn = generate("olympics-100k", "test", examples=questions)
    nested = drawn.select(np.flatnonzero(drawn.types == PROGRAM_TYPES.index("nest")))
    examples = [nested.example(index) for index in range(len(nested))]
    candidates = [_candidates(example) for example in examples]
    guessed = [max(Counter(own.answer for own in each).values()) / len(each) for each in candidates]
    kept, swapped = _swapped(nested, candidates)
    return {
        "questions": len(nested),
        "pairs": len(kept),
        "no filter": float(np.mean([_without_filter(example) for example in examples])),
        "best guess": float(np.mean(guessed)),
        "models": {name: _asked_twice(model, nested, kept, swapped) for name, model in models.items()},
    }


def _parts(example: Example) -> Parts:
    """What the question's program is made of."""
    assert example.program is not None  # Only open tasks have questions without one.
    return parts(example.program)


def _without_filter(example: Example) -> float:
    """Returns how likely the superlative alone, with no filter before it, finds the answer's row."""
    select, extreme, _ = _parts(example)
    assert extreme is not None
    alone = superlative(select, extreme.direction, field_name(extreme.by))
    rows = [cell.row for cell in run(alone, example.tables).cells]
    return (example.cells[0][1] in rows) / len(rows)


def _candidates(example: Example) -> list[_Named]:
    """Returns every row that the question could have named by the rules of the task."""
    (asked,) = example.tables
    column = asked.field_names.index(field_name(_named(example).term))
    words = [asked.text(row, column) for row in range(asked.row_count)]
    found = []
    for row, word in enumerate(words):
        if words.count(word) == 1 and (answer := _answer(example, word)) is not None:
            found.append(_Named(row, word, answer))
    return found


def _answer(example: Example, word: str) -> int | None:
    """Returns the answer's row if the question names another row; None where the task would not ask that."""
    select, extreme, (comparing,) = _parts(example)
    assert extreme is not None
    named = spelled(field_name(_named(example).term), Comparison.EQUAL, word)
    than = against(field_name(comparing.term), comparing.comparison, named)
    program = superlative(select, extreme.direction, field_name(extreme.by), than)
    try:
        answer = the_cell(program, example.tables)
    except ProgramError:
        return None
    return answer.row if leaves_a_choice(program, example.tables) else None


def _named(example: Example) -> Compare:
    """Returns the condition that names a row."""
    named = named_by(_parts(example).conditions[0])
    assert named is not None
    return named


def _swapped(nested: ExampleSet, candidates: list[list[_Named]]) -> tuple[npt.NDArray[np.intp], ExampleSet]:
    """Returns which questions can name another row with another answer, and these questions doing so."""
    kept, texts, answers = [], [], []
    for index, named in enumerate(candidates):
        example, right = nested.example(index), int(nested.answers[index, 1])
        word = said_value(_named(example))
        other = next((own for own in named if own.word != word and own.answer != right), None)
        text, count = re.subn(
            rf"(?<![\w,]){re.escape(word)}(?!\w|,\d)", other.word if other else "", example.question
        )
        if other is not None and count == 1:
            kept.append(index)
            texts.append(text)
            answers.append(other.answer)
    chosen = np.array(kept, dtype=np.intp)
    changed = nested.select(chosen)
    moved = changed.answers.copy()
    moved[:, 1] = answers
    return chosen, replace(changed, questions=texts, answers=moved)


def _asked_twice(
    model: Checkpoint, nested: ExampleSet, kept: npt.NDArray[np.intp], swapped: ExampleSet
) -> dict[str, float]:
    first, right = _answers(model, nested)
    second, right_again = _answers(model, swapped)
    return {
        "right": float(right.mean()),
        "right in both": float((right[kept] & right_again).mean()),
        "moved": float((first[kept] != second).mean()),
    }


@torch.no_grad()
def _answers(model: Checkpoint, questions: ExampleSet) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Returns the cells that a model answers with, and whether they are right."""
    batch = encode_questions(model, questions)
    found = predict(model.model, batch)
    return found.numpy(), (found == batch.answers).numpy()


def told(results: Results) -> str | None:
    """Returns what was found as Markdown, in percent."""
    if (content := results.read(FILE)) is None:
        return None
    rows = [
        ["the superlative with no filter", f"{100 * content['no filter']:.1f}", "", ""],
        ["the best guess that knows all but the named row", f"{100 * content['best guess']:.1f}", "", ""],
    ]
    for name, own in content["models"].items():
        shown = marked(name, results.runs().get(MODELS[name], []))
        rows.append([shown, *(f"{100 * own[key]:.1f}" for key in ("right", "right in both", "moved"))])
    head = f"{content['questions']:,} NEST questions"
    return table([head, "right", "right with either row named", "answer moves with the named row"], rows)
