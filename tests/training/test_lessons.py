"""Lessons: what is learned from, what is kept apart, and how it becomes tensors."""

import json
import lzma
from pathlib import Path

import pytest
import torch

import real_folders
from asked_games import GAMES, LANDS, VOCABULARY, actions, ask
from neural_enquirer.encoding.actions import Derivation
from neural_enquirer.encoding.program_batch import ProgramBatch
from neural_enquirer.encoding.schema import SchemaSizes
from neural_enquirer.programs.enumeration import Wanted
from neural_enquirer.programs.execution import run
from neural_enquirer.programs.parsing import parse
from neural_enquirer.programs.text import to_text
from neural_enquirer.real_questions import RealDataError, read_real
from neural_enquirer.real_questions.everyday.keeping_out import tenths_of
from neural_enquirer.real_questions.everyday.other_names import read_other_names
from neural_enquirer.real_questions.everyday.programs import write_programs
from neural_enquirer.real_questions.held_out import tenth_of
from neural_enquirer.tables import Table
from neural_enquirer.training import open_task
from neural_enquirer.training.experiment import Experiment
from neural_enquirer.training.lessons import (
    TOLD_ANEW,
    Lesson,
    by_tables,
    everyday_lessons,
    real_lessons,
    tables_of,
    under_other_names,
)
from neural_enquirer.training.program_data import (
    KNOWN,
    ProgramShelf,
    derivations_of,
    encode_drawn,
    encode_lessons,
)

LEARNED, KEPT_OUT = "r_CAFE.csv", "r_UN.csv"
CSV = "city,days\nAthens,10\nParis,20\nOslo,9\n"


def everyday(folder: Path) -> Path:
    """Two tables, one of them kept out; each is asked three questions, of which one has no program."""
    (folder / "tables").mkdir(parents=True)
    lines, programs = [], {}
    for table in (LEARNED, KEPT_OUT):
        (folder / "tables" / table).write_text(CSV)
        asked = [
            ("lookup", "days of oslo", "SELECT days FROM t WHERE city = 'Oslo'", None),
            ("list", "odd cities", "SELECT city FROM t WHERE days % 2 = 1", None),
            ("unanswerable", "who won", None, "no_field"),
        ]
        for number, (kind, question, sql, reason) in enumerate(asked):
            own = {"id": f"{table}-{number}", "tables": [table], "question": question, "kind": kind}
            answers = [["9"]] if sql else []
            lines.append(json.dumps(own | {"sql": sql, "reason": reason, "answers": answers}))
        programs[f"{table}-0"] = 'cells(days, rows(city = "Oslo"))'
    (folder / "questions.jsonl").write_text("\n".join(lines))
    write_programs(folder, programs)
    return folder


def wiki(folder: Path, table: str) -> Path:
    """Questions whose answers alone are known, about one table."""
    questions = [question | {"table": table} for question in real_folders.QUESTIONS]
    for split in ("train", "dev"):
        real_folders.simple(folder, split, questions)
    (folder / "tables" / f"{table}.csv").write_text(real_folders.CITIES)
    return folder


@pytest.fixture(scope="module")
def names() -> tuple[str, str]:
    """A table that is learned from and one that is held out."""
    known, held_out = (
        next(name for name in map("t{}".format, range(100)) if (tenth_of(name) == 0) is out)
        for out in (False, True)
    )
    return known, held_out


def test_nothing_is_learned_of_tables_that_are_kept_out(tmp_path: Path) -> None:
    assert (0 in tenths_of([LEARNED]), 0 in tenths_of([KEPT_OUT])) == (False, True)
    lessons = everyday_lessons(everyday(tmp_path))
    for out, table in ((False, LEARNED), (True, KEPT_OUT)):
        side = [lesson for lesson in lessons if (0 in lesson.tenths) is out]
        assert [lesson.question for lesson in side] == ["days of oslo", "who won"]
        assert {own.name for lesson in side for own in lesson.tables} == {Path(table).stem}
        known, refused = side
        assert known.program is not None
        assert to_text(known.program) == "cells(days, rows(city = Oslo))"
        assert (known.refusal, refused.program, refused.refusal) == (None, None, "no_field")


def test_fields_go_by_other_names_in_tables_and_programs_alike(tmp_path: Path) -> None:
    """What is asked, answered and held out stays the same."""
    lessons = [one for one in everyday_lessons(everyday(tmp_path)) if one.program is not None]
    names = {"city": ("town", "place"), "days": ("City", "length of stay")}
    renamed = under_other_names(lessons * 8, names, seed=0)
    heard = set()
    for own, other in zip(sorted(lessons * 8, key=lambda one: one.tables[0].name), renamed, strict=False):
        assert (other.question, other.tables[0].columns) == (own.question, own.tables[0].columns)
        assert other.program is not None
        assert run(other.program, other.tables).values == (9,)
        assert tenths_of([f"{other.tables[0].name}.csv"]) == other.tenths
        heard.add(other.tables[0].field_names)
    assert "City" not in {name for own in heard for name in own}  # it would be the other field's name
    assert len(heard) > 1
    assert under_other_names(lessons, {}, seed=0) == []


def test_questions_are_dealt_out_to_the_ways_of_naming(tmp_path: Path) -> None:
    lessons = everyday_lessons(everyday(tmp_path))
    names = {"city": ("town", "place", "spot"), "days": ("length", "span", "nights")}
    renamed = under_other_names(lessons, names, seed=1)
    assert sorted(one.question for one in renamed) == sorted(TOLD_ANEW * [one.question for one in lessons])
    assert len({(one.question, one.tables[0].field_names) for one in renamed}) > len(lessons)


def test_other_names_are_read_from_beside_the_questions(tmp_path: Path) -> None:
    assert read_other_names(tmp_path) == {}
    line = json.dumps({"header": "wt", "names": ["weight", "mass"]})
    (tmp_path / "names.jsonl.xz").write_bytes(lzma.compress(line.encode()))
    assert read_other_names(tmp_path) == {"wt": ("weight", "mass")}
    (tmp_path / "names.jsonl.xz").write_bytes(lzma.compress(b"[]"))
    with pytest.raises(RealDataError, match="line 1 lacks one of header, names"):
        read_other_names(tmp_path)


def test_folders_without_programs_say_so(tmp_path: Path) -> None:
    (everyday(tmp_path) / "programs.json.xz").unlink()
    with pytest.raises(RealDataError, match="everyday programs"):
        everyday_lessons(tmp_path)
    (tmp_path / "programs.json.xz").write_bytes(b"no")
    with pytest.raises(RealDataError, match="damaged"):
        everyday_lessons(tmp_path)


def test_of_real_questions_only_the_answers_are_known(tmp_path: Path, names: tuple[str, str]) -> None:
    known, held_out = (real_lessons(read_real(wiki(tmp_path / name, name), "train")) for name in names)
    assert [0 in lesson.tenths for lesson in (*known, *held_out)] == 3 * [False] + 3 * [True]
    assert all(lesson.program is None and lesson.wanted is not None for lesson in known)


@pytest.mark.usefixtures("small_blocks")
def test_nothing_of_a_tenth_that_is_held_out_is_learned(
    tmp_path: Path, names: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither its questions nor its tables nor its words; what is held out is validated with."""
    folders = [everyday(tmp_path / "everyday"), *(wiki(tmp_path / name, name) for name in names)]
    drawn: list[list[str]] = []
    taught: list[list[str]] = []
    asked: list[str] = []

    def draw(tables: list[tuple[Table, ...]], *_: object) -> list[ProgramBatch]:
        drawn.append([table.name for own in tables for table in own])
        return []

    def encode(lessons: list[Lesson], *_: object) -> list[ProgramBatch]:
        taught.append(sorted({table.name for lesson in lessons for table in lesson.tables}))
        return encode_lessons(lessons, VOCABULARY, KNOWN)

    def count(questions: list[tuple[tuple[Table, ...], str]], _: int) -> set[str]:
        asked.extend(tables[0].name for tables, _ in questions)
        return set()

    monkeypatch.setattr(open_task, "encode_drawn", draw)
    monkeypatch.setattr(open_task, "encode_lessons", encode)
    monkeypatch.setattr(open_task, "real_words", count)
    task = {"name": "open", "examples": 20, "held_out": 10}
    data = open_task.open_data(Experiment.from_dict({"task": task}), folders)
    learned, held_out = [Path(LEARNED).stem], [Path(KEPT_OUT).stem]
    expected = [learned, [names[0]], [], held_out, [], [names[1]]]
    assert taught[::2] == expected
    assert taught[1::2] == [[] for _ in expected]  # no other names are known
    assert drawn == expected
    assert set(asked) == {*learned, names[0]}
    assert sum(map(len, data.program_validation)) == 2
    assert sum(map(len, data.programs)) == sum(map(len, data.program_validation)) + 3
    assert sum(map(len, data.real_train)) == 2  # the third is answered by no cell


def lesson(question: str, program: str, tables: tuple[Table, ...] = (GAMES,)) -> Lesson:
    return Lesson(tables, question, parse(program))


LESSONS = [
    lesson("how many days in athens", 'sum(days, rows(city = "Athens"))'),
    lesson("how many days did all of the games in athens last", "sum(days, rows(days > 4711))"),
    lesson(
        "which of all of the games that ever were took place in athens", 'cells(year, rows(city = "Athens"))'
    ),
    lesson("days in europe", "count(rows(lands))", (GAMES, LANDS)),
    Lesson((GAMES,), "who won", refusal="no_field"),
]


def derivations(batch: ProgramBatch) -> list[int]:
    """How many derivations each question of a batch has."""
    return (batch.steps.choices >= 0).any(dim=2).sum(dim=1).tolist()


def test_each_lesson_lies_on_the_first_shelf_that_holds_it() -> None:
    small = ProgramShelf(SchemaSizes(tokens=6, fields=9, headers=3, mentions=3, quantities=2, tables=1), 2, 8)
    large = ProgramShelf(
        SchemaSizes(tokens=16, fields=9, headers=3, mentions=4, quantities=3, tables=1), 3, 9
    )
    one, other = encode_lessons(LESSONS, VOCABULARY, [small, large])
    assert (one.schema.words.shape[1], other.schema.words.shape[1]) == (6, 16)
    assert (len(one), len(other)) == (2, 1)  # without what has no derivation, and two tables
    assert one.steps.choices.shape == (2, 2, 8)
    assert all(derivations(one))
    assert torch.equal((one.schema.words > 0).sum(dim=1), torch.tensor([5, 2]))
    short = ProgramShelf(small.sizes, 2, 2)
    (only,) = encode_lessons(LESSONS, VOCABULARY, [short])
    assert len(only) == 1  # the refusal, which is one step long
    assert only.steps.choices[0, 0, 0].item() >= 0


def test_a_lesson_teaches_what_gives_its_answer() -> None:
    asked = ask("which city had 9 days")

    def found(**known: object) -> list[Derivation]:
        return derivations_of(Lesson((GAMES,), asked.question, **known), asked)  # type: ignore[arg-type]

    (refusal,) = found(refusal="off_topic")
    assert refusal == actions(asked, "off_topic")
    assert found(program=parse("cells(city, rows(days = 9))"))[0] == actions(
        asked, "cells city where = q0 days all"
    )
    wanted = found(wanted=Wanted.of(["St Moritz"], str.casefold, counted=False))
    assert actions(asked, "cells city where = q0 days all") in wanted
    assert len(set(wanted)) == len(wanted)
    assert found() == []


def test_drawn_questions_are_the_same_for_the_same_seed() -> None:
    one, same, other = (encode_drawn([(GAMES,), (LANDS,)], 30, VOCABULARY, KNOWN, seed) for seed in (1, 1, 2))
    assert sum(map(len, one)) > 10
    assert all(all(derivations(batch)) for batch in one)
    assert all(torch.equal(a.schema.words, b.schema.words) for a, b in zip(one, same, strict=True))
    assert [batch.schema.words.tolist() for batch in one] != [batch.schema.words.tolist() for batch in other]


def test_lessons_about_the_same_tables_are_encoded_together() -> None:
    mixed = [lesson(f"{i}", "count(rows())", (GAMES,) if i % 3 else (LANDS,)) for i in range(10)]
    blocks = list(by_tables(mixed, 4))
    assert sorted(one.question for block in blocks for one in block) == sorted(str(i) for i in range(10))
    assert max(map(len, blocks)) <= 4
    assert all(blocks)
    assert [own[0].name for own in tables_of(mixed)] == ["lands", "games"]
