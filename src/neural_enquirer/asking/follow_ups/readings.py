"""Readings: the programs that a question may stand for after another one."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from neural_enquirer.asking.answer import Answer
from neural_enquirer.asking.follow_ups import answers, differences, orders
from neural_enquirer.asking.follow_ups.conditions import added, among, compared, left_out, retold, whole
from neural_enquirer.asking.follow_ups.edit import Edit
from neural_enquirer.asking.follow_ups.fragment import Fragment
from neural_enquirer.asking.follow_ups.headers import called_like
from neural_enquirer.asking.follow_ups.last import About, rows_of
from neural_enquirer.asking.follow_ups.leaning import Back, Leaning
from neural_enquirer.asking.follow_ups.vocabulary import vocabulary
from neural_enquirer.programs.language import (
    Aggregate,
    Aggregation,
    Cells,
    Direction,
    Exists,
    Extreme,
    Field,
    Groups,
    Measure,
    Program,
    ProgramError,
    Rows,
    Step,
    Term,
)
from neural_enquirer.programs.trees import field_of, over, parts, swapped
from neural_enquirer.programs.types import check, source_of

__all__ = ["Readings"]

_GUESSED: Final = 1.0
"""The cost of what the model makes of the question by itself, and not of its words."""
_LESS_LIKELY: Final = 0.3
_RENAMED: Final = -0.5
_SAID: Final = -1.5
"""The cost of what words can hardly mean otherwise."""
_OTHER_ROWS: Final = 0.6
_CHOOSING_FROM_ONE: Final = 6.0
_MEASURES: Final = {
    "average": Aggregation.AVERAGE,
    "median": Aggregation.MEDIAN,
    "range": Aggregation.RANGE,
    "sum": Aggregation.SUM,
}


@dataclass(frozen=True, eq=False)
class Readings:
    """What a question may mean after another.

    Attributes:
        plain: the question as it was answered by itself.
        about: what the last answer was about.
        fragment: what the words of the question point at.
        leaning: how it leans on the last one.
    """

    plain: Answer
    about: About
    fragment: Fragment
    leaning: Leaning

    def __iter__(self) -> Iterator[Edit]:
        """All readings, in no order."""
        for edit in self._sound(self._beginnings()):
            for told in self._sound(self._told(edit)):
                for placed in self._sound(self._placed(told)):
                    yield from self._asked(placed)
        yield from self._differing()
        yield from self._renamed() if self.leaning.back is None else ()
        others = self.about.shared
        if self.fragment.asks_who_else and others is not None:
            yield Edit(self._answered(others), _SAID)
        if self._points_back:
            yield from self._grafted()
        if not self.fragment.told:
            yield from self._guessed_terms()
        if self.fragment.is_sorted:
            for by in self.fragment.ordered_by:
                yield from orders.put_in_order(
                    Edit(self.about.program), self.about, by, self.fragment.is_falling
                )

    def _answered(self, cells: Cells) -> Program:
        """Some rows by name, or whether there are any, or how many."""
        if self.fragment.is_yes_no:
            return Exists(cells.rows)
        if "count" in self.fragment.operations:
            return Aggregate(Aggregation.COUNT, None, cells.rows)
        return cells

    def _sound(self, edits: Iterable[Edit]) -> Iterator[Edit]:
        """The edits whose programs can be run."""
        for edit in edits:
            try:
                check(edit.program, self.about.tables)
            except ProgramError:
                continue
            yield edit

    # Which rows.

    def _beginnings(self) -> Iterator[Edit]:
        known, program = vocabulary(), self.about.program
        says = self.fragment.says
        others = says(known.rows["others"]) and not self.fragment.asks_who_else
        if others or (self.fragment.is_denied and not self.fragment.told):
            yield Edit(left_out(program))
        elif (
            says(known.rows["whole"])
            and "percentage" not in self.fragment.operations
            and not self._points_back
        ):
            yield Edit(whole(program))
        if self.fragment.step is not None:
            yield Edit(orders.next_to(program, self.fragment.step), 0.2)
        elif self.fragment.comparison is not None:
            yield Edit(compared(program, self.fragment.comparison))
        yield Edit(program, 0.5)

    def _differing(self) -> Iterator[Edit]:
        """How much more another has than the last answer, or how far the two are apart that it compares."""
        known, says, told = vocabulary().rows, self.fragment.says, self.fragment.told
        if not told and (self.fragment.tells_more or says(known["difference"])):
            yield from differences.apart(self.about.program)
        elif len(told) == 1 and self.fragment.tells_more:
            yield from differences.between(self.about.program, told[0], says(known["fewer"]))
        elif len(told) == 1 and told[0].against and self.fragment.is_yes_no and self.leaning.back:
            yield from differences.exceeds(self.about.program, told[0])

    def _renamed(self) -> Iterator[Edit]:
        """The same of a field that is called like another: for 2004, in the evening, for men."""
        program, names = self.about.program, [name for each in self.about.tables for name in each.field_names]
        for field in dict.fromkeys(part for part in parts(program) if isinstance(part, Field)):
            for name in called_like(field.name, names, (*self.fragment.words, *self._years(field))):
                yield Edit(swapped(program, field, Field(name, field.table)), _RENAMED)

    def _years(self, field: Field) -> Iterator[str]:
        """The year before one that a field is called by, or after, where it asks for that."""
        step = self.fragment.step
        for year in re.findall(r"\d{4}", field.name) if step is not None else ():
            yield str(int(year) + (1 if step is Step.NEXT else -1))

    def _told(self, edit: Edit) -> Iterable[Edit]:
        told = self.fragment.told
        if self.leaning.back is not None and not (self._is_grouped and self.fragment.is_placed):
            return (
                edit.to(program, cost + more, *fresh)
                for rows, cost in self._rows_back(edit)
                for narrow, more, fresh in among(rows, told)
                if (program := self._restricted(edit.program, narrow)) is not None
            )
        edits: list[Edit] = [edit]
        for each in told:
            edits = [new for old in edits for new in (added if self.leaning.narrows else retold)(old, each)]
        return edits

    @property
    def _is_grouped(self) -> bool:
        """Whether the last answer is made of groups."""
        rows = rows_of(self.about.program)
        return rows is not None and isinstance(source_of(rows), Groups)

    @property
    def _points_back(self) -> bool:
        return self.leaning.narrows or self.leaning.back is not None

    def _rows_back(self, edit: Edit) -> Iterator[tuple[Rows, float]]:
        """The rows that them, it and their stand for."""
        rows = self.about.behind(edit.program)
        if rows is not None:
            yield rows, 0.0
        if self.leaning.back and self.about.entity is not None:
            asks_for_all = self.fragment.operations & {"count", "sum", "average", "exists"}
            yield self.about.entity, -_OTHER_ROWS if asks_for_all else _OTHER_ROWS

    def _restricted(self, program: Program, rows: Rows) -> Program | None:
        """The same of other rows."""
        match program:
            case Cells(terms, own, distinct) if not isinstance(source_of(own), Groups):
                return Cells(terms, rows, distinct)
            case Aggregate(aggregation, term, own) if not isinstance(source_of(own), Groups):
                return Aggregate(aggregation, term, rows)
            case Exists():
                return Exists(rows)
        return None if self.about.label is None else Cells((self.about.label,), rows)

    # Which place in an order.

    def _placed(self, edit: Edit) -> Iterator[Edit]:
        nth, count = self.fragment.ordinal or 1, self.fragment.count or 1
        if not self.fragment.is_placed or self._is_stepped:
            yield edit
            return
        for direction, by, cost in self._ends():
            start = edit.to(edit.program, cost)
            if self.leaning.back and not self._is_grouped:
                rows = self.about.behind(edit.program)
                if direction and by and rows is not None:
                    cost = _CHOOSING_FROM_ONE if self.about.count(rows) == 1 else 0.0
                    end = Extreme(direction, by, rows, nth, count)
                    yield from (start.to(Cells(shown, end), cost) for shown in self._shown(by))
            else:
                placed = orders.placed(start, self.about, orders.End(direction, by, nth, count))
                yield from map(self._by_name, placed)

    @property
    def _is_stepped(self) -> bool:
        """Whether a superlative only says again what the next one is: the next smallest."""
        end = orders.extreme_in(self.about.program)
        return self.fragment.step is not None and end is not None and end.direction is self.fragment.direction

    def _by_name(self, edit: Edit) -> Edit:
        """Who has the least, and not how much that is, where it asks who."""
        match edit.program:
            case Cells((term,), Extreme(_, by) as end) if term == by and "list" in self.fragment.operations:
                if self.about.label is not None and not isinstance(source_of(end), Groups):
                    return edit.to(Cells((self.about.label,), end))
        return edit

    def _shown(self, by: Term) -> Iterator[tuple[Term, ...]]:
        """What is asked of rows at an end of an order: the field itself of their highest price."""
        if self.leaning.back is Back.OWNER and field_of(by) in self.fragment.terms:
            yield tuple(filter(None, (field_of(by),)))
        elif self._listed:
            yield self._listed

    @property
    def _listed(self) -> tuple[Term, ...]:
        """What the last program has listed, or what its rows are called by."""
        match self.about.program:
            case Cells(terms, rows) if not isinstance(source_of(rows), Groups):
                return terms
        return () if self.about.label is None else (self.about.label,)

    def _ends(self) -> Iterator[tuple[Direction | None, Term | None, float]]:
        """The orders that a superlative may ask for, with their costs."""
        direction, named = self.fragment.direction, self.fragment.ordered_by
        for place, term in enumerate(named):
            if direction is not None:
                yield self.fragment.end_of(term), term, _LESS_LIKELY * place
        yield direction, None, 0.0 if not named else _GUESSED
        for place, extreme in enumerate(self._guessed_extremes()):
            if direction in (None, extreme.direction) and extreme.by not in named:
                yield extreme.direction, extreme.by, _GUESSED + _LESS_LIKELY * place
        if direction is not None:
            for place, term in enumerate(filter(self.about.has_order, self.about.compared)):
                is_unsaid = term not in self.about.measures
                yield direction, term, 0.5 + _LESS_LIKELY * place + 2 * _GUESSED * is_unsaid

    def _guessed_extremes(self) -> list[Extreme]:
        found = (
            part
            for program in self.fragment.guesses
            for part in parts(program)
            if isinstance(part, Extreme) and part.by is not None and part.by != Measure()
        )
        return list(dict.fromkeys(Extreme(each.direction, each.by, each.rows) for each in found))

    # What is asked of them.

    def _asked(self, edit: Edit) -> Iterator[Edit]:
        operations, about = self.fragment.operations, self.about
        terms, of_rows = self._asked_terms(edit), self.leaning.back is not None
        measure = next((own for name, own in _MEASURES.items() if name in operations), None)
        rows = about.behind(edit.program)
        if self.fragment.says_besides and terms:
            yield from self._asked_by_name(edit, terms)
        elif "percentage" in operations:
            yield from answers.shared(edit, about)
        elif measure is not None:
            yield from self._per_group(self._measured(edit, measure, terms))
        elif "count" in operations:
            yield from self._per_group(self._counted(edit, terms))
        elif self.fragment.grouped is not None:
            yield from answers.grouped(edit, self.fragment.grouped)
        elif self.fragment.told and ("exists" in operations or (self.fragment.is_yes_no and of_rows)):
            yield from () if rows is None else (edit.to(Exists(rows)),)
        elif terms:
            yield from self._asked_by_name(edit, terms)
        else:
            yield from self._asked_by_hint(edit)

    def _asked_terms(self, edit: Edit) -> list[Term]:
        """The fields that are asked for: by name, with what rows are called, or where and when."""
        terms, words = self._terms(edit), self.fragment.words[self.leaning.opening :]
        wants = words[:1] in (("where",), ("when",)) and self.fragment.wanted
        if terms and wants and not set(terms) & set(self.fragment.wanted):
            return [self.fragment.wanted[0]]
        names = self.leaning.back is Back.OWNER and "names" in words and self.about.label is not None
        label = [self.about.label] if names and terms else []
        return [*(term for term in label if term is not None and term not in terms), *terms]

    def _measured(self, edit: Edit, measure: Aggregation, terms: Sequence[Term]) -> Iterator[Edit]:
        """The average, sum, … of the fields that words name or ask for."""
        of_rows = self.leaning.back is not None
        fields = self._numbers(terms)
        yield from answers.aggregated(edit, self.about, measure, fields, of_rows)
        if measure is Aggregation.SUM:
            yield edit.to(edit.program, _LESS_LIKELY)  # in total, after a count

    def _counted(self, edit: Edit, terms: Sequence[Term]) -> Iterator[Edit]:
        """How many rows there are, or how many of something the rows have."""
        of_rows = self.leaning.back is not None
        start = edit.to(edit.program, _LESS_LIKELY)
        yield from answers.counted(edit, self.about, terms, "distinct" in self.fragment.operations, of_rows)
        if terms or self.fragment.wanted:
            start = start if terms else edit.to(edit.program, -_LESS_LIKELY)
            asked = terms or self.fragment.wanted
            yield from answers.asked_for(start, self.about, asked[:1], of_rows)
        elif of_rows and not self.fragment.told:
            yield from answers.how_many(start)

    def _per_group(self, edits: Iterable[Edit]) -> Iterator[Edit]:
        """The same for each group, if words name a field to group by."""
        by = self.fragment.grouped
        for edit in edits:
            yield from (edit,) if by is None else answers.grouped(edit, by)

    def _asked_by_name(self, edit: Edit, terms: Sequence[Term]) -> Iterator[Edit]:
        about = self.about
        if self.fragment.says_besides:
            yield from answers.listed(edit, about, [*self._listed, *terms])
        else:
            yield from answers.asked_for(edit, about, terms, self._of_rows, self._is_choice)
            if self._is_bare_field and len(terms) == 1:
                yield from orders.reordered(edit, self._numbers(terms))
            yield edit.to(edit.program, _GUESSED)

    def _asked_by_hint(self, edit: Edit) -> Iterator[Edit]:
        hints = self._hints(edit)
        for place, term in enumerate(hints):
            start = edit.to(edit.program, _LESS_LIKELY * (1 + place))
            yield from answers.asked_for(start, self.about, [term], self._of_rows)
        is_listed = self.fragment.is_placed and isinstance(edit.program, Cells)
        if not hints and "list" in self.fragment.operations and not is_listed:
            named = [self.about.name] if self.fragment.step is not None else []
            yield from answers.listed(edit, self.about, [term for term in named if term is not None])
        elif not hints:
            yield edit

    @property
    def _of_rows(self) -> bool:
        """Whether fields are asked of the rows behind the last answer, and not measured like the last one."""
        return self.leaning.back is not None or not self.leaning.opens

    @property
    def _is_bare_field(self) -> bool:
        """Whether it names a field in the place of another, without an article: and silver?"""
        words = self.fragment.words[self.leaning.opening :]
        is_short = len(words) <= len(self.fragment.fields) + self.leaning.opens
        return words[:1] != ("the",) and is_short

    @property
    def _is_choice(self) -> bool:
        """Whether it asks which values there are, each once, and not for those of each row."""
        words = self.fragment.words[self.leaning.opening :]
        is_which = bool(vocabulary().aside.length_at_start(words)) or words[:1] == ("which",)
        return (is_which or not self._points_back) and "list" in self.fragment.operations

    def _hints(self, edit: Edit) -> list[Term]:
        """The fields that words ask for without naming them."""
        taken = set(self._taken_by(edit))
        hinted = () if self.fragment.told else self.fragment.hinted
        amounts = self._amounts if self.fragment.says(vocabulary().rows["amount"]) else ()
        figures = self._amounts if self.fragment.says(vocabulary().rows["figure"]) else ()
        compared = {field_of(term) for term in self.about.measures}
        free = () if taken & set(self.fragment.wanted) else self.fragment.wanted
        wanted = sorted(free, key=lambda term: term not in compared)
        every = dict.fromkeys([*hinted, *amounts, *wanted, *figures])
        return [term for term in every if term not in taken]

    @property
    def _amounts(self) -> list[Term]:
        """What the last answer has most or least of."""
        about = self.about
        return [term for term in about.measures if term not in about.terms and term != Measure()]

    def _terms(self, edit: Edit) -> list[Term]:
        """The fields that are named, but for those that conditions and superlatives are about."""
        fragment = self.fragment
        fields = {fragment.grouped, *map(field_of, self._taken_by(edit))}
        named: list[Term] = [term for term in self.fragment.terms if term not in fields]
        unknown = [term for term in named if term not in self.about.known]
        return unknown if unknown or fragment.step is not None else named

    def _taken_by(self, edit: Edit) -> Iterator[Term]:
        for condition in edit.fresh:
            for part in parts(condition):
                if isinstance(part, Field):
                    yield part
        if self.fragment.is_superlative:
            yield from (
                part.by for part in parts(edit.program) if isinstance(part, Extreme) and part.by is not None
            )
            match edit.program:
                case Aggregate(_, Field() as term):
                    yield term

    def _numbers(self, terms: Sequence[Term]) -> list[Term]:
        """Fields as terms that can be added up."""
        found: list[Term] = []
        for place, term in zip(self.fragment.fields, self.fragment.terms, strict=True):
            if term in terms:
                found.append(self.fragment.asked.term(place, ordered=True))
        return found

    # What the model makes of it.

    def _grafted(self) -> Iterator[Edit]:
        """What the model reads in the question by itself, of the rows behind the last answer."""
        for place, program in enumerate(self.fragment.guesses):
            for rows, cost in self._rows_back(Edit(self.about.program)) if self._may_be(program) else ():
                is_sure = place == 0 and not self.plain.is_unsure and self.leaning.is_headless
                doubt = 0.0 if is_sure else _GUESSED + 0.5
                grafted = Edit(over(program, rows), doubt + cost + _LESS_LIKELY * place)
                yield grafted
                if self.leaning.back is Back.SEVERAL and not self.fragment.operations:
                    yield from answers.unmeasured(grafted.to(grafted.program, -_LESS_LIKELY))

    def _may_be(self, program: Program) -> bool:
        """Whether a program asks for one row at an end, unless words say how many: of the three."""
        says_place = self.fragment.count or self.fragment.ordinal or self.fragment.step
        ends = (part for part in parts(program) if isinstance(part, Extreme))
        return bool(says_place) or all(end.nth == end.count == 1 for end in ends)

    def _guessed_terms(self) -> Iterator[Edit]:
        """The fields that the model reads in the question by itself, of the rows behind the last answer."""
        rows, nth = self.about.rows, self.fragment.ordinal
        if nth is not None and self.fragment.direction is None:
            rows = Extreme(Direction.SMALLEST, None, rows, nth)
        for place, program in enumerate(self.fragment.guesses):
            match program:
                case Cells((_,), own, distinct) if not isinstance(source_of(own), Groups):
                    cost = _GUESSED + 0.3 + _LESS_LIKELY * place
                    yield Edit(Cells(program.terms, rows, distinct), cost)
