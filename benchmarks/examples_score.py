"""Asks a model the questions of examples/questions.jsonl and compares its answers with the right ones.

python -m benchmarks.examples_score [--model open] [--json]
"""

import argparse
import json
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from neural_enquirer import Answer, Enquirer, Table

EXAMPLES = Path(__file__).parents[1] / "examples"


@dataclass(frozen=True)
class ExampleQuestion:
    """A line of questions.jsonl; an answer of None is one that the table does not hold."""

    table: str
    question: str
    answer: str | None
    kind: str


def read_questions(path: Path = EXAMPLES / "questions.jsonl") -> list[ExampleQuestion]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [ExampleQuestion(**json.loads(line)) for line in lines]


def ask_all(model: str, questions: list[ExampleQuestion]) -> list[Answer]:
    enquirer = Enquirer.from_pretrained(model)
    tables = {name: Table.read(EXAMPLES / name) for name in dict.fromkeys(one.table for one in questions)}
    return enquirer.ask_many([(tables[one.table], one.question) for one in questions])


def shares(questions: list[ExampleQuestion], right: list[bool]) -> dict[str, dict[str, list[int]]]:
    """How many were right, of how many, for each table and each kind of question."""
    counted: dict[str, dict[str, list[int]]] = {"table": defaultdict(lambda: [0, 0])}
    counted["kind"] = defaultdict(lambda: [0, 0])
    for one, is_right in zip(questions, right, strict=True):
        for group in (counted["table"][one.table], counted["kind"][one.kind]):
            group[0] += is_right
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
    right = [answer.text == one.answer for one, answer in zip(questions, answers, strict=True)]
    counted = shares(questions, right)
    if arguments.json:
        result = {"model": arguments.model, "right": sum(right), "questions": len(right)}
        print(json.dumps(result | {f"by_{name}": groups for name, groups in counted.items()}))
        return
    for one, answer, is_right in zip(questions, answers, right, strict=True):
        if not is_right:
            print(f"{one.table}: {one.question}\n  {answer} ({answer.confidence:.0%}), not {one.answer}")
    for name, groups in counted.items():
        print(f"\nby {name}")
        for group, (hits, total) in groups.items():
            print(f"  {group:22} {hits:3} of {total}")
    print(f"\nright: {sum(right)} of {len(right)} ({sum(right) / len(right):.0%})")


if __name__ == "__main__":
    main()
