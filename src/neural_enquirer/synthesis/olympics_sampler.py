"""Draws examples of the Olympic task: a program and a table that go together and are of the split."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from neural_enquirer.programs.language import Cells
from neural_enquirer.programs.paper import to_paper_text
from neural_enquirer.synthesis.examples import ExampleSet, TableBlock, concatenate
from neural_enquirer.synthesis.olympics import ROWS, SCHEMA, WORDS, sample_bounds, sample_tables
from neural_enquirer.synthesis.olympics_words import (
    CITIES,
    COUNTRIES,
    NUMBERS,
    RESERVED_CITIES,
    RESERVED_COUNTRIES,
)
from neural_enquirer.synthesis.program_columns import ProgramColumns, draw_programs
from neural_enquirer.synthesis.splits import proposals, split_of
from neural_enquirer.synthesis.templates import DRAWS, QuestionWriter
from neural_enquirer.tables import FieldType

Ints = npt.NDArray[np.int16]

_WRITER: Final = QuestionWriter(SCHEMA)
_NUMERIC: Final = np.array([field.type is FieldType.NUMBER for field in SCHEMA.fields])
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
    field_sets: tuple[tuple[str, ...], ...] = (SCHEMA.field_names,)
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
        sets = np.array(
            [[SCHEMA.field_names.index(name) for name in names] for names in self.field_sets], np.int16
        )
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
        for index, program in enumerate(programs.programs(SCHEMA.field_names, WORDS)):
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
            programs = list(candidates.programs.programs(SCHEMA.field_names, (*NUMBERS, *_RESERVED)))
        draws = rng.integers(0, 1 << 30, (len(programs), DRAWS)).tolist()
        count = len(programs)
        return ExampleSet(
            field_names=SCHEMA.field_names,
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
    positions = np.full((count, len(SCHEMA.fields) + 1), -1, dtype=np.int16)
    np.put_along_axis(
        positions, fields.astype(np.intp), np.arange(fields.shape[1], dtype=np.int16)[None, :], axis=1
    )
    found: Ints = np.take_along_axis(positions, wanted.astype(np.intp), axis=1)
    return found
