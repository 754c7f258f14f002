"""Learns by which signs a question is read with the one before.

Run with `python -m benchmarks.leaning --data EVERYDAY/train`. Read with the one before, the last questions of
tests/data/follow_ups.jsonl gain right answers; everyday questions that do not lean on each other lose them.
Where one of the two answers is right, the signs are weighed so that it is taken (logistic regression); the
weights are written where the package has them. The tables of
`benchmarks.follow_ups --unrelated` are left out, and those that the model was trained on.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
from jaxtyping import Float

from benchmarks.follow_ups import ROOT, by_table, conversations, drawn, unrelated
from neural_enquirer import Answer, Enquirer, Table
from neural_enquirer.asking.follow_ups import Last
from neural_enquirer.asking.follow_ups.reading import read_with
from neural_enquirer.asking.follow_ups.signs import WEIGHTS
from neural_enquirer.real_questions.everyday.keeping_out import tenths_of
from neural_enquirer.real_questions.everyday.scoring import is_right

CONVERSATIONS: Final = ROOT / "tests" / "data" / "follow_ups.jsonl"
_KEPT_OUT: Final = 1
"""The tenth of the tables that the shipped model was not trained on."""
_STEPS: Final = 50
_SHRINKING: Final = 1.0

Lesson = tuple[Mapping[str, float], bool]
"""The signs of a question, and whether it should be read with the one before."""


def lesson(
    enquirer: Enquirer, before: Answer, plain: Answer, answers: Sequence[tuple[str, ...]]
) -> Lesson | None:
    """What a question teaches; None where both ways of reading it are right, or none."""
    last = Last.of(before)
    if last is None or not plain.heard.links:
        return None
    read, signs = read_with(plain, last, partial(enquirer.ask_many, list(plain.tables)), always=True)
    if read is None or is_right(read.texts, answers) == is_right(plain.texts, answers):
        return None
    return signs, is_right(read.texts, answers)


def lessons(enquirer: Enquirer, folder: Path) -> Iterator[Lesson | None]:
    """What the conversations teach, and unrelated questions about tables that were kept out of training."""
    for turns in conversations(CONVERSATIONS, [ROOT / "examples", folder / "tables"]):
        table, before = Table.read(turns.table), None
        for question in turns.questions[:-1]:
            before = enquirer.ask(table, question, after=before)
        assert before is not None
        wanted = [turns.answers] if turns.answers else []
        yield lesson(enquirer, before, enquirer.ask(table, turns.questions[-1]), wanted)
    known = by_table(folder)
    for name in sorted(known.keys() - drawn(known)):
        if _KEPT_OUT in tenths_of([name]):
            for first, plain, asked in unrelated(enquirer, folder / "tables" / name, known[name]):
                yield lesson(enquirer, first, plain, asked.answers)


def weighed(known: Sequence[Lesson]) -> dict[str, float]:
    """The weights of the signs, by Newton's method."""
    names = list(known[0][0])
    signs = np.array([[float(each[name]) for name in names] for each, _ in known])
    wanted = np.array([float(leans) for _, leans in known])
    weights: Float[np.ndarray, " sign"] = np.zeros(len(names))
    for _ in range(_STEPS):
        share = 1 / (1 + np.exp(-signs @ weights))
        slope = signs.T @ (share - wanted) + _SHRINKING * weights
        curve = (signs * (share * (1 - share))[:, None]).T @ signs + _SHRINKING * np.eye(len(names))
        weights -= np.linalg.solve(curve, slope)
    return dict(zip(names, weights.round(2).tolist(), strict=True))


def main(arguments: Sequence[str] | None = None) -> None:
    """Writes the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="everyday questions whose tables were made")
    options = parser.parse_args(arguments)
    found = list(filter(None, lessons(Enquirer.from_pretrained(), options.data)))
    lines = [f'"{name}" = {weight}' for name, weight in weighed(found).items()]
    heading = "# Signs that a question leans on the one before; written by `python -m benchmarks.leaning`."
    WEIGHTS.write_text("\n".join([heading, *lines, ""]), encoding="utf-8")
    print(f"learned from {len(found)} questions, of which {sum(leans for _, leans in found)} lean")


if __name__ == "__main__":
    main()
