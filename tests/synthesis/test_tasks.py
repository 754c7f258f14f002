import collections
import re
import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest

from neural_enquirer.programs.paper import steps
from neural_enquirer.programs.paper_parsing import parse_paper
from neural_enquirer.synthesis.examples import PROGRAM_TYPES, ExampleSet
from neural_enquirer.synthesis.olympics import (
    CITIES,
    COUNTRIES,
    RESERVED_CITIES,
    RESERVED_COUNTRIES,
)
from neural_enquirer.synthesis.splits import SPLITS, TaskError
from neural_enquirer.synthesis.tasks import BLOCK, FIELD_SETS, TASKS, generate
from neural_enquirer.synthesis.two_tables import COUNTRY_FIELDS, GAME_FIELDS, joined

DataSet = Callable[[str, str], ExampleSet]


def assert_same(first: ExampleSet, second: ExampleSet) -> None:
    assert first.questions == second.questions
    assert first.logical_forms == second.logical_forms
    for one, other in zip(first.tables, second.tables, strict=True):
        assert np.array_equal(one.fields, other.fields)
        assert np.array_equal(one.cells, other.cells)
    assert np.array_equal(first.answers, second.answers)
    assert np.array_equal(first.steps, second.steps)
    assert np.array_equal(first.types, second.types)


def counts(examples: ExampleSet) -> dict[str, int]:
    return dict(collections.Counter(PROGRAM_TYPES[kind] for kind in examples.types))


def texts(examples: ExampleSet) -> set[str]:
    return {" ".join(re.findall(r"[\w,]+", question.lower())) for question in examples.questions}


MIXTURED = {"select_where": 1, "superlative": 1, "where_superlative": 1, "nest": 2}
EVEN = dict.fromkeys(PROGRAM_TYPES, 1)
THREE = {"select_where": 1, "superlative": 1, "where_superlative": 1}


@pytest.mark.parametrize(
    ("task", "split", "ratio", "unit"),
    [
        ("olympics-25k", "train", MIXTURED, 5_000),
        ("olympics-25k", "test", EVEN, 5_000),
        ("olympics-100k", "train", MIXTURED, 20_000),
        ("olympics-100k", "validation", EVEN, 1_250),
        ("olympics-100k", "test", EVEN, 5_000),
        ("olympics-oov", "test", EVEN, 5_000),
        ("olympics-large-kb", "train", THREE, 25_000),
        ("olympics-large-kb", "validation", THREE, 2_000),
        ("olympics-large-kb", "test", THREE, 10_000),
        ("olympics-two-tables", "train", {"select_where": 1}, 100_000),
        ("olympics-two-tables", "test", {"select_where": 1}, 20_000),
    ],
)
def test_sizes_and_ratios(task: str, split: str, ratio: dict[str, int], unit: int, data_set: DataSet) -> None:
    """Any beginning has the ratio; the splits that are not for training are generated to their ends."""
    examples, total = data_set(task, split), sum(ratio.values())
    assert TASKS[task].examples[split] == unit * total
    assert split == "train" or len(examples) == unit * total
    cycles = len(examples) // total
    beginning = examples.select(slice(cycles * total))
    assert counts(beginning) == {kind: share * cycles for kind, share in ratio.items()}


def test_25k_begins_100k_and_shares_its_other_splits(data_set: DataSet) -> None:
    assert_same(data_set("olympics-25k", "train"), data_set("olympics-100k", "train").select(slice(25_000)))
    for split in ("validation", "test"):
        assert_same(data_set("olympics-25k", split), data_set("olympics-100k", split))


@pytest.mark.parametrize("task", TASKS)
def test_fewer_examples_are_the_beginning_of_more(task: str, data_set: DataSet) -> None:
    assert_same(generate(task, "test", examples=BLOCK + 7), data_set(task, "test").select(slice(BLOCK + 7)))


def test_seeds_give_other_examples() -> None:
    one, other = (generate("olympics-100k", "test", seed=seed, examples=1000) for seed in (1, 2))

    assert len(set(one.questions) & set(other.questions)) < 300
    assert not np.array_equal(one.tables[0].cells, other.tables[0].cells)


@pytest.mark.parametrize("task", TASKS)
def test_no_test_or_validation_question_is_trained_on(task: str, data_set: DataSet) -> None:
    """A tenth of each split, and some of another seed: the form alone decides where a question goes."""
    sets = {split: data_set(task, split).select(slice(0, None, 10)) for split in SPLITS}
    fresh = {split: generate(task, split, seed=7, examples=2 * BLOCK) for split in SPLITS}
    forms = {split: {*sets[split].logical_forms, *fresh[split].logical_forms} for split in SPLITS}
    questions = {split: texts(sets[split]) | texts(fresh[split]) for split in SPLITS}

    for first, second in (("train", "test"), ("train", "validation"), ("validation", "test")):
        assert forms[first].isdisjoint(forms[second])
        assert questions[first].isdisjoint(questions[second])


def test_unseen_entities_are_the_test_set_under_other_names(data_set: DataSet) -> None:
    plain, unseen = data_set("olympics-100k", "test"), data_set("olympics-oov", "test")
    new_names = dict(zip((*CITIES, *COUNTRIES), (*RESERVED_CITIES, *RESERVED_COUNTRIES), strict=True))

    def renamed(text: str) -> str:
        return re.sub(r"\w+", lambda word: new_names.get(word[0], word[0]), text)

    assert [renamed(question) for question in plain.questions] == unseen.questions
    assert [renamed(form) for form in plain.logical_forms] == unseen.logical_forms
    plain_words = np.array(plain.words)[plain.tables[0].cells]
    assert np.array_equal(
        np.vectorize(lambda word: new_names.get(word, word))(plain_words),
        np.array(unseen.words)[unseen.tables[0].cells],
    )
    assert np.array_equal(plain.answers, unseen.answers)


def test_unseen_entities_are_never_seen(data_set: DataSet) -> None:
    reserved = {*RESERVED_CITIES, *RESERVED_COUNTRIES}
    for task in ("olympics-oov", "olympics-100k"):
        train = data_set(task, "train")
        shown = {train.words[code] for code in np.unique(train.tables[0].cells)}
        assert shown.isdisjoint(reserved)
        assert {word for question in train.questions for word in re.findall(r"\w+", question)}.isdisjoint(
            reserved
        )
    unseen = data_set("olympics-oov", "test")
    shown = {unseen.words[code] for code in np.unique(unseen.tables[0].cells)}
    assert reserved <= shown
    assert shown.isdisjoint({*CITIES, *COUNTRIES})
    assert unseen.entity_words == {*CITIES, *COUNTRIES, *reserved}
    assert unseen.words == data_set("olympics-oov", "train").words


def test_large_knowledge_source_is_tested_across_field_sets(data_set: DataSet) -> None:
    sets = [set(names) for names in FIELD_SETS]
    train, test = (data_set("olympics-large-kb", split) for split in ("train", "test"))
    names = np.array(train.field_names)

    assert set().union(*sets) == set(train.field_names)
    assert {frozenset(row) for row in names[train.tables[0].fields]} == {frozenset(each) for each in sets}
    assert test.tables[0].fields.shape[1] == 10
    for form in test.logical_forms:
        used = set(steps(parse_paper(form)))
        assert not any(used <= each for each in sets)
    for form, own in zip(train.logical_forms[:5000], names[train.tables[0].fields], strict=False):
        assert set(steps(parse_paper(form))) <= set(own)


def test_large_knowledge_source_never_trains_on_the_common_test_set(data_set: DataSet) -> None:
    common = set(data_set("olympics-100k", "test").logical_forms)

    assert common.isdisjoint(data_set("olympics-large-kb", "train").logical_forms)


def test_half_of_the_two_table_questions_need_a_join(data_set: DataSet) -> None:
    for split in SPLITS:
        examples = data_set("olympics-two-tables", split)
        needs_join = joined(examples)
        assert needs_join.mean() == 0.5
        for form, join in zip(examples.logical_forms[:3000], needs_join, strict=False):
            condition, select = steps(parse_paper(form))
            alone = {condition, select} <= set(GAME_FIELDS) or {condition, select} <= set(COUNTRY_FIELDS)
            assert join != alone


def test_the_second_table_lists_each_country_of_the_first_once(data_set: DataSet) -> None:
    examples = data_set("olympics-two-tables", "test")
    games, countries = examples.tables
    key = examples.field_names.index("country")

    def keys(fields: np.ndarray, cells: np.ndarray) -> np.ndarray:
        return np.take_along_axis(cells, (fields == key).argmax(axis=1)[:, None, None], axis=2)[:, :, 0]

    hosts, listed = keys(games.fields, games.cells), keys(countries.fields, countries.cells)
    assert (games.fields.shape[1], countries.fields.shape[1]) == (7, 4)
    assert all(len(set(row)) == 10 for row in listed.tolist())
    assert all(set(host) <= set(row) for host, row in zip(hosts.tolist(), listed.tolist(), strict=True))


def test_generating_needs_numpy_and_nothing_else() -> None:
    """So that it runs where nothing can be installed."""
    code = """
import sys
for name in ("duckdb", "pyarrow", "torch", "pandas", "typer", "rich", "safetensors", "jaxtyping"):
    sys.modules[name] = None
from neural_enquirer.synthesis.tasks import TASKS, generate
print(sum(len(generate(task, "test", examples=10)) for task in TASKS))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)

    assert (done.stdout, done.stderr) == ("50\n", "")


def test_progress_counts_every_example() -> None:
    ready: list[int] = []

    generate("olympics-100k", "train", examples=BLOCK + 10, progress=ready.append)

    assert ready == [BLOCK, 10]


def test_no_examples_are_an_empty_set() -> None:
    assert len(generate("olympics-25k", "train", examples=0)) == 0


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"task": "olympiad"}, "unknown task 'olympiad'; the tasks are olympics-25k, olympics-100k"),
        ({"split": "dev"}, "unknown split 'dev'; the splits are train, validation, test"),
        ({"seed": -1}, "the seed must be 0 or more, not -1"),
        ({"examples": -3}, "the number of examples must be 0 or more, not -3"),
    ],
)
def test_what_cannot_be_generated_is_refused(arguments: dict[str, object], complaint: str) -> None:
    with pytest.raises(TaskError, match=complaint):
        generate(**{"task": "olympics-25k", "split": "train"} | arguments)
