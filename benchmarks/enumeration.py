"""Finds programs for the answers of real questions, and counts which operations they need.

    python benchmarks/enumeration.py WTQ WIKISQL [--split dev] [--write docs/programs.md]

DATA are folders as docs/real-questions.md describes them. Times are of one core. Of every question, the best
program and one drawn by lot are run, and must give the answer; so must all with `--check-all`. `--misses 50`
prints questions without a program.
"""

import argparse
import dataclasses
import random
import re
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

import neural_enquirer
from neural_enquirer.encoding.candidates import candidates_of
from neural_enquirer.encoding.linking import link
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.programs import Program, ProgramError, run, to_text
from neural_enquirer.programs import language as lang
from neural_enquirer.programs.enumeration import columns_of
from neural_enquirer.programs.enumeration.search import programs_for
from neural_enquirer.programs.language import Aggregation, Comparison, Part, Step
from neural_enquirer.real_questions import RealExample, read_real, right
from neural_enquirer.real_questions.denotation import wanted

_VOCABULARY: Final = Path(neural_enquirer.__file__).parent / "pretrained" / "open" / "vocabulary.json"
_BEGIN, _END = "<!-- made by benchmarks/enumeration.py -->", "<!-- end of what was made -->"
_AGGREGATIONS: Final = {
    "none": None,
    "count": Aggregation.COUNT,
    "max": Aggregation.MAXIMUM,
    "min": Aggregation.MINIMUM,
    "sum": Aggregation.SUM,
    "avg": Aggregation.AVERAGE,
}
_OPERATORS: Final = {
    "=": (Comparison.EQUAL, Comparison.CONTAINS),
    ">": (Comparison.MORE,),
    "<": (Comparison.LESS,),
}
OPERATIONS: Final = (
    *("cells", "cells of several fields", "distinct cells", "count", "count distinct", "sum", "average"),
    *("median", "minimum, maximum", "range", "difference of two answers", "ratio of two answers"),
    *("yes or no",),
    *("=, contains", "one of", "or", "<>, not", "<, >, <=, >=", "between", "missing", "several conditions"),
    *("largest, smallest", "n largest, smallest", "n-th largest, smallest", "first, last"),
    *("next, previous", "after, before", "compared with another row's", "compared with an average"),
    *("compared within the row", "groups: largest, smallest", "groups: with a condition"),
    *("groups: of measures", "year, month, day of a date", "number in a text", "fields taken together"),
)
"""What programs are made of, in the order of the report."""


@dataclass(frozen=True)
class Outcome:
    """A question, and the programs that were found for it."""

    example: RealExample
    programs: Sequence[Program]

    @cached_property
    def operations(self) -> list[frozenset[str]]:
        """What each program needs."""
        return [frozenset(operations(program)) for program in self.programs]

    def gives_the_answer(self, program: Program) -> bool:
        """Whether a program, run by itself, gives the answer."""
        tables = [self.example.table]
        try:
            return right(self.example, run(program, tables).texts(tables))
        except ProgramError:
            return False


@dataclass(frozen=True)
class Report:
    """What was found in one data set; times are seconds of all questions together."""

    outcomes: Sequence[Outcome]
    seconds: dict[str, float]

    @property
    def name(self) -> str:
        """Which of the two sets it is."""
        return "WikiTableQuestions" if self.outcomes[0].example.query is None else "WikiSQL rebuilt"

    def share(
        self, counts: Callable[[Outcome], bool], among: Callable[[Outcome], bool] | None = None
    ) -> float:
        """The share of questions, or of some of them, that something holds for."""
        chosen = [one for one in self.outcomes if among is None or among(one)]
        return sum(map(counts, chosen)) / max(len(chosen), 1)

    def milliseconds(self, *steps: str) -> float:
        """The time that steps take for one question."""
        return 1000 * sum(self.seconds[step] for step in steps) / len(self.outcomes)


def operations(program: Program) -> Iterator[str]:
    """What a program is made of, as `OPERATIONS` names it."""
    for part in _parts(program):
        yield from _operation(part)


def _operation(part: object) -> Iterator[str]:
    match part:
        case lang.Cells(terms, _, distinct):
            yield "distinct cells" if distinct else "cells of several fields" if len(terms) > 1 else "cells"
        case lang.Aggregate(aggregation, term):
            yield "groups: of measures" if isinstance(term, lang.Measure) else _aggregation(aggregation)
        case lang.Combination(operation):
            is_ratio = operation.value in ("ratio", "percentage")
            yield "ratio of two answers" if is_ratio else "difference of two answers"
        case lang.Exists() | lang.Holds():
            yield "yes or no"
        case lang.Extreme() | lang.Beside():
            yield _place(part)
        case lang.PartOf(kind):
            yield "number in a text" if kind is Part.NUMBER else "year, month, day of a date"
        case lang.Arithmetic():
            yield "fields taken together"
        case lang.Compare() | lang.Between() | lang.Missing() | lang.Not() | lang.And() | lang.Or():
            yield from _condition(part)


def _aggregation(aggregation: Aggregation) -> str:
    name = aggregation.value.replace("_", " ")
    return "minimum, maximum" if name in ("minimum", "maximum") else name


def _place(part: lang.Extreme | lang.Beside) -> str:
    if isinstance(part, lang.Beside):
        return "next, previous" if part.step in (Step.NEXT, Step.PREVIOUS) else "after, before"
    if isinstance(part.by, lang.Measure):
        return "groups: largest, smallest"
    if max(part.nth, part.count) > 1:
        return "n-th largest, smallest" if part.nth > 1 else "n largest, smallest"
    return "first, last" if part.by is None else "largest, smallest"


def _condition(condition: object) -> Iterator[str]:
    match condition:
        case lang.Compare(lang.Measure()):
            yield "groups: with a condition"
        case lang.Compare(_, _, lang.Cells()):
            yield "compared with another row's"
        case lang.Compare(_, _, lang.Aggregate()):
            yield "compared with an average"
        case lang.Compare(_, _, lang.Field() | lang.PartOf() | lang.Arithmetic()):
            yield "compared within the row"
        case lang.Compare(_, Comparison.DIFFERS) | lang.Not():
            yield "<>, not"
        case lang.Compare(_, _, lang.OneOf()):
            yield "one of"
        case lang.Compare(_, Comparison.EQUAL | Comparison.CONTAINS):
            yield "=, contains"
        case lang.Compare():
            yield "<, >, <=, >="
        case lang.Between():
            yield "between"
        case lang.Missing():
            yield "missing"
        case lang.And():
            yield "several conditions"
        case lang.Or():
            yield "or"


def _parts(part: object) -> Iterator[object]:
    """All parts of a program; of an answer that rows are compared with, only its rows."""
    yield part
    if isinstance(part, lang.Compare) and isinstance(part.operand, lang.Cells | lang.Aggregate):
        yield from (*_parts(part.term), *_parts(part.operand.rows))
    elif dataclasses.is_dataclass(part):
        for each in dataclasses.fields(part):
            yield from _parts(getattr(part, each.name))
    elif isinstance(part, tuple):
        for each in part:
            yield from _parts(each)


def is_own_query(example: RealExample, program: Program) -> bool:
    """Whether a program is the query that the data set gives: its field, aggregation and compared fields."""
    query, names = example.query, example.table.field_names
    if query is None or not isinstance(program, lang.Cells | lang.Aggregate):
        return False
    aggregation = None if isinstance(program, lang.Cells) else program.aggregation
    terms = program.terms if isinstance(program, lang.Cells) else (program.term,)
    selected = [None if term is None else _field(term) for term in terms]
    if aggregation is not _AGGREGATIONS[query.aggregation] or selected not in ([names[query.select]], [None]):
        return False
    wanted_conditions = sorted((names[one.column], one.operator) for one in query.where)
    return _compared(program.rows) == wanted_conditions


def _compared(rows: object) -> list[tuple[str, str]] | None:
    """The fields and operators of the conditions of rows; None where there is more to them."""
    if isinstance(rows, lang.All) and not isinstance(rows.source, lang.Groups):
        return []
    if not isinstance(rows, lang.Where) or not isinstance(rows.rows, lang.All):
        return None
    found = []
    for one in rows.condition.parts if isinstance(rows.condition, lang.And) else [rows.condition]:
        signs = [
            sign
            for sign, known in _OPERATORS.items()
            if isinstance(one, lang.Compare) and one.comparison in known
        ]
        field = _field(one.term) if isinstance(one, lang.Compare) else None
        if not signs or field is None:
            return None
        found.append((field, signs[0]))
    return sorted(found)


def _field(term: lang.Term) -> str | None:
    while isinstance(term, lang.PartOf):
        term = term.term
    return term.name if isinstance(term, lang.Field) else None


def search(examples: Sequence[RealExample], limit: int) -> Report:
    """Finds the programs of all questions; those of one table come one after another."""
    vocabulary = Vocabulary.load(_VOCABULARY)
    seconds = dict.fromkeys(("index", "link", "columns", "candidates", "enumeration"), 0.0)
    clock = time.process_time()

    def passed(step: str) -> None:
        nonlocal clock
        now = time.process_time()
        seconds[step] += now - clock
        clock = now

    outcomes, last = [], None
    for example in sorted(examples, key=lambda example: example.table.name):
        clock = time.process_time()
        if last is None or last[0] is not example.table:
            last = example.table, TableIndex.of(example.table)
        passed("index")
        links = link(example.question, last[1], vocabulary)
        passed("link")
        columns_of(example.table)
        passed("columns")
        candidates = candidates_of(example.question, example.table, links)
        passed("candidates")
        programs = programs_for([example.table], [candidates], wanted(example), limit=limit)
        passed("enumeration")
        outcomes.append(Outcome(example, programs))
    return Report(outcomes, seconds)


def disagreements(report: Report, check_all: bool) -> Iterator[str]:
    """Runs programs; says which do not give the answer."""
    draw = random.Random(0)
    for one in report.outcomes:
        if one.programs:
            chosen = one.programs if check_all else [one.programs[0], draw.choice(one.programs)]
            for program in chosen:
                if not one.gives_the_answer(program):
                    yield f"{one.example.id}: {to_text(program)} does not give {one.example.answers}"


def markdown(reports: Sequence[Report], limit: int) -> Iterator[str]:
    """The report as tables."""
    yield _row("", *(report.name for report in reports))
    yield "|---" * (1 + len(reports)) + "|"
    for title, value in _figures(limit):
        yield _row(title, *(value(report) for report in reports))
    yield ""
    yield _row("operation", *(f"{report.name}: best / all" for report in reports))
    yield "|---" * (1 + len(reports)) + "|"
    for name in OPERATIONS:
        yield _row(name, *(_needs(report, name) for report in reports))


def _figures(limit: int) -> Iterator[tuple[str, Callable[[Report], str]]]:
    yield "questions", lambda report: f"{len(report.outcomes):,}"
    yield "with a program", lambda report: f"{report.share(_has_one):.1%}"
    yield "… one cell", lambda report: f"{report.share(_has_one, lambda one: one.example.one_cell):.1%}"
    yield "… others", lambda report: f"{report.share(_has_one, lambda one: not one.example.one_cell):.1%}"
    yield (
        "with the set's own query among them",
        lambda report: "" if report.outcomes[0].example.query is None else f"{report.share(_has_own):.1%}",
    )
    yield (
        f"programs a question (at most {limit}), median",
        lambda report: f"{_sizes(report, statistics.median)}",
    )
    yield "… mean", lambda report: f"{_sizes(report, statistics.mean)}"
    yield (
        "ms a question: enumeration",
        lambda report: f"{report.milliseconds('candidates', 'enumeration'):.1f}",
    )
    yield "… linking", lambda report: f"{report.milliseconds('link'):.1f}"
    yield "… indexing the table", lambda report: f"{report.milliseconds('index', 'columns'):.1f}"


def _has_one(one: Outcome) -> bool:
    return bool(one.programs)


def _has_own(one: Outcome) -> bool:
    return any(is_own_query(one.example, program) for program in one.programs)


def _sizes(report: Report, function: Callable[[Iterable[int]], float]) -> str:
    return f"{function([len(one.programs) for one in report.outcomes]):.0f}"


def _needs(report: Report, name: str) -> str:
    best = report.share(lambda one: bool(one.programs) and name in one.operations[0])
    needed = report.share(lambda one: bool(one.programs) and all(name in used for used in one.operations))
    return f"{best:.1%} / {needed:.1%}"


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def write(path: Path, lines: Iterable[str]) -> None:
    """Puts lines in the place of those that were made before."""
    text = path.read_text(encoding="utf-8")
    block = re.compile(f"(?<={re.escape(_BEGIN)}\n).*?(?={re.escape(_END)})", re.DOTALL)
    if not block.search(text):
        raise SystemExit(f"{path} has no lines '{_BEGIN}' and '{_END}'")
    made = "".join(f"{line}\n" for line in lines)
    path.write_text(block.sub(lambda _: made, text), encoding="utf-8")


def main() -> int:
    """Runs the search; the exit status says whether all programs that were run give the answer."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", nargs="+", type=Path)
    parser.add_argument("--split", default="dev")
    parser.add_argument("--limit", type=int, default=64, help="how many programs to find for each question")
    parser.add_argument("--every", type=int, default=1, help="take every n-th question only")
    parser.add_argument("--check-all", action="store_true", help="run every program")
    parser.add_argument("--misses", type=int, default=0, help="how many questions without a program to print")
    parser.add_argument("--write", type=Path, help="the page to put the tables into")
    options = parser.parse_args()
    reports = [
        search(read_real(data, options.split)[:: options.every], options.limit) for data in options.data
    ]
    lines = list(markdown(reports, options.limit))
    print("\n".join(lines))
    wrong = [line for report in reports for line in disagreements(report, options.check_all)]
    print("\n".join([*wrong[:20], f"{len(wrong)} programs do not give the answer when they are run"]))
    for report in reports:
        missed = [one.example for one in report.outcomes if not one.programs]
        for example in random.Random(0).sample(missed, min(options.misses, len(missed))):
            print(f"{example.id}: {example.question} {example.answers}")
    if options.write is not None:
        write(options.write, lines)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
