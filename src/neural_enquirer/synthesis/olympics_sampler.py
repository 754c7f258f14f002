"""Draws examples of the Olympic task: a query and a table that go together and are of the split."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from neural_enquirer.query import Query
from neural_enquirer.synthesis.examples import ExampleSet, TableBlock, concatenate
from neural_enquirer.synthesis.olympics import ROWS, SCHEMA, WORDS, sample_bounds, sample_tables
from neural_enquirer.synthesis.olympics_words import (
    CITIES,
    COUNTRIES,
    NUMBERS,
    RESERVED_CITIES,
    RESERVED_COUNTRIES,
)
from neural_enquirer.synthesis.query_columns import QueryColumns, draw_queries
from neural_enquirer.synthesis.splits import proposals, split_of
from neural_enquirer.synthesis.templates import DRAWS, QuestionWriter
from neural_enquirer.tables import FieldType

__all__ = ["OlympicSampler"]

Ints = npt.NDArray[np.int16]

_WRITER: Final = QuestionWriter(SCHEMA)
_NUMERIC: Final = np.array([field.type is FieldType.NUMBER for field in SCHEMA.fields])
_ENTITIES: Final = (*CITIES, *COUNTRIES)
_RESERVED: Final = (*RESERVED_CITIES, *RESERVED_COUNTRIES)


def _split_by_form(query: Query) -> str:
    return split_of(query.to_text())


@dataclass(frozen=True)
class _Candidates:
    """Queries that may be asked, with their tables and answers."""

    queries: QueryColumns
    fields: Ints
    cells: Ints
    rows: npt.NDArray[np.intp]

    def at(self, chosen: npt.NDArray[np.intp]) -> "_Candidates":
        return _Candidates(
            self.queries.at(chosen), self.fields[chosen], self.cells[chosen], self.rows[chosen]
        )


@dataclass(frozen=True)
class OlympicSampler:
    """How one split of an Olympic task is drawn."""

    split: str
    field_sets: tuple[tuple[str, ...], ...] = (SCHEMA.field_names,)
    """Each table has the fields of one of these sets, and its question speaks of no others."""
    split_of: Callable[[Query], str | None] = _split_by_form
    """Which split a query is of."""
    reserved_words: bool = False
    """Whether the words also hold the cities and countries that are kept for unseen entities …"""
    unseen_entities: bool = False
    """… and whether these stand in the place of the ordinary ones."""

    def draw(self, rng: np.random.Generator, query_type: int, count: int) -> ExampleSet:
        """As many examples of one type."""
        parts: list[ExampleSet] = []
        missing = count
        while missing > 0:
            candidates = self._candidates(rng, query_type, proposals(self.split, missing))
            chosen = self._of_split(candidates.queries, missing)
            parts.append(self._examples(rng, candidates.at(chosen)))
            missing -= len(chosen)
        return concatenate(parts)

    def _candidates(self, rng: np.random.Generator, query_type: int, count: int) -> _Candidates:
        """Proposes queries and tables, and leaves out those that the rules forbid."""
        sets = np.array(
            [[SCHEMA.field_names.index(name) for name in names] for names in self.field_sets], np.int16
        )
        fields = sets[rng.integers(0, len(sets), count)]
        queries = draw_queries(rng, query_type, fields, _NUMERIC)
        sensible = queries.sensible(_NUMERIC)
        queries, fields = queries.at(sensible), fields[sensible]
        cells = sample_tables(rng, len(queries))
        queries = queries.with_values(
            sample_bounds(rng, queries.condition), cells, rng.integers(0, ROWS, len(queries))
        )
        answered = queries.answer(cells)
        valid = np.flatnonzero(answered.valid)
        return _Candidates(queries, fields, cells, answered.rows).at(valid)

    def _of_split(self, queries: QueryColumns, count: int) -> npt.NDArray[np.intp]:
        """The first `count` queries that are of this sampler's split."""
        chosen: list[int] = []
        for index, query in enumerate(queries.queries(SCHEMA.field_names, WORDS)):
            if self.split_of(query) == self.split:
                chosen.append(index)
                if len(chosen) == count:
                    break
        return np.array(chosen, dtype=np.intp)

    def _examples(self, rng: np.random.Generator, candidates: _Candidates) -> ExampleSet:
        """Shuffles the columns and writes the texts."""
        fields = rng.permuted(candidates.fields, axis=1)
        cells = np.take_along_axis(candidates.cells, fields[:, None, :], axis=2)
        columns = _positions(fields, candidates.queries.steps())
        shown = (*NUMBERS, *_RESERVED) if self.unseen_entities else WORDS
        if self.unseen_entities:
            cells = np.where(cells >= len(NUMBERS), cells + len(_ENTITIES), cells)
        queries = list(candidates.queries.queries(SCHEMA.field_names, shown))
        draws = rng.integers(0, 1 << 30, (len(queries), DRAWS)).tolist()
        count = len(queries)
        return ExampleSet(
            field_names=SCHEMA.field_names,
            words=(*WORDS, *_RESERVED) if self.reserved_words else WORDS,
            entity_words=frozenset((*_ENTITIES, *_RESERVED) if self.reserved_words else _ENTITIES),
            tables=(TableBlock(fields.astype(np.uint8), cells.astype(np.int16)),),
            types=np.full(count, candidates.queries.type, dtype=np.uint8),
            questions=[_WRITER.write(query, drawn) for query, drawn in zip(queries, draws, strict=True)],
            logical_forms=[query.to_text() for query in queries],
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
