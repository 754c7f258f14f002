"""Questions on two tables: games, and the countries that hosted them.

Half of the questions can be answered from one table; the others select in one by a condition on the other,
and need the country that joins them.
"""

import dataclasses
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from neural_enquirer.programs.language import Cells, Comparison
from neural_enquirer.programs.paper import select_where, spelled, to_paper_text
from neural_enquirer.synthesis.examples import PROGRAM_TYPES, STEPS, ExampleSet, TableBlock, concatenate
from neural_enquirer.synthesis.olympics import (
    CITIES,
    CONTINENTS,
    COUNTRIES,
    COUNTRY,
    ROWS,
    WORDS,
    of_game,
    sample_columns,
)
from neural_enquirer.synthesis.splits import proposals, split_of
from neural_enquirer.synthesis.templates import DRAWS, QuestionWriter

Ints = npt.NDArray[np.int16]
Mask = npt.NDArray[np.bool_]

JOIN_FIELD: Final = "country"
GAME_FIELDS: Final = (
    "country",
    "year",
    "host_city",
    "#_participants",
    "#_medals",
    "#_duration",
    "#_audience",
)
COUNTRY_FIELDS: Final = ("country", "continent", "population", "country_size")
FIELD_NAMES: Final = (*GAME_FIELDS, *COUNTRY_FIELDS[1:])

_ALL_WORDS: Final = (*WORDS, *CONTINENTS)
_FIRST_COUNTRY: Final = len(WORDS) - len(COUNTRIES)
_GAMES, _COUNTRIES = range(2)
_KEY: Final = FIELD_NAMES.index(JOIN_FIELD)
_GAME_WIDTH: Final = len(GAME_FIELDS)
_COLUMN_NAMES: Final = (*GAME_FIELDS, *COUNTRY_FIELDS)
_FIELD_OF_COLUMN: Final = np.array([FIELD_NAMES.index(name) for name in _COLUMN_NAMES], dtype=np.uint8)


_GAME_WRITER: Final = QuestionWriter({name: of_game(name) for name in FIELD_NAMES}, "game", "games")
_COUNTRY_WRITER: Final = QuestionWriter(
    {name: COUNTRY[name] for name in COUNTRY_FIELDS}, "country", "countries"
)


def joined(examples: ExampleSet) -> Mask:
    """Which examples need both tables: those whose condition does not stand where the answer stands."""
    condition_table = examples.steps[:, -2] >= _GAME_WIDTH
    mask: Mask = condition_table != (examples.answers[:, 0] == _COUNTRIES)
    return mask


@dataclass(frozen=True)
class _Candidates:
    """Programs on pairs of tables; columns of the second table count on from those of the first."""

    select: Ints
    condition: Ints
    """Columns."""
    value: Ints
    cells: Ints
    """``[example, row, column]`` over both tables."""
    rows: npt.NDArray[np.intp]
    valid: Mask

    def at(self, chosen: npt.NDArray[np.intp]) -> "_Candidates":
        return _Candidates(*(getattr(self, field.name)[chosen] for field in dataclasses.fields(self)))

    def programs(self) -> list[Cells]:
        rows = zip(self.select.tolist(), self.condition.tolist(), self.value.tolist(), strict=True)
        return [
            select_where(
                _COLUMN_NAMES[select],
                spelled(_COLUMN_NAMES[condition], Comparison.EQUAL, _ALL_WORDS[value]),
            )
            for select, condition, value in rows
        ]


@dataclass(frozen=True)
class TwoTableSampler:
    """How one split of the two-table task is drawn."""

    split: str

    def draw(self, rng: np.random.Generator, program_type: int, count: int) -> ExampleSet:
        """As many examples; every other one needs a join."""
        if PROGRAM_TYPES[program_type] != "select_where":
            raise ValueError(f"two tables are only asked to select, not for {PROGRAM_TYPES[program_type]}")
        plain = self._draw(rng, count - count // 2, join=False)
        across = self._draw(rng, count // 2, join=True)
        order = np.empty(count, dtype=np.intp)
        order[0::2], order[1::2] = np.arange(len(plain)), np.arange(len(plain), count)
        return concatenate([plain, across]).select(order)

    def _draw(self, rng: np.random.Generator, count: int, join: bool) -> ExampleSet:
        parts: list[ExampleSet] = []
        missing = count
        while missing > 0:
            candidates = _candidates(rng, proposals(self.split, missing), join)
            candidates = candidates.at(np.flatnonzero(candidates.valid))
            kept = [
                index
                for index, program in enumerate(candidates.programs())
                if split_of(to_paper_text(program)) == self.split
            ]
            chosen = np.array(kept[:missing], dtype=np.intp)
            parts.append(_examples(rng, candidates.at(chosen)))
            missing -= len(chosen)
        return concatenate(parts)


def _candidates(rng: np.random.Generator, count: int, join: bool) -> _Candidates:
    """Proposes tables and programs that do, or do not, need a join."""
    select, condition = _draw_columns(rng, count, join)
    cells = sample_cells(rng, len(select))
    each = np.arange(len(select))
    column = cells[each, :, condition]
    value = column[each, rng.integers(0, ROWS, len(select))]
    hits = column == value[:, None]
    keys = cells[:, :, _KEY], cells[:, :, _GAME_WIDTH]
    if join:
        same = keys[0][:, :, None] == keys[1][:, None, :]
        # [example, answering row, fulfilling row]
        pairs = np.where((select >= _GAME_WIDTH)[:, None, None], same.transpose(0, 2, 1), same)
        hits_by_row = (pairs & hits[:, None, :]).sum(axis=2)
    else:
        hits_by_row = hits.astype(np.intp)
    return _Candidates(
        select, condition, value, cells, hits_by_row.argmax(axis=1), hits_by_row.sum(axis=1) == 1
    )


def _draw_columns(rng: np.random.Generator, count: int, join: bool) -> tuple[Ints, Ints]:
    """The columns that programs select and that their conditions are on.

    The country stands in both tables, and is taken from where the other field stands: it never needs a join.
    """
    fields = rng.integers(0, len(FIELD_NAMES), (count, 2), dtype=np.int16)
    fields = fields[fields[:, 0] != fields[:, 1]]
    of_country = fields >= _GAME_WIDTH
    shared = fields == _KEY
    of_country = np.where(shared, of_country[:, ::-1], of_country)
    columns = np.where(of_country, np.where(shared, _GAME_WIDTH, fields + 1), fields).astype(np.int16)
    wanted = (of_country[:, 0] != of_country[:, 1]) == join
    return columns[wanted, 0], columns[wanted, 1]


def sample_cells(rng: np.random.Generator, tables: int) -> Ints:
    """Both tables side by side; the second has every country of the first, and others to make ten."""
    games = [sample_columns(rng, name, tables) for name in GAME_FIELDS]
    order = rng.random((tables, len(COUNTRIES)), dtype=np.float32)
    np.put_along_axis(order, (games[_KEY] - _FIRST_COUNTRY).astype(np.intp), -1.0, axis=1)
    listed = rng.permuted(order.argsort(axis=1)[:, :ROWS], axis=1) + _FIRST_COUNTRY
    continents = rng.integers(len(WORDS), len(_ALL_WORDS), (tables, ROWS), dtype=np.int16)
    numbers = [sample_columns(rng, name, tables) for name in COUNTRY_FIELDS[2:]]
    return np.stack([*games, listed.astype(np.int16), continents, *numbers], axis=2)


def _examples(rng: np.random.Generator, candidates: _Candidates) -> ExampleSet:
    """Shuffles the columns of each table and writes the texts."""
    count, width = len(candidates.select), candidates.cells.shape[2]
    first = rng.permuted(np.tile(np.arange(_GAME_WIDTH), (count, 1)), axis=1)
    second = rng.permuted(np.tile(np.arange(_GAME_WIDTH, width), (count, 1)), axis=1)
    order = np.concatenate([first, second], axis=1)
    cells = np.take_along_axis(candidates.cells, order[:, None, :], axis=2)
    steps = np.full((count, STEPS), -1, dtype=np.int8)
    steps[:, -2] = (order == candidates.condition[:, None]).argmax(axis=1)
    steps[:, -1] = (order == candidates.select[:, None]).argmax(axis=1)
    table = (candidates.select >= _GAME_WIDTH).astype(np.int16)
    answers = np.stack([table, candidates.rows, steps[:, -1] - table * _GAME_WIDTH], axis=1)
    return ExampleSet(
        field_names=FIELD_NAMES,
        words=_ALL_WORDS,
        entity_words=frozenset((*CITIES, *COUNTRIES)),
        tables=(
            TableBlock(_FIELD_OF_COLUMN[first], cells[:, :, :_GAME_WIDTH]),
            TableBlock(_FIELD_OF_COLUMN[second], cells[:, :, _GAME_WIDTH:]),
        ),
        types=np.full(count, PROGRAM_TYPES.index("select_where"), dtype=np.uint8),
        questions=_questions(rng, candidates),
        logical_forms=[to_paper_text(program) for program in candidates.programs()],
        answers=answers.astype(np.int16),
        steps=steps,
    )


def _questions(rng: np.random.Generator, candidates: _Candidates) -> list[str]:
    """Asks about a country where the table of countries suffices, else about a game."""
    draws = rng.integers(0, 1 << 30, (len(candidates.select), DRAWS)).tolist()
    about_country = np.minimum(candidates.select, candidates.condition) >= _GAME_WIDTH
    return [
        (_COUNTRY_WRITER if country else _GAME_WRITER).write(program, drawn)
        for program, drawn, country in zip(candidates.programs(), draws, about_country.tolist(), strict=True)
    ]
