"""The semantic parser on small tables made by hand."""

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

from neural_enquirer.baselines.semantic_parser.chart import (
    ALL,
    COMPARISON,
    FILTER,
    SUPERLATIVE,
    OperationScores,
    search,
)
from neural_enquirer.baselines.semantic_parser.execution import COMPARISONS, DIRECTIONS, Columns
from neural_enquirer.baselines.semantic_parser.features import FeatureSpace
from neural_enquirer.baselines.semantic_parser.parser import Parse, ParserConfig, SemanticParser
from neural_enquirer.baselines.semantic_parser.problems import Problems, of_table
from neural_enquirer.baselines.semantic_parser.programs import fields_read, program_of
from neural_enquirer.baselines.semantic_parser.questions import contexts, normal, phrases, read_question
from neural_enquirer.baselines.semantic_parser.scoring import Weights
from neural_enquirer.checkpoint import CheckpointError
from neural_enquirer.programs.execution import run
from neural_enquirer.programs.language import Program, ProgramError
from neural_enquirer.programs.paper import the_cell, to_paper_text
from neural_enquirer.programs.text import to_text
from neural_enquirer.tables import Table

GAMES = Table.of_columns(
    ["year", "host_city", "days", "medals"],
    [
        ["1996", "2000", "2004", "2008", "2012"],
        ["Atlanta", "Sydney", "Athens", "New York", "London"],
        ["17", "19", "16", "17", "12"],
        ["1,100", "2,050", "300", "4,000", "700"],
    ],
)
NESTED = "Which city hosted the longest game before the game in Athens?"


def untrained(table: Table, *questions: str, config: ParserConfig | None = None) -> SemanticParser:
    """A parser that knows the words of the questions and prefers no program to another."""
    space = FeatureSpace.of(of_table(table, questions[0]), longest=2, least=1)
    return SemanticParser(config or ParserConfig(), space, Weights.zeros(space))


def all_programs(table: Table, question: str, beam: int = 100_000) -> dict[str, tuple[Program, int]]:
    """The programs for a row that the chart finds, of up to three operations, by their text; and the rows."""
    problems = of_table(table, question)
    columns = Columns.of(problems)
    width = problems.keys.shape[2]
    scores = OperationScores(
        np.zeros((1, columns.filters.shape[2]), np.float32),
        np.zeros((1, columns.ranks.shape[2]), np.float32),
        np.zeros((1, 3 * width), np.float32),
        np.zeros((1, 4, 4), np.float32),
    )
    found = {}
    for cell in search(columns, scores, beam, 3):
        for place in np.flatnonzero(np.isfinite(cell.scores[0])):
            program = program_of(table, problems, cell.kinds[0, place], cell.operations[0, place], 0)
            found[to_text(program)] = program, int(cell.rows[:, 0, place].argmax())
    return found


def best_cell(parsed: Parse) -> tuple[int, int]:
    row, column = np.unravel_index(parsed.probabilities.argmax(), parsed.probabilities.shape)
    return int(row), int(column)


def test_values_of_a_question_are_its_numbers_and_the_longest_cells_in_it() -> None:
    texts = {"new york": 0.0, "york": 1.0, "athens": 2.0}
    question = read_question("Before New York, did 3,500 visit ATHENS in 2004?", texts, 2)
    assert [(a.text, a.number) for a in question.anchors] == [
        ("new york", None),
        ("3,500", 3500.0),
        ("athens", None),
        ("2004", 2004.0),
    ]
    assert " ".join(question.words) == "before <text> , did <number> visit <text> in <number> ?"
    assert {"<text> in", "visit <text>", "visit <text> in"} <= contexts(question, question.anchors[2])
    assert {"", "<s> before", "visit <text>"} <= phrases(question, 2)


def test_chart_holds_the_program_of_a_nested_question() -> None:
    programs = all_programs(GAMES, NESTED)
    wanted = "cells(year, largest(days, rows(year < cells(year, rows(host_city = Athens)))))"
    assert programs[wanted][1] == 1  # Sydney


def test_every_program_in_the_chart_answers_with_its_row() -> None:
    programs = all_programs(GAMES, "Which was the longest game with more than 700 medals?")
    assert len(programs) > 200
    for text, (program, row) in programs.items():
        assert [cell.row for cell in run(program, [GAMES]).cells] == [row], text


def test_the_four_kinds_of_the_paper_are_among_the_programs() -> None:
    found = 0
    for program, row in all_programs(GAMES, NESTED).values():
        try:
            to_paper_text(program)
        except ProgramError:
            continue  # Composed of more than the four kinds are.
        assert the_cell(program, [GAMES]).row == row
        found += 1
    assert found > 30


def test_chart_holds_no_program_that_answers_what_a_part_of_it_does() -> None:
    programs = all_programs(GAMES, NESTED)
    assert "cells(year, rows(host_city = cells(host_city, largest(year))))" not in programs
    assert not any("and host_city = Athens" in text for text in programs)


def test_filters_are_built_in_one_order_only() -> None:
    programs = all_programs(GAMES, "with more than 16 days and fewer than 2,050 medals")
    assert "cells(year, rows(days > 16 and medals < 2050))" in programs
    assert "cells(year, rows(medals < 2050 and days > 16))" not in programs


def test_small_beam_keeps_the_best_programs_of_each_size() -> None:
    assert len(all_programs(GAMES, NESTED, beam=4)) == 12


@pytest.mark.parametrize(
    ("operations", "text", "read"),
    [
        ([(FILTER, "host_city", 0)], 'cells(days, rows(host_city = "New York"))', ["host_city"]),
        (
            [(FILTER, "host_city", 0), (COMPARISON, "year", 2), (SUPERLATIVE, "days", 1)],
            'cells(days, smallest(days, rows(year > cells(year, rows(host_city = "New York")))))',
            ["host_city", "year", "days"],
        ),
        (
            [(SUPERLATIVE, "days", 0), (FILTER, "host_city", 0)],
            'cells(days, rows(host_city = "New York", largest(days)))',
            ["days", "host_city"],
        ),
    ],
)
def test_numbered_operations_are_a_program(
    operations: list[tuple[int, str, int]], text: str, read: list[str]
) -> None:
    problems = of_table(GAMES, "in New York")
    names = [GAMES.field_names[column] for column in problems.columns[0]]
    kinds = np.array([ALL, *(kind for kind, _, _ in operations)])
    numbers = [
        names.index(name) * (len(DIRECTIONS) if kind == SUPERLATIVE else len(COMPARISONS)) + way
        for kind, name, way in operations
    ]
    numbered = np.array([0, *numbers])
    program = program_of(GAMES, problems, kinds, numbered, names.index("days"))
    assert to_text(program) == text
    assert [names[field] for field in fields_read(kinds, numbered, len(names))] == read


def test_missing_cells_and_ties_are_never_a_row_to_name() -> None:
    table = Table.of_columns(["city", "days"], [["Rome", "Oslo", "Bonn"], ["17", "", "17"]])
    programs = all_programs(table, "longest in Oslo?")
    assert "cells(days, largest(days))" not in programs
    assert "cells(days, largest(days, rows(days > cells(days, rows(city = Oslo)))))" not in programs


@pytest.mark.parametrize(
    ("table", "question"),
    [
        (GAMES, "¿¿ ⚽ ٣ ??"),
        (GAMES, ""),
        (Table.of_columns(["a"], [[]]), "what is a?"),
        (Table.of_columns(["a"], [["", ""]]), "what is a?"),
        (
            Table.of_columns(["when", "what"], [["2001-01-01", "2002-02-02"], ["x", "y"]]),
            "what after 2001-01-01?",
        ),
        (GAMES, " ".join(str(n) for n in range(2000, 2040))),
    ],
)
def test_any_question_on_any_table_gets_a_parse(table: Table, question: str) -> None:
    (parsed,) = untrained(GAMES, NESTED).parse([(table, question)])
    assert parsed.probabilities.shape == (table.row_count, len(table.fields))
    assert parsed.probabilities.sum() == pytest.approx(1 if parsed.program else 0, abs=1e-4)
    assert len(parsed.field_weights) == len(parsed.row_marks)


def test_steps_of_a_parse_say_which_field_is_read_and_which_rows_are_left() -> None:
    (parsed,) = untrained(GAMES, NESTED, config=ParserConfig(size=1)).parse([(GAMES, "days in Athens")])
    assert parsed.field_weights.sum(axis=1).tolist() == [1, 1]
    assert parsed.row_marks[-1].argmax() == best_cell(parsed)[0]
    assert parsed.field_weights[-1].argmax() == best_cell(parsed)[1]


def test_parser_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    parser = dataclasses.replace(untrained(GAMES, NESTED), about={"seed": 3})
    parser.weights.phrases[:] = np.random.default_rng(0).normal(size=parser.weights.phrases.shape)
    parser.save(tmp_path / "run")
    again = SemanticParser.load(tmp_path / "run")
    assert (again.config, again.space, again.form, again.about) == (
        parser.config,
        parser.space,
        parser.form,
        parser.about,
    )
    ours, theirs = (each.parse([(GAMES, NESTED)])[0] for each in (parser, again))
    assert ours.program == theirs.program
    np.testing.assert_array_equal(ours.probabilities, theirs.probabilities)


@pytest.mark.parametrize("damage", ["features.json", "model.safetensors", "config.json", "sizes"])
def test_damaged_parser_is_named_in_one_line(tmp_path: Path, damage: str) -> None:
    untrained(GAMES, NESTED).save(tmp_path)
    if damage == "sizes":
        features = json.loads((tmp_path / "features.json").read_text())
        (tmp_path / "features.json").write_text(json.dumps(features | {"phrases": ["a"]}))
    else:
        (tmp_path / damage).write_text("{")
    with pytest.raises(CheckpointError) as error:
        SemanticParser.load(tmp_path)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("wrong", [{"beam": 0}, {"size": 0}, {"learning_rate": 0.0}, {"part": 0}])
def test_config_says_which_setting_is_wrong(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=rf"model\.{next(iter(wrong))} must"):
        ParserConfig(**wrong)  # type: ignore[arg-type]


def test_texts_are_compared_whatever_their_case_and_blanks() -> None:
    assert normal(" New  YORK ") == "new york"
    problems: Problems = of_table(GAMES, "the game in new york")
    assert np.isfinite(problems.values[0, 0]).sum() == 1
