"""The data set in this repository, as far as it can be checked without its tables."""

import csv
import re
from collections import Counter
from pathlib import Path

import pytest
import sqlglot
from sqlglot import exp

from neural_enquirer.real_questions.everyday import EverydayQuestion, read_everyday, split
from neural_enquirer.real_questions.everyday.keeping_out import tenths_of
from neural_enquirer.real_questions.everyday.other_names import read_other_names
from neural_enquirer.real_questions.everyday.questions import KINDS, UNANSWERABLE
from neural_enquirer.real_questions.everyday.rebuilding.packages import read_pins
from neural_enquirer.real_questions.everyday.rebuilding.pairs import PAIRS
from neural_enquirer.real_questions.everyday.rebuilding.rebuild import CUT, OWN, WIKI, read_sources, read_sums

DATASET = Path(__file__).parents[3] / "datasets" / "everyday"
PARTS = ("train", "dev")


@pytest.fixture(scope="module")
def parts() -> dict[str, list[EverydayQuestion]]:
    return {part: read_everyday(DATASET / part) for part in PARTS}


def tables_of(questions: list[EverydayQuestion]) -> set[str]:
    return {table for question in questions for table in question.tables}


def summed(part: str) -> dict[str, str]:
    sums = read_sums(DATASET / "tables.sha256")
    return {
        name.removeprefix(f"{part}/tables/"): value for name, value in sums.items() if name.startswith(part)
    }


def test_sizes_are_those_of_the_card(parts: dict[str, list[EverydayQuestion]]) -> None:
    sizes = Counter(len(question.tables) for question in parts["train"])
    card = (DATASET / "README.md").read_text(encoding="utf-8")
    assert f"{sizes[1]:,} over one table, {sizes[2]:,} over two" in card
    assert len(parts["dev"]) == 200
    told = {
        kind: numbers
        for kind, *numbers in re.findall(r"^\| `(\w+)` \|.*\| ([\d,]+) \| (\d+) \|$", card, re.M)
    }
    counts = [Counter(question.kind for question in parts[part]) for part in PARTS]
    assert told == {kind: [f"{counted[kind]:,}" for counted in counts] for kind in KINDS}


def test_other_names_are_as_many_as_the_card_says_and_differ() -> None:
    names = read_other_names(DATASET / "train")
    counts = f"{sum(map(len, names.values())):,} other names for {len(names):,} headers"
    assert counts in (DATASET / "README.md").read_text(encoding="utf-8")
    for header, others in names.items():
        assert header.strip() == header
        known = [header.casefold(), *(other.casefold() for other in others)]
        assert len(set(known)) == len(known), header


@pytest.mark.parametrize("part", PARTS)
def test_ids_are_unique(parts: dict[str, list[EverydayQuestion]], part: str) -> None:
    assert len({question.id for question in parts[part]}) == len(parts[part])


def test_training_questions_say_why_nothing_answers(parts: dict[str, list[EverydayQuestion]]) -> None:
    for question in parts["train"]:
        assert (question.reason is not None) == (question.kind == UNANSWERABLE), question.id


@pytest.mark.parametrize("part", PARTS)
def test_answers_and_questions_are_not_blank(parts: dict[str, list[EverydayQuestion]], part: str) -> None:
    for question in parts[part]:
        assert question.question.strip(), question.id
        assert all(answer and all(answer) for answer in question.answers), question.id


def test_sql_is_one_select_over_the_tables_of_its_question(parts: dict[str, list[EverydayQuestion]]) -> None:
    """Of every eighth training question, which takes a second instead of seven, and of all of development."""
    parsed: dict[str, frozenset[str]] = {}
    for question in (*parts["train"][::8], *parts["dev"]):
        if question.sql is None:
            continue
        if question.sql not in parsed:
            (statement,) = sqlglot.parse(question.sql, dialect="duckdb")
            assert isinstance(statement, exp.Select), question.id
            own = {each.alias for each in statement.find_all(exp.CTE)}
            parsed[question.sql] = frozenset(table.name for table in statement.find_all(exp.Table)) - own
        assert parsed[question.sql], question.id
        called = {Path(table).stem for table in question.tables}
        assert parsed[question.sql] <= called | ({"t"} if len(called) == 1 else set())


@pytest.mark.parametrize("part", PARTS)
def test_every_table_has_a_sum_and_a_source(parts: dict[str, list[EverydayQuestion]], part: str) -> None:
    named = [source.table for source in read_sources(DATASET / part / "sources.tsv")]
    assert len(named) == len(set(named))
    assert set(named) == set(summed(part)) == tables_of(parts[part])


def test_no_development_table_is_a_training_table() -> None:
    train, dev = summed("train"), summed("dev")
    assert not {Path(table).name for table in train} & {Path(table).name for table in dev}
    assert not set(train.values()) & set(dev.values())


def test_no_development_table_has_a_source_of_training() -> None:
    train, dev = (
        {(source.origin, source.item) for source in read_sources(DATASET / part / "sources.tsv")}
        for part in PARTS
    )
    assert not train & dev


def test_tables_of_our_own_are_those_that_are_named() -> None:
    own = DATASET / "train" / OWN
    named = {
        source.item for source in read_sources(DATASET / "train" / "sources.tsv") if source.origin == OWN
    }
    assert named == {path.relative_to(own).as_posix() for path in own.rglob("*.csv")}


def test_every_source_can_be_had() -> None:
    sources = [source for part in PARTS for source in read_sources(DATASET / part / "sources.tsv")]
    pins = read_pins(DATASET / "packages.txt")
    assert {source.origin for source in sources} == {WIKI, CUT, OWN, *pins}


def test_pairs_are_cut_from_tables_that_are_there() -> None:
    sources = read_sources(DATASET / "train" / "sources.tsv")
    extra = read_sources(DATASET / "train" / "pair-sources.tsv")
    added = {f"added/{path.name}" for path in (DATASET / "train" / "added").glob("*.csv")}
    there = {source.table for source in (*sources, *extra)} | added
    cut = {source.table.partition("/")[0]: source.item.split() for source in sources if source.origin == CUT}
    assert cut == {name: list(pair.sources) for name, pair in PAIRS.items()}
    assert {f"{name}.csv" for names in cut.values() for name in names} <= there


def test_a_tenth_is_kept_out_for_good(parts: dict[str, list[EverydayQuestion]]) -> None:
    parted = split(parts["train"])
    sizes = f"{len(parted.train):,} questions to learn from and {len(parted.validation):,}"
    assert sizes in (DATASET / "README.md").read_text(encoding="utf-8")
    tables = {table for table in tables_of(parts["train"]) if 0 in tenths_of([table])}
    assert {table.partition("/")[0] for table in tables if "/" in table} == {
        "midterms",
        "ncaa",
        "o_barkwell_kennels",
        "o_gallery_climate_alarms",
        "o_kasper_lp_shelf",
        "o_penrose_dental_lab",
        "o_shipyard_training",
        "o_smallsat_manifest",
        "o_studio_backlot_films",
        "o_velo_lumiere_startlist",
        "o_village_wells",
        "o_withers_saleroom_june",
        "refugees",
    }
    assert not tables_of(list(parted.train)) & tables


def test_the_sources_of_the_table_files_are_plain_lines() -> None:
    for part in PARTS:
        with (DATASET / part / "sources.tsv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t"))
        assert all(row["licence"] and None not in row for row in rows)
