"""Follow-up questions: the share of conversations whose last question is answered rightly.

Run with `python -m benchmarks.follow_ups [FILE …] --data EVERYDAY/train`. A conversation has two or three
questions; the last is to be answered, or refused where the table has no answer. The rewriting was mended by
tests/data/follow_ups.jsonl; tests/data/follow_ups_unread.jsonl was written with it, and its results were not
looked into; tests/data/follow_ups_kept.jsonl was written by people who never saw the rewriting, and nothing
is mended by it. Conversations about tables that are not there are left out: without --data, all but those
about examples/. With --unrelated N, everyday questions of N tables, which do not lean on each other, are
asked one after another: how many right answers does the rewriting spoil?
"""

import argparse
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from neural_enquirer import Answer, Enquirer, Table
from neural_enquirer.asking.follow_ups import Last, follow_up
from neural_enquirer.real_questions.everyday import read_everyday
from neural_enquirer.real_questions.everyday.questions import EverydayQuestion
from neural_enquirer.real_questions.everyday.scoring import is_right

ROOT = Path(__file__).parents[1]
_AT_ONCE = 5
MEASURED = 120
"""So many tables' unrelated questions are measured, and nothing is learned from them."""
KEPT = ROOT / "tests" / "data" / "follow_ups_kept.jsonl"


@dataclass(frozen=True)
class Turns:
    """Questions about a table one after another, and what the last should be answered: nothing, to refuse."""

    table: Path
    questions: tuple[str, ...]
    answers: tuple[str, ...]


@dataclass(frozen=True)
class Heard:
    """What came of a conversation: an answer to each question."""

    turns: Turns
    given: tuple[Answer, ...]

    @property
    def right(self) -> bool:
        """Whether the last question was answered as it should be."""
        wanted = self.turns.answers
        return is_right(self.given[-1].texts, [wanted] if wanted else [])


def conversations(file: Path, folders: Sequence[Path]) -> Iterator[Turns]:
    """The conversations of a file whose table is in one of some folders."""
    for line in file.read_text(encoding="utf-8").splitlines():
        content = json.loads(line)
        path = next((path for folder in folders if (path := folder / content["table"]).is_file()), None)
        if path is not None:
            questions = tuple(content[each] for each in ("first", "second", "third") if each in content)
            yield Turns(path, questions, tuple(content["answers"]))


def hear(enquirer: Enquirer, turns: Turns) -> Heard:
    """Asks all questions, each after the one before."""
    table = Table.read(turns.table)
    given: list[Answer] = []
    for question in turns.questions:
        given.append(enquirer.ask(table, question, after=given[-1] if given else None))
    return Heard(turns, tuple(given))


def by_table(folder: Path) -> dict[str, list[EverydayQuestion]]:
    """The everyday questions about one table each."""
    found: dict[str, list[EverydayQuestion]] = {}
    for question in read_everyday(folder):
        if len(question.tables) == 1:
            found.setdefault(question.tables[0], []).append(question)
    return found


def drawn(names: Iterable[str], tables: int = MEASURED) -> list[str]:
    """The tables whose unrelated questions are measured."""
    return random.Random(5).sample(sorted(names), tables)


def unrelated(
    enquirer: Enquirer, table: Path, questions: Sequence[EverydayQuestion]
) -> Iterator[tuple[Answer, Answer, EverydayQuestion]]:
    """Some everyday questions about a table one after another, as answered by themselves."""
    some = random.Random(table.name).sample(questions, min(_AT_ONCE, len(questions)))
    given = enquirer.ask_many(Table.read(table), [each.question for each in some])
    return zip(given, given[1:], some[1:], strict=False)


def spoiled(enquirer: Enquirer, folder: Path, tables: int) -> tuple[int, int]:
    """How many everyday questions lose their right answer to a reading with an unrelated one; of how many."""
    known = by_table(folder)
    lost = asked = 0
    for name in drawn(known, tables):
        for before, plain, question in unrelated(enquirer, folder / "tables" / name, known[name]):
            read = follow_up(plain, Last.of(before), partial(enquirer.ask_many, list(plain.tables)))
            asked += 1
            lost += is_right(plain.texts, question.answers) and not is_right(read.texts, question.answers)
    return lost, asked


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints each conversation that goes wrong, and for each file the share of the others."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="*", default=[KEPT], help="conversations, one a line")
    parser.add_argument(
        "--data", type=Path, action="append", default=[], help="everyday questions whose tables were made"
    )
    parser.add_argument("--unrelated", type=int, default=0, help="tables whose questions do not lean")
    options = parser.parse_args(arguments)
    folders = [ROOT / "examples", *(folder / "tables" for folder in options.data)]
    enquirer = Enquirer.from_pretrained()
    for folder in options.data if options.unrelated else ():
        lost, asked = spoiled(enquirer, folder, options.unrelated)
        print(f"{folder.name}: {lost} of {asked} unrelated questions spoiled")
    for file in options.files:
        heard = [hear(enquirer, turns) for turns in conversations(file, folders)]
        for one in heard:
            if not one.right:
                _tell(one)
        print(f"{file.stem}: {sum(one.right for one in heard)} of {len(heard)} right")


def _tell(heard: Heard) -> None:
    """Prints a conversation, with what each question was answered and read as."""
    print(f"{heard.turns.table.name}: not {list(heard.turns.answers)}")
    for question, answer in zip(heard.turns.questions, heard.given, strict=True):
        print(f"    {question}: {list(answer.texts)}")
        print(f"        {answer.program}{f', read as {answer.read_as}' if answer.read_as else ''}")


if __name__ == "__main__":
    main()
