import numpy as np
import pytest

from neural_enquirer.programs.execution import run
from neural_enquirer.programs.language import (
    Aggregate,
    Aggregation,
    Cells,
    Comparison,
    Direction,
    Extreme,
    ProgramError,
)
from neural_enquirer.programs.paper import field_name, named_by, parts, shape, steps, the_cell
from neural_enquirer.programs.paper_parsing import parse_paper
from neural_enquirer.synthesis.examples import PROGRAM_TYPES, word_value
from neural_enquirer.synthesis.olympics import (
    FIELD_NAMES,
    ROWS,
    TEXT_FIELDS,
    WORDS,
    sample_bounds,
    sample_tables,
)
from neural_enquirer.synthesis.olympics_sampler import ProgramColumns, draw_programs
from neural_enquirer.tables import Field, FieldType, Table

NAMES = FIELD_NAMES
NUMERIC = np.array([name not in TEXT_FIELDS for name in FIELD_NAMES])


def table_of(cells: np.ndarray) -> Table:
    columns = tuple(tuple(word_value(WORDS[code]) for code in column) for column in cells.T)
    return Table(
        tuple(
            Field(name, FieldType.TEXT if name in TEXT_FIELDS else FieldType.NUMBER) for name in FIELD_NAMES
        ),
        columns,
    )


def proposals(program_type: int, count: int) -> tuple[ProgramColumns, np.ndarray]:
    rng = np.random.default_rng(program_type)
    fields = np.tile(np.arange(len(NAMES), dtype=np.int16), (count, 1))
    programs = draw_programs(rng, program_type, fields, NUMERIC)
    programs = programs.at(programs.sensible(NUMERIC))
    cells = sample_tables(rng, len(programs))
    bounds = sample_bounds(rng, programs.condition)
    return programs.with_values(bounds, cells, rng.integers(0, ROWS, len(programs))), cells


def survivors(program: Cells, table: Table) -> int:
    """How many rows a superlative has to choose from; a select has no choice to make."""
    if not isinstance(program.rows, Extreme):
        return table.row_count
    (count,) = run(Aggregate(Aggregation.COUNT, None, program.rows.rows), [table]).values
    assert isinstance(count, int)
    return count


@pytest.mark.parametrize("program_type", range(len(PROGRAM_TYPES)), ids=PROGRAM_TYPES)
def test_answers_as_running_the_programs_does(program_type: int) -> None:
    programs, cells = proposals(program_type, 1500)
    answered = programs.answer(cells)

    assert 0.3 < answered.valid.mean() < 1
    for index, program in enumerate(programs.programs(NAMES, WORDS)):
        table = table_of(cells[index])
        try:
            row = the_cell(program, [table]).row
            expected = row if survivors(program, table) >= 2 else None
        except ProgramError:
            expected = None
        assert (answered.rows[index] if answered.valid[index] else None) == expected
        read = [NAMES[code] for code in programs.steps()[index] if code >= 0]
        assert tuple(read) == steps(program)
        assert shape(program).value == PROGRAM_TYPES[program_type]


def columns_of(text: str) -> ProgramColumns:
    """A program as columns of length one."""
    program = parse_paper(text)
    select, extreme, conditions = parts(program)
    comparison = conditions[0].comparison if conditions else Comparison.EQUAL
    compared = field_name(conditions[0].term) if conditions else select
    named = named_by(conditions[0]) if conditions else None
    codes = {
        "select": NAMES.index(select),
        "condition": NAMES.index(compared if named is None else field_name(named.term)),
        "comparison": (Comparison.EQUAL, Comparison.LESS, Comparison.MORE).index(comparison),
        "value": WORDS.index("10"),
        "compared": NAMES.index(compared),
        "direction": 1 if extreme is not None and extreme.direction is Direction.SMALLEST else 0,
        "by": 0 if extreme is None else NAMES.index(field_name(extreme.by)),
    }
    arrays = {name: np.array([code], dtype=np.int16) for name, code in codes.items()}
    return ProgramColumns(type=PROGRAM_TYPES.index(shape(program).value), **arrays)


@pytest.mark.parametrize(
    ("text", "sensible"),
    [
        ("select year, where host_city = Athens", True),
        ("select year, where year = 2008", False),
        ("argmax(host_city, year)", True),
        ("argmax(year, year)", False),
        ("argmax(year, host_city)", False),
        ("where year > 2008, argmin(#_medals, year)", True),
        ("where year > 2008, argmax(#_medals, year)", False),
        ("where year < 2008, argmin(#_medals, year)", False),
        ("where year < 2008, argmax(#_medals, year)", True),
        ("where #_medals < 100, argmax(#_medals, year)", True),
        ("where host_city = Athens, argmax(#_medals, year)", True),
        ("where host_city = Athens, argmax(host_city, year)", False),
        ("where year < (select year, where host_city = Athens), argmax(host_city, #_medals)", True),
        ("where year < (select year, where host_city = Athens), argmax(host_city, year)", True),
        ("where year < (select year, where host_city = Athens), argmin(host_city, year)", False),
        ("where year > (select year, where host_city = Athens), argmax(host_city, year)", False),
        ("where year < (select year, where year = 2008), argmax(host_city, #_medals)", False),
        ("where year < (select year, where host_city = Athens), argmax(#_medals, #_medals)", False),
    ],
)
def test_only_sensible_questions_are_asked(text: str, sensible: bool) -> None:
    assert columns_of(text).sensible(NUMERIC).tolist() == [sensible]


def test_drawn_conditions_on_text_are_equalities() -> None:
    programs, _ = proposals(PROGRAM_TYPES.index("where_superlative"), 2000)
    names = np.array(NAMES)[programs.condition]

    assert set(names) == set(NAMES)
    for program in programs.programs(NAMES, WORDS):
        (condition,) = parts(program).conditions
        text = field_name(condition.term) in ("host_city", "host_country")
        assert (condition.comparison is Comparison.EQUAL) == text
