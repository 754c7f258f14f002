"""What ten corrections about a table bring, and what they cost: right answers before and after.

Run with `python -m benchmarks.learning EVERYDAY --sets FOLDER... --out results/learning.json`. The tables are
among those that the shipped model has learned nothing from. Of each, ten questions are corrected that the
model answers wrongly, as a person would do it: by one of the model's other readings where that is right, else
by the answer. Asked are these ten, the other wordings of the same questions, and all other questions about
the table. At last a model learns all of them together, and is asked what has nothing to do with them:
questions of templates, and the development questions of some sets.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from neural_enquirer.asking.enquirer import Enquirer
from neural_enquirer.checkpoint_files import locate, tenth_held_out
from neural_enquirer.evaluation import answer_all, load_answerer
from neural_enquirer.learning.corrections import Correction, references
from neural_enquirer.learning.learning import learn
from neural_enquirer.learning.telling_apart import CORRECTED, MEASURED, MODEL, by_table, name_of
from neural_enquirer.programs.text import to_text
from neural_enquirer.real_questions.sets import AskedQuestion
from neural_enquirer.tables import Table

TEMPLATES = ("--task", "open", "--examples", "300")
LIMIT = "600"
"""Questions of a set."""


Taught = tuple[tuple[Table, ...], list[Correction]]
"""Tables, and corrections about them."""


@dataclass(frozen=True)
class Part:
    """How many questions there are of a sort, and how many are right before and after learning."""

    questions: int
    before: int
    after: int


@dataclass(frozen=True)
class Outcome:
    """What came of the corrections about one table."""

    table: str
    left_out: int
    corrected: Part
    reworded: Part
    others: Part


@dataclass(frozen=True)
class Elsewhere:
    """The share of right answers to questions that have nothing to do with corrections."""

    questions: str
    before: float
    after: float


@dataclass(frozen=True)
class Lesson:
    """Questions about a table: those to correct, other wordings of these, and all others."""

    corrected: list[AskedQuestion]
    reworded: list[AskedQuestion]
    others: list[AskedQuestion]


def lesson_of(questions: Sequence[AskedQuestion], wrong: set[str]) -> Lesson | None:
    """Ten questions that are answered wrongly, in one wording each, and the rest; None if there are fewer."""
    wordings: dict[str, list[AskedQuestion]] = defaultdict(list)
    for question in questions:
        wordings[name_of(question)].append(question)
    chosen = {
        name: next(one for one in own if one.id in wrong)
        for name, own in wordings.items()
        if any(one.id in wrong and one.answerable for one in own)
    }
    names = list(chosen)[:CORRECTED]
    if len(names) < CORRECTED:
        return None
    corrected = [chosen[name] for name in names]
    reworded = [one for name in names for one in wordings[name] if one is not chosen[name]]
    others = [one for name, own in wordings.items() if name not in names for one in own]
    return Lesson(corrected, reworded, others)


def corrections_of(enquirer: Enquirer, questions: Sequence[AskedQuestion]) -> Iterator[Correction]:
    """What a person would say: one of the other readings is right, or what the answer is."""
    for one in questions:
        readings = enquirer.ask(one.tables, one.question).alternatives
        right = next(
            (to_text(each.program) for each in readings if each.program and one.is_right(each.texts)), None
        )
        tables = references(one.tables)
        if right is not None:
            yield Correction(one.question, tables, program=right)
        else:
            yield Correction(one.question, tables, answers=one.accepted[0])


def right_ones(model: str, questions: Sequence[AskedQuestion]) -> set[str]:
    """The ids of the questions that a model answers rightly."""
    responses = answer_all(load_answerer(model), questions)
    return {one.id for one, own in zip(questions, responses, strict=True) if one.is_right(own.texts)}


def outcome_of(lesson: Lesson, name: str, corrections: Sequence[Correction], before: set[str]) -> Outcome:
    """Learns, and asks again."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "model"
        learned = learn(MODEL, lesson.corrected[0].tables, corrections, out, lambda *_: None)
        after = right_ones(str(out), [*lesson.corrected, *lesson.reworded, *lesson.others])

    def part(questions: Sequence[AskedQuestion]) -> Part:
        return Part(len(questions), *(sum(one.id in ids for one in questions) for ids in (before, after)))

    parts = map(part, (lesson.corrected, lesson.reworded, lesson.others))
    return Outcome(name, len(learned.left_out), *parts)


def outcomes(data: Path, count: int, told: Callable[[Outcome], None]) -> tuple[list[Outcome], list[Taught]]:
    """What corrections bring for the first tables of which ten questions are answered wrongly, and they."""
    enquirer = Enquirer.from_pretrained(MODEL)
    found: list[Outcome] = []
    taught: list[Taught] = []
    for name, questions in by_table(data, tenth_held_out(locate(MODEL))).items():
        right = right_ones(MODEL, questions)
        lesson = lesson_of(questions, {one.id for one in questions} - right)
        if lesson is not None:
            corrections = list(corrections_of(enquirer, lesson.corrected))
            found.append(outcome_of(lesson, name, corrections, right))
            taught.append((lesson.corrected[0].tables, corrections))
            told(found[-1])
        if len(found) == count:
            break
    return found, taught


def elsewhere(taught: Sequence[Taught], sets: Sequence[Path]) -> Iterator[Elsewhere]:
    """What it costs other questions that a model has learned all corrections."""
    tables = [table for own, _ in taught for table in own]
    corrections = [one for _, own in taught for one in own]
    asked = {"templates": TEMPLATES} | {
        folder.name: ("--data", str(folder), "--split", "dev", "--limit", LIMIT) for folder in sets
    }
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "model"
        learn(MODEL, tables, corrections, out, lambda *_: None)
        for name, arguments in asked.items():
            yield Elsewhere(name, _evaluated(MODEL, arguments), _evaluated(str(out), arguments))


def _evaluated(model: str, arguments: Sequence[str]) -> float:
    """The share of right answers, as `enquirer evaluate` tells it."""
    command = [sys.executable, "-m", "neural_enquirer.cli", "evaluate", model, *arguments, "--json"]
    printed = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    return float(json.loads(printed)["overall"])


def _tell(outcome: Outcome) -> None:
    parts = {name: own for name, own in asdict(outcome).items() if isinstance(own, dict)}
    told = (f"{name} {own['before']} → {own['after']} of {own['questions']}" for name, own in parts.items())
    print(f"{outcome.table}: {', '.join(told)}", flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints what corrections bring and cost on each table, and stores it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="everyday questions whose tables have been made")
    parser.add_argument("--tables", type=int, default=MEASURED)
    parser.add_argument("--sets", type=Path, nargs="*", default=[], help="further real questions to ask")
    parser.add_argument("--out", type=Path, help="the file to store it in")
    options = parser.parse_args(arguments)
    found, taught = outcomes(options.data, options.tables, _tell)
    others = list(elsewhere(taught, options.sets))
    for one in others:
        print(f"{one.questions}: {one.before:.2%} → {one.after:.2%}", flush=True)
    if options.out is not None:
        command = f"python -m benchmarks.learning EVERYDAY --sets FOLDER... --out results/{options.out.name}"
        stored = {
            "command": command,
            "tables": list(map(asdict, found)),
            "elsewhere": list(map(asdict, others)),
        }
        options.out.write_text(json.dumps(stored, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
