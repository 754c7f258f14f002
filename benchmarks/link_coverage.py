"""How many of the values that everyday questions filter by are found by linking.

    python -m benchmarks.link_coverage DATA [--questions 3000] [--kept-out] [--misses 50]

DATA is a part of the everyday questions, such as datasets/everyday/train. The SQL of each question
becomes a program; every comparison of a field with values in it is found if a candidate condition of the
question, or several of the same field together, select the same rows. `--kept-out` asks the tables that are
never learned from only. Times are of one core.
"""

import argparse
import dataclasses
import itertools
import operator
import random
import time
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Final, TypeGuard

import neural_enquirer
from neural_enquirer.encoding.candidates import candidates_of, mentioned
from neural_enquirer.encoding.linking import Links, link
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.programs import ProgramError, condition_text
from neural_enquirer.programs import language as lang
from neural_enquirer.programs.enumeration import Columns, columns_of
from neural_enquirer.programs.language import Comparison
from neural_enquirer.programs.sql_reading import from_sql
from neural_enquirer.real_questions.everyday import EverydayQuestion, read_everyday, read_tables, split
from neural_enquirer.tables import Table, TableWarning

_VOCABULARY: Final = Path(neural_enquirer.__file__).parent / "pretrained" / "open" / "vocabulary.json"
_NAMING: Final = (Comparison.EQUAL, Comparison.DIFFERS)

Filter = tuple[lang.Compare | lang.Between, ...]
"""Comparisons of one field that hold together: a lower and an upper bound are often said in one word."""


@dataclass(frozen=True)
class Outcome:
    """A question, its links, and what became of the filters of its program.

    Attributes:
        question: the question.
        links: its links.
        seconds: what linking took.
        found: for each filter whether it is found.
        pointed: the same, where values that nobody says may be pointed at as well.
        kinds: for each filter what it is.
        used: for each mention whether it stands for a filter.
    """

    question: EverydayQuestion
    links: Links
    seconds: float
    found: dict[Filter, bool]
    pointed: dict[Filter, bool]
    kinds: dict[Filter, str]
    used: tuple[bool, ...]


def filters_in(part: object) -> Iterator[Filter]:
    """All comparisons of fields with values in a program."""
    if isinstance(part, lang.And):
        together: dict[lang.Field | None, list[lang.Compare | lang.Between]] = {}
        for each in part.parts:
            if _is_filter(each):
                together.setdefault(field_of(each.term), []).append(each)
            else:
                yield from filters_in(each)
        yield from map(tuple, together.values())
    elif _is_filter(part):
        yield (part,)
    elif dataclasses.is_dataclass(part):
        for field in dataclasses.fields(part):
            yield from filters_in(getattr(part, field.name))
    elif isinstance(part, tuple):
        for each in part:
            yield from filters_in(each)


def _is_filter(part: object) -> TypeGuard[lang.Compare | lang.Between]:
    if not isinstance(part, lang.Between) and not (
        isinstance(part, lang.Compare) and isinstance(part.operand, lang.Constant | lang.OneOf)
    ):
        return False
    return field_of(part.term) is not None


def field_of(term: lang.Term) -> lang.Field | None:
    """The field that a term is, or is a part of; None for other terms."""
    while isinstance(term, lang.PartOf):
        term = term.term
    return term if isinstance(term, lang.Field) else None


def kind_of(conditions: Filter, columns: Columns) -> str:
    """What sort of comparison it is, and of what sort of field."""
    condition = conditions[0]
    column = columns.column(condition.term)
    kind = "other" if column is None else column.kind.name.lower()
    if isinstance(condition, lang.Between) or len(conditions) > 1:
        return f"{kind}: between"
    if isinstance(condition.operand, lang.OneOf):
        return f"{kind}: one of"
    if condition.comparison in _NAMING:
        return f"{kind}: is"
    return f"{kind}: contains" if condition.comparison.of_text else f"{kind}: more, less"


def is_found(conditions: Filter, candidates: Iterable[lang.Compare | lang.Between], columns: Columns) -> bool:
    """Whether candidates select the rows of a filter, by its field, one alone or several together."""
    field = field_of(conditions[0].term)
    own = {columns.rows_where(each) for each in candidates if field_of(each.term) == field}
    every = reduce(operator.and_, (columns.rows_where(each) for each in conditions))
    return _selects(every, own, conditions, columns) or (
        len(conditions) > 1 and all(is_found((each,), candidates, columns) for each in conditions)
    )


def _selects(rows: int, own: set[int], conditions: Filter, columns: Columns) -> bool:
    column = columns.column(conditions[0].term)
    wants = {rows} if column is None else {rows, column.present & ~rows}
    both = own | {one & other for one, other in itertools.combinations(own, 2)}
    return any(
        want in both or reduce(operator.or_, [each for each in own if each & ~want == 0], 0) == want
        for want in wants
    )


def outcomes(
    questions: Sequence[EverydayQuestion], tables: dict[str, Table], vocabulary: Vocabulary
) -> Iterator[Outcome]:
    """Links questions, those of one table one after another."""
    last: tuple[Table, TableIndex] | None = None
    for question in sorted(questions, key=lambda question: question.tables):
        table = tables[question.tables[0]]
        if last is None or last[0] is not table:
            last = table, TableIndex.of(table)
        try:
            program = from_sql(question.sql or "", [table])
        except ProgramError:
            continue
        start = time.process_time()
        links = link(question.question, last[1], vocabulary)
        seconds = time.process_time() - start
        columns = columns_of(table)
        candidates = [one.condition for one in candidates_of(question.question, table, links).conditions]
        unsaid = [
            lang.Compare(lang.Field(table.field_names[one.field]), Comparison.EQUAL, lang.Constant(one.value))
            for one in links.unsaid
        ]
        filters = [one for one in dict.fromkeys(filters_in(program)) if columns.rows_where(one[0])]
        yield Outcome(
            question,
            links,
            seconds,
            {one: is_found(one, candidates, columns) for one in filters},
            {one: is_found(one, [*candidates, *unsaid], columns) for one in filters},
            {one: kind_of(one, columns) for one in filters},
            tuple(
                any(is_used(mentioned(number, links, table), columns, one) for one in filters)
                for number in range(len(links.mentions))
            ),
        )


def is_used(meant: Iterable[lang.Compare | lang.Between], columns: Columns, conditions: Filter) -> bool:
    """Whether a mention stands for a filter, for a part of it, or for its opposite."""
    field = field_of(conditions[0].term)
    own = [columns.rows_where(each) for each in meant if field_of(each.term) == field]
    column = columns.column(conditions[0].term)
    present = columns.everything if column is None else column.present
    wanted = [columns.rows_where(each) for each in conditions]
    return any(not rows & ~want or rows == present & ~want for rows in own for want in wanted)


def report(results: Sequence[Outcome]) -> Iterator[str]:
    """The shares of what is found, by kind, and what the links are like."""
    asked, found = Counter[str](), Counter[str]()
    hows, used = Counter[str](), Counter[str]()
    for one in results:
        for condition, kind in one.kinds.items():
            asked[kind] += 1
            found[kind] += one.found[condition]
        for how, is_meant in zip(one.links.hows, one.used, strict=True):
            hows[how.name.lower()] += 1
            used[how.name.lower()] += is_meant
    filtering = [one for one in results if one.found]
    asked["all"], found["all"] = asked.total(), found.total()
    for name, some in (("questions that filter", filtering), ("all questions", results)):
        asked[name], found[name] = len(some), sum(all(one.found.values()) for one in some)
        name = f"{name}, with values that nobody says"
        asked[name], found[name] = len(some), sum(all(one.pointed.values()) for one in some)
    yield from _table("condition", "asked", "found", asked, found)
    yield from _table("mention", "there", "meant", hows, used)
    for name, total in (
        ("mentions a question", sum(len(one.links.mentions) for one in results)),
        ("quantities a question", sum(len(one.links.quantities) for one in results)),
        ("ms a question", 1000 * sum(one.seconds for one in results)),
    ):
        yield f"{name}: {total / len(results):.2f}"


def _table(title: str, count: str, share: str, counts: Counter[str], parts: Counter[str]) -> Iterator[str]:
    yield f"| {title} | {count} | {share} |\n|---|---|---|"
    for kind, number in counts.items():
        yield f"| {kind} | {number:,} | {parts[kind] / max(number, 1):.1%} |"
    yield ""


def misses(results: Sequence[Outcome], count: int) -> Iterator[str]:
    """Some conditions that are not found, each with its question."""
    missed = [(one, condition) for one in results for condition, known in one.found.items() if not known]
    for one, condition in random.Random(0).sample(missed, min(count, len(missed))):
        text = " and ".join(map(condition_text, condition))
        yield f"{one.question.tables[0]}: {one.question.question}  [{text}]"


def main() -> None:
    """Links a sample of the questions and prints the report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--questions", type=int, default=3000, help="how many to draw")
    parser.add_argument("--kept-out", action="store_true", help="only of tables that are never learned from")
    parser.add_argument("--misses", type=int, default=0, help="how many conditions to print")
    options = parser.parse_args()
    warnings.simplefilter("ignore", TableWarning)
    every = read_everyday(options.data)
    asked = split(every).validation if options.kept_out else every
    questions = [one for one in asked if one.sql and len(one.tables) == 1]
    drawn = random.Random(0).sample(questions, min(options.questions, len(questions)))
    tables = read_tables(options.data, drawn)
    results = list(outcomes(drawn, tables, Vocabulary.load(_VOCABULARY)))
    print("\n".join([*report(results), *misses(results, options.misses)]))


if __name__ == "__main__":
    main()
