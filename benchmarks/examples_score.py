"""Asks a model the questions of examples/questions.jsonl and compares its answers with the right ones.

python -m benchmarks.examples_score [--model open] [--json]
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from neural_enquirer import Answer, Enquirer, Table
from neural_enquirer.real_questions.everyday.scoring import is_right

EXAMPLES = Path(__file__).parents[1] / "examples"


@dataclass(frozen=True)
class ExampleQuestion:
    """A line of questions.jsonl: several answers make up a list, none are what the tables do not hold."""

    tables: tuple[str, ...]
    question: str
    answers: tuple[str, ...]
    kind: str

    @property
    def asked(self) -> str:
        """The names of its tables, for people."""
        return " and ".join(self.tables)


def read_questions(path: Path = EXAMPLES / "questions.jsonl") -> list[ExampleQuestion]:
    records = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [
        ExampleQuestion(tuple(one["tables"]), one["question"], tuple(one["answers"]), one["kind"])
        for one in records
    ]


def ask_all(model: str, questions: Sequence[ExampleQuestion]) -> list[Answer]:
    enquirer = Enquirer.from_pretrained(model)
    tables = {name: Table.read(EXAMPLES / name) for one in questions for name in one.tables}
    return enquirer.ask_many([([tables[name] for name in one.tables], one.question) for one in questions])


def judge(questions: Sequence[ExampleQuestion], answers: Sequence[Answer]) -> list[bool]:
    """Whether each answer is right, by the rules for everyday questions."""
    pairs = zip(questions, answers, strict=True)
    return [is_right(answer.texts, [one.answers] if one.answers else []) for one, answer in pairs]


def shares(questions: Sequence[ExampleQuestion], right: Sequence[bool]) -> dict[str, dict[str, list[int]]]:
    """How many were right, of how many, for each table and each kind of question."""
    counted: dict[str, dict[str, list[int]]] = {"table": defaultdict(lambda: [0, 0])}
    counted["kind"] = defaultdict(lambda: [0, 0])
    for one, is_one_right in zip(questions, right, strict=True):
        for group in (counted["table"][one.asked], counted["kind"][one.kind]):
            group[0] += is_one_right
            group[1] += 1
    return counted


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", default="open")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    questions = read_questions()
    answers = ask_all(arguments.model, questions)
    right = judge(questions, answers)
    counted = shares(questions, right)
    if arguments.json:
        result = {"model": arguments.model, "right": sum(right), "questions": len(right)}
        print(json.dumps(result | {f"by_{name}": groups for name, groups in counted.items()}))
        return
    for one, answer, is_one_right in zip(questions, answers, right, strict=True):
        if not is_one_right:
            wanted = ", ".join(one.answers) or "to be refused"
            print(f"{one.asked}: {one.question}\n  {answer} ({answer.confidence:.0%}), not {wanted}")
    for name, groups in counted.items():
        print(f"\nby {name}")
        for group, (hits, total) in groups.items():
            print(f"  {group:28} {hits:3} of {total:3} ({hits / total:.0%})")
    print(f"\nright: {sum(right)} of {len(right)} ({sum(right) / len(right):.0%})")


if __name__ == "__main__":
    main()
