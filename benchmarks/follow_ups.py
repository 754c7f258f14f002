"""Follow-up questions: the share of two-turn conversations whose second question is answered rightly.

Run with `python -m benchmarks.follow_ups [FILE] --data EVERYDAY/train`. The conversations were written by
people who did not write the rewriting: tests/data/follow_ups.jsonl was read while it was mended afterwards,
tests/data/follow_ups_kept.jsonl was not. Those about tables that are not there are left out: without --data,
all but the ones about examples/.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from neural_enquirer import Enquirer, Table
from neural_enquirer.real_questions.everyday.scoring import is_right

ROOT = Path(__file__).parents[1]
KEPT = ROOT / "tests" / "data" / "follow_ups_kept.jsonl"


@dataclass(frozen=True)
class Turns:
    """Two questions about a table, and what the second should be answered."""

    table: Path
    first: str
    second: str
    answers: tuple[str, ...]


@dataclass(frozen=True)
class Heard:
    """What came of a conversation."""

    turns: Turns
    read_as: str | None
    answers: tuple[str, ...]

    @property
    def right(self) -> bool:
        """Whether the second question was answered as it should be."""
        return is_right(self.answers, [self.turns.answers])


def conversations(file: Path, folders: Sequence[Path]) -> Iterator[Turns]:
    """The conversations of a file whose table is in one of some folders."""
    for line in file.read_text(encoding="utf-8").splitlines():
        content = json.loads(line)
        path = next((path for folder in folders if (path := folder / content["table"]).is_file()), None)
        if path is not None:
            yield Turns(path, content["first"], content["second"], tuple(content["answers"]))


def hear(enquirer: Enquirer, turns: Turns) -> Heard:
    """Asks both questions."""
    table = Table.read(turns.table)
    first = enquirer.ask(table, turns.first)
    second = enquirer.ask(table, turns.second, after=first)
    return Heard(turns, second.read_as, second.texts)


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints each conversation that goes wrong, and the share of the others."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, nargs="?", default=KEPT, help="conversations, one a line")
    parser.add_argument("--data", type=Path, help="everyday questions whose tables have been made")
    options = parser.parse_args(arguments)
    folders = [ROOT / "examples", *([options.data / "tables"] if options.data else [])]
    enquirer = Enquirer.from_pretrained()
    heard = [hear(enquirer, turns) for turns in conversations(options.file, folders)]
    for one in heard:
        if not one.right:
            turns = one.turns
            asked = f"{turns.table.name}: {turns.first} / {turns.second}"
            print(f"{asked}: {list(one.answers)}, not {list(turns.answers)}")
            print(f"    read as: {one.read_as}")
    print(f"{sum(one.right for one in heard)} of {len(heard)} right")


if __name__ == "__main__":
    main()
