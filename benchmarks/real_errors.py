"""Sorts a model's wrong answers to real questions by what makes them hard, and shows a hundred of them.

python -m benchmarks.real_errors MODEL --data DIR [--split dev] [--count 100] [--seed 0] [--out errors.md]
    [--shares results/real-errors-wikisql.json]

Causes are told from words and links, not by people: each wrong answer has the first cause of `CAUSES` that
applies. Every share is one of all wrong answers, not only of those that are shown.
"""

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from neural_enquirer.checkpoint_files import locate, tenth_held_out
from neural_enquirer.encoding.linking import EQUAL, Links, link
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.evaluation import Answered, Response, Score, answer_all, load_answerer
from neural_enquirer.evaluation.breakdown import header_naming
from neural_enquirer.real_questions import Condition, RealExample
from neural_enquirer.real_questions.sets import read_set

_NO_WORDS = Vocabulary((), frozenset())
_COMPUTED = ("count", "sum", "avg")
_ORDER = re.compile(
    r"\b(next|after|before|previous|prior|following|follows?|preced\w+|last|first|top|bottom|above|below|"
    r"listed|between|consecutive)\b"
)
_SUPERLATIVE = re.compile(
    r"\b(most|least|fewest|best|worst|maximum|minimum|max|min|(?!test|west|east|rest|guest|contest|latest\b)"
    r"[a-z]{2,}est)\b"
)
_COMPARISON = re.compile(
    r"\b(more|less|fewer|greater|larger|smaller|higher|lower|over|under|above|below|than|at least|at most|"
    r"older|younger|longer|shorter|earlier|later)\b"
)
_COUNTING = re.compile(r"\b(how many|number of|total|sum|average|difference|how much|how long|combined)\b")
_CHOICE = re.compile(r"\bor\b")
_SAME = re.compile(r"\b(same|other|besides|also|both|only|not|except|another|else)\b")

_LONGEST_CELL = 40
_ROWS_SHOWN = 5


@dataclass(frozen=True)
class WrongAnswer:
    """A wrong answer and what can be seen of its question."""

    answer: Answered

    @property
    def example(self) -> RealExample:
        """The question, with all that its set says of it."""
        assert self.answer.question.real is not None
        return self.answer.question.real

    @property
    def response(self) -> Response:
        """What was answered."""
        return self.answer.response

    @property
    def cell(self) -> tuple[int, int] | None:
        """Row and field of the answer, where it is one cell."""
        return None if self.response.cell is None else self.response.cell[1:]

    @cached_property
    def links(self) -> Links:
        """What the question points at."""
        return link(self.example.question, TableIndex.of(self.example.table), _NO_WORDS)

    @property
    def miss(self) -> str:
        """What of the answer's place is wrong: its row, its field, both; or it is not one cell at all."""
        cell, cells = self.cell, self.example.cells
        if self.answer.is_refused:
            return "refused"
        if cell is None:
            return "computed, or several cells"
        if cells is None:
            return "no right cell"
        row = any(cell[0] == row for row, _ in cells)
        field = any(cell[1] == field for _, field in cells)
        return (
            "another such cell" if row and field else "field" if row else "row" if field else "row and field"
        )

    def says(self, pattern: re.Pattern[str]) -> bool:
        """Whether the question has such words."""
        return pattern.search(self.example.question.casefold()) is not None

    def is_linked(self, condition: Condition) -> bool:
        """Whether the question points at a cell in the field of a condition."""
        column = condition.column
        equal = (self.links.relations[:, :, column] == EQUAL).any()
        return bool((self.links.cell_mentions[:, column] > 0).any() or equal)

    @property
    def unlinked(self) -> bool:
        """Whether an equality of the query is linked to no cell; without a query, whether nothing is."""
        query = self.example.query
        if query is None:
            return not self.links.mentions and not (self.links.relations == EQUAL).any()
        return any(condition.operator == "=" and not self.is_linked(condition) for condition in query.where)

    @property
    def compares(self) -> bool:
        """Whether the query has a comparison; without a query, whether the question has words of one."""
        query = self.example.query
        if query is None:
            return self.says(_COMPARISON)
        return any(condition.operator != "=" for condition in query.where)

    @property
    def is_superlative(self) -> bool:
        """Whether the greatest or least is wanted."""
        aggregation = self.example.aggregation
        return aggregation in ("max", "min") or (aggregation is None and self.says(_SUPERLATIVE))


CAUSES: dict[str, Callable[[WrongAnswer], bool]] = {
    "aggregation (count, sum, average)": lambda wrong: wrong.example.aggregation in _COMPUTED,
    "several answers": lambda wrong: len(wrong.example.answers) > 1,
    "counting or arithmetic": lambda wrong: wrong.example.cells is None and wrong.says(_COUNTING),
    "answer in no cell": lambda wrong: wrong.example.cells is None,
    "superlative": lambda wrong: wrong.is_superlative,
    "comparison": lambda wrong: wrong.compares,
    "order of rows": lambda wrong: wrong.example.query is None and wrong.says(_ORDER),
    "choice among values": lambda wrong: wrong.example.query is None and wrong.says(_CHOICE),
    "same, other, only": lambda wrong: wrong.example.query is None and wrong.says(_SAME),
    "value not linked": lambda wrong: wrong.unlinked,
    "header not mentioned": lambda wrong: header_naming(wrong.example) == "not named",
    "refused": lambda wrong: wrong.answer.is_refused,
    "wrong field, though named": lambda wrong: wrong.miss == "field",
    "wrong row, though mentioned": lambda wrong: wrong.miss == "row",
    "wrong row and field": lambda wrong: True,
}
"""What makes questions hard, in the order in which it is looked for."""


def cause(wrong: WrongAnswer) -> str:
    return next(name for name, applies in CAUSES.items() if applies(wrong))


def report(answers: Sequence[Answered], count: int, seed: int) -> Iterator[str]:
    """Writes the report line by line, as Markdown."""
    wrong = [WrongAnswer(answer) for answer in answers if not answer.is_right]
    causes = [cause(one) for one in wrong]
    found = Score.of(answers)
    count_line = f"{len(wrong):,} of {len(answers):,} answers are wrong"
    yield f"{count_line}; of one-cell questions {found.one_cell or 0:.2%} are right."
    yield ""
    yield from _shares("cause", Counter(causes), list(CAUSES))
    yield from _shares("what is wrong", Counter(one.miss for one in wrong))
    one_cell = [name for one, name in zip(wrong, causes, strict=True) if one.example.one_cell]
    yield from _shares("cause, one-cell questions only", Counter(one_cell), list(CAUSES))
    shown = random.Random(seed).sample(range(len(wrong)), min(count, len(wrong)))
    by_cause = sorted(shown, key=lambda i: (list(CAUSES).index(causes[i]), i))
    title = None
    for number, i in enumerate(by_cause, start=1):
        if causes[i] != title:
            title = causes[i]
            yield f"## {title}"
            yield ""
        yield from _describe(number, wrong[i])


def shares(answers: Sequence[Answered]) -> dict[str, object]:
    """Returns how many answers are wrong, and how many of them for each cause."""
    counts = Counter(cause(WrongAnswer(answer)) for answer in answers if not answer.is_right)
    return {
        "command": "python -m benchmarks.real_errors open --data DIR --shares FILE",
        "questions": len(answers),
        "wrong": sum(counts.values()),
        "causes": dict(counts.most_common()),
    }


def _shares(title: str, counts: Counter[str], order: Sequence[str] = ()) -> Iterator[str]:
    total = max(sum(counts.values()), 1)
    yield f"| {title} | share | questions |"
    yield "|---|---|---|"
    for name in [name for name in order if counts[name]] or [name for name, _ in counts.most_common()]:
        yield f"| {name} | {counts[name] / total:.1%} | {counts[name]:,} |"
    yield ""


def _describe(number: int, wrong: WrongAnswer) -> Iterator[str]:
    example, links = wrong.example, wrong.links
    yield f"**{number}. {example.question}** ({example.id}, table {example.table.name})"
    yield ""
    given = "refused" if wrong.answer.is_refused else _texts(wrong.response.texts)
    right = _texts(example.answers)
    yield f"- answer {given} ({wrong.response.confidence:.2f}), right {right}; wrong: {wrong.miss}"
    if example.query is not None:
        yield f"- query {_query(wrong)}"
    mentions = [" ".join(links.words[start:end]) for start, end in links.mentions]
    yield f"- mentioned: {', '.join(mentions) or 'nothing'}; header {header_naming(example) or 'unknown'}"
    yield ""
    yield from _excerpt(wrong)


def _query(wrong: WrongAnswer) -> str:
    example = wrong.example
    assert example.query is not None
    names = example.table.field_names
    where = " and ".join(
        f"{names[one.column]} {one.operator} {_short(one.value)}" for one in example.query.where
    )
    return f"{example.query.aggregation} {names[example.query.select]} where {where or 'true'}"


def _excerpt(wrong: WrongAnswer) -> Iterator[str]:
    """The right rows, the row that was answered with, and the first ones; right cells are in bold."""
    example = wrong.example
    right = set(example.cells or ())
    told = [] if wrong.cell is None else [wrong.cell[0]]
    rows = list(
        dict.fromkeys([*sorted({row for row, _ in right})[:2], *told, *range(example.table.row_count)])
    )
    yield "| row | " + " | ".join(_short(name) for name in example.table.field_names) + " |"
    yield "|---" * (1 + len(example.table.fields)) + "|"
    for row in sorted(rows[:_ROWS_SHOWN]):
        cells = [
            _cell(wrong, row, column, (row, column) in right) for column in range(len(example.table.fields))
        ]
        yield f"| {row} | " + " | ".join(cells) + " |"
    yield ""


def _cell(wrong: WrongAnswer, row: int, column: int, is_right: bool) -> str:
    text = _short(wrong.example.table.text(row, column))
    if is_right:
        return f"**{text}**"
    return f"_{text}_ ✗" if (row, column) == wrong.cell else text


def _texts(texts: Sequence[str]) -> str:
    return ", ".join(f"“{_short(text)}”" for text in texts[:_ROWS_SHOWN])


def _short(text: str) -> str:
    plain = " ".join(text.split()).replace("|", "/")
    return plain if len(plain) <= _LONGEST_CELL else plain[: _LONGEST_CELL - 1] + "…"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--split", default="dev")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--shares", type=Path, help="a JSON file for how often each cause comes")
    options = parser.parse_args()
    questions = read_set(options.data, options.split, tenth_held_out(locate(options.model)))
    answers = list(map(Answered, questions, answer_all(load_answerer(options.model), questions)))
    if options.shares is not None:
        options.shares.write_text(json.dumps(shares(answers), indent=1) + "\n", encoding="utf-8")
    text = "\n".join(report(answers, options.count, options.seed)) + "\n"
    if options.out is None:
        print(text)
    else:
        options.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
