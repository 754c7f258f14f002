"""Draws examples of the Olympic task: a program and a table that go together and are of the split.

The rules on which questions are asked:

- the answering row is unique;
- a filter leaves at least two rows, so that the superlative after it has something to do;
- a filter and a superlative on one field do not point the same way (``where year > 2008, argmax(host_city,
  year)`` is the superlative alone);
- what is asked for is not what the question says already.
"""

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from neural_enquirer.programs.language import Cells, Comparison, Direction
from neural_enquirer.programs.paper import against, select_where, spelled, superlative, to_paper_text
from neural_enquirer.synthesis.examples import PROGRAM_TYPES, STEPS, ExampleSet, TableBlock, concatenate
from neural_enquirer.synthesis.olympics import (
    CITIES,
    COUNTRIES,
    FIELD_NAMES,
    NUMBERS,
    RESERVED_CITIES,
    RESERVED_COUNTRIES,
    ROWS,
    TEXT_FIELDS,
    WORDS,
    of_game,
    sample_bounds,
    sample_tables,
)
from neural_enquirer.synthesis.splits import proposals, split_of
from neural_enquirer.synthesis.templates import DRAWS, QuestionWriter

Ints = npt.NDArray[np.int16]
Mask = npt.NDArray[np.bool_]

_COMPARISONS: Final = (Comparison.EQUAL, Comparison.LESS, Comparison.MORE)
_DIRECTIONS: Final = (Direction.LARGEST, Direction.SMALLEST)
_EQUAL, _LESS, _MORE = range(3)
_LARGEST, _SMALLEST = range(2)
_SELECT_WHERE, _SUPERLATIVE, _WHERE_SUPERLATIVE, _NEST = range(len(PROGRAM_TYPES))


@dataclass(frozen=True)
class Answered:
    """What running many programs gave."""

    rows: npt.NDArray[np.intp]
    """The answering row."""
    valid: Mask
    """Whether the program may be asked of this table, by the rules above."""


@dataclass(frozen=True)
class ProgramColumns:
    """Programs of one type; columns that the type does not use hold arbitrary numbers."""

    type: int
    select: Ints
    condition: Ints
    """The field of the condition, which for NEST names the row to compare with."""
    comparison: Ints
    """Of the condition; for NEST, of the comparison with the named row."""
    value: Ints
    compared: Ints
    direction: Ints
    by: Ints

    def __len__(self) -> int:
        return len(self.select)

    def at(self, chosen: npt.NDArray[np.intp] | Mask) -> "ProgramColumns":
        """The programs at some positions."""
        return ProgramColumns(self.type, *(column[chosen] for column in self._columns))

    @property
    def _columns(self) -> tuple[Ints, ...]:
        conditions = self.condition, self.comparison, self.value, self.compared
        return (self.select, *conditions, self.direction, self.by)

    def sensible(self, numeric: Mask) -> Mask:
        """Which of the programs are worth asking of any table; `numeric` says which fields hold numbers."""
        if self.type == _SELECT_WHERE:
            return np.asarray(self.select != self.condition)
        sensible: Mask = numeric[self.by] & (self.select != self.by)
        same_way = np.where(self.direction == _LARGEST, self.comparison == _MORE, self.comparison == _LESS)
        if self.type == _WHERE_SUPERLATIVE:
            known = (self.comparison == _EQUAL) & (self.select == self.condition)
            sensible &= ~known & ~((self.condition == self.by) & same_way)
        if self.type == _NEST:
            sensible &= numeric[self.compared] & (self.condition != self.compared)
            sensible &= ~((self.compared == self.by) & same_way)
        return sensible

    def with_values(self, bounds: Ints, cells: Ints, rows: npt.NDArray[np.integer[Any]]) -> "ProgramColumns":
        """The programs with their values: the cell of the given row for an equality, else the given bound."""
        named = _column(cells, self.condition)[np.arange(len(self)), rows]
        equality = (self.comparison == _EQUAL) | (self.type != _WHERE_SUPERLATIVE)
        return dataclasses.replace(self, value=np.where(equality, named, bounds))

    def answer(self, cells: Ints) -> Answered:
        """Runs every program on its own table; `cells` are ``[example, row, field]``."""
        if self.type == _SELECT_WHERE:
            return _unique(_column(cells, self.condition) == self.value[:, None])
        survives, valid = np.ones(cells.shape[:2], dtype=np.bool_), np.ones(len(self), dtype=np.bool_)
        if self.type == _WHERE_SUPERLATIVE:
            survives = _compare(_column(cells, self.condition), self.comparison, self.value)
        if self.type == _NEST:
            named = _unique(_column(cells, self.condition) == self.value[:, None])
            compared = _column(cells, self.compared)
            survives = _compare(compared, self.comparison, compared[np.arange(len(self)), named.rows])
            valid = named.valid
        keys = _column(cells, self.by)
        keys = np.where((self.direction == _LARGEST)[:, None], keys, -keys)
        best = np.where(survives, keys, np.iinfo(np.int16).min).max(axis=1)
        answered = _unique(survives & (keys == best[:, None]))
        return Answered(answered.rows, answered.valid & valid & (survives.sum(axis=1) >= 2))

    def steps(self) -> Ints:
        """``[example, 5]``: the field each step reads, aligned to the right; -1 where there is none."""
        read = {
            _SELECT_WHERE: (self.condition, self.select),
            _SUPERLATIVE: (self.by, self.select),
            _WHERE_SUPERLATIVE: (self.condition, self.by, self.select),
            _NEST: (self.condition, self.compared, self.compared, self.by, self.select),
        }[self.type]
        steps = np.full((len(self), STEPS), -1, dtype=np.int16)
        steps[:, STEPS - len(read) :] = np.stack(read, axis=1)
        return steps

    def programs(self, field_names: tuple[str, ...], words: tuple[str, ...]) -> Iterator[Cells]:
        """The programs one by one, made as they are asked for."""
        rows = zip(*(column.tolist() for column in self._columns), strict=True)
        return (_program(self.type, row, field_names, words) for row in rows)


def draw_programs(rng: np.random.Generator, program_type: int, fields: Ints, numeric: Mask) -> ProgramColumns:
    """One program for each row of `fields`, the fields it may use; values are still to be filled in.

    Text can only be equal to a value, so that a condition on it is an equality. So is every condition of
    SELECT_WHERE and the one inside NEST, where `comparison` is that of the comparison outside.
    """
    count, width = fields.shape
    drawn = np.take_along_axis(fields, rng.integers(0, width, (count, 4)), axis=1)
    comparison = rng.integers(_LESS, _MORE + 1, (count,), dtype=np.int16)
    if program_type == _WHERE_SUPERLATIVE:
        comparison = np.where(numeric[drawn[:, 1]], comparison, _EQUAL).astype(np.int16)
    direction = rng.integers(_LARGEST, _SMALLEST + 1, (count,), dtype=np.int16)
    return ProgramColumns(
        type=program_type,
        select=drawn[:, 0],
        condition=drawn[:, 1],
        comparison=comparison,
        value=np.zeros(count, dtype=np.int16),
        compared=drawn[:, 2],
        direction=direction,
        by=drawn[:, 3],
    )


def _column(cells: Ints, fields: Ints) -> Ints:
    """``[example, row]``: the cells of one field per example."""
    column: Ints = np.take_along_axis(cells, fields[:, None, None], axis=2)[:, :, 0]
    return column


def _compare(column: Ints, comparison: Ints, value: Ints) -> Mask:
    value, comparison = value[:, None], comparison[:, None]
    outcome: Mask = np.where(
        comparison == _EQUAL, column == value, np.where(comparison == _LESS, column < value, column > value)
    )
    return outcome


def _unique(hits: Mask) -> Answered:
    return Answered(hits.argmax(axis=1), hits.sum(axis=1) == 1)


def _program(
    program_type: int, row: tuple[int, ...], fields: tuple[str, ...], words: tuple[str, ...]
) -> Cells:
    select, condition, comparison, value, compared, direction, by = row
    if program_type == _SELECT_WHERE:
        return select_where(fields[select], spelled(fields[condition], Comparison.EQUAL, words[value]))
    extreme = fields[select], _DIRECTIONS[direction], fields[by]
    if program_type == _SUPERLATIVE:
        return superlative(*extreme)
    outer = _COMPARISONS[comparison]
    if program_type == _WHERE_SUPERLATIVE:
        return superlative(*extreme, spelled(fields[condition], outer, words[value]))
    named = spelled(fields[condition], Comparison.EQUAL, words[value])
    return superlative(*extreme, against(fields[compared], outer, named))


_WRITER: Final = QuestionWriter({name: of_game(name) for name in FIELD_NAMES}, "game", "games")
_NUMERIC: Final = np.array([name not in TEXT_FIELDS for name in FIELD_NAMES])
_ENTITIES: Final = (*CITIES, *COUNTRIES)
_RESERVED: Final = (*RESERVED_CITIES, *RESERVED_COUNTRIES)


def _split_by_form(program: Cells) -> str:
    return split_of(to_paper_text(program))


@dataclass(frozen=True)
class _Candidates:
    """Programs that may be asked, with their tables and answers."""

    programs: ProgramColumns
    fields: Ints
    cells: Ints
    rows: npt.NDArray[np.intp]

    def at(self, chosen: npt.NDArray[np.intp]) -> "_Candidates":
        return _Candidates(
            self.programs.at(chosen), self.fields[chosen], self.cells[chosen], self.rows[chosen]
        )


@dataclass(frozen=True)
class OlympicSampler:
    """How one split of an Olympic task is drawn."""

    split: str
    field_sets: tuple[tuple[str, ...], ...] = (FIELD_NAMES,)
    """Each table has the fields of one of these sets, and its question speaks of no others."""
    split_of: Callable[[Cells], str | None] = _split_by_form
    """Which split a program is of."""
    reserved_words: bool = False
    """Whether the words also hold the cities and countries that are kept for unseen entities …"""
    unseen_entities: bool = False
    """… and whether these stand in the place of the ordinary ones."""

    def draw(self, rng: np.random.Generator, program_type: int, count: int) -> ExampleSet:
        """As many examples of one type."""
        parts: list[ExampleSet] = []
        missing = count
        while missing > 0:
            candidates = self._candidates(rng, program_type, proposals(self.split, missing))
            chosen = self._of_split(candidates.programs, missing)
            places = np.array([*chosen], dtype=np.intp)
            parts.append(self._examples(rng, candidates.at(places), [*chosen.values()]))
            missing -= len(chosen)
        return concatenate(parts)

    def _candidates(self, rng: np.random.Generator, program_type: int, count: int) -> _Candidates:
        """Proposes programs and tables, and leaves out those that the rules forbid."""
        sets = np.array([[FIELD_NAMES.index(name) for name in names] for names in self.field_sets], np.int16)
        fields = sets[rng.integers(0, len(sets), count)]
        programs = draw_programs(rng, program_type, fields, _NUMERIC)
        sensible = programs.sensible(_NUMERIC)
        programs, fields = programs.at(sensible), fields[sensible]
        cells = sample_tables(rng, len(programs))
        programs = programs.with_values(
            sample_bounds(rng, programs.condition), cells, rng.integers(0, ROWS, len(programs))
        )
        answered = programs.answer(cells)
        valid = np.flatnonzero(answered.valid)
        return _Candidates(programs, fields, cells, answered.rows).at(valid)

    def _of_split(self, programs: ProgramColumns, count: int) -> dict[int, Cells]:
        """The first `count` programs that are of this sampler's split, by their places."""
        chosen: dict[int, Cells] = {}
        for index, program in enumerate(programs.programs(FIELD_NAMES, WORDS)):
            if self.split_of(program) == self.split:
                chosen[index] = program
                if len(chosen) == count:
                    break
        return chosen

    def _examples(
        self, rng: np.random.Generator, candidates: _Candidates, programs: list[Cells]
    ) -> ExampleSet:
        """Shuffles the columns and writes the texts."""
        fields = rng.permuted(candidates.fields, axis=1)
        cells = np.take_along_axis(candidates.cells, fields[:, None, :], axis=2)
        columns = _positions(fields, candidates.programs.steps())
        if self.unseen_entities:
            cells = np.where(cells >= len(NUMBERS), cells + len(_ENTITIES), cells)
            programs = list(candidates.programs.programs(FIELD_NAMES, (*NUMBERS, *_RESERVED)))
        draws = rng.integers(0, 1 << 30, (len(programs), DRAWS)).tolist()
        count = len(programs)
        return ExampleSet(
            field_names=FIELD_NAMES,
            words=(*WORDS, *_RESERVED) if self.reserved_words else WORDS,
            entity_words=frozenset((*_ENTITIES, *_RESERVED) if self.reserved_words else _ENTITIES),
            tables=(TableBlock(fields.astype(np.uint8), cells.astype(np.int16)),),
            types=np.full(count, candidates.programs.type, dtype=np.uint8),
            questions=[_WRITER.write(program, drawn) for program, drawn in zip(programs, draws, strict=True)],
            logical_forms=[to_paper_text(program) for program in programs],
            answers=np.stack([np.zeros(count), candidates.rows, columns[:, -1]], axis=1).astype(np.int16),
            steps=columns.astype(np.int8),
        )


def _positions(fields: Ints, wanted: Ints) -> Ints:
    """Where the wanted fields stand among each example's columns; -1 stays -1."""
    count = len(fields)
    positions = np.full((count, len(FIELD_NAMES) + 1), -1, dtype=np.int16)
    np.put_along_axis(
        positions, fields.astype(np.intp), np.arange(fields.shape[1], dtype=np.int16)[None, :], axis=1
    )
    found: Ints = np.take_along_axis(positions, wanted.astype(np.intp), axis=1)
    return found
