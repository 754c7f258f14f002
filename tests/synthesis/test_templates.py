import collections
import dataclasses
import re
from collections.abc import Callable

import numpy as np
import pytest

from neural_enquirer.programs.paper_parsing import parse_paper
from neural_enquirer.synthesis.examples import PROGRAM_TYPES, ExampleSet
from neural_enquirer.synthesis.olympics import (
    CONTINENTS,
    COUNTRY,
    FIELD_NAMES,
    GAME,
    RESERVED_CITIES,
    RESERVED_COUNTRIES,
    TEXT_FIELDS,
    WORDS,
    of_game,
)
from neural_enquirer.synthesis.tasks import TASKS, generate
from neural_enquirer.synthesis.templates import DRAWS, MAX_WORDS, QuestionWriter
from neural_enquirer.synthesis.word_files import slots_in

PHRASES = {name: of_game(name) for name in FIELD_NAMES}
WRITER = QuestionWriter(PHRASES, "game", "games")
DataSet = Callable[[str, str], ExampleSet]

WORD = re.compile(r"#?_?\w+(?:[.,]\d+)*|,")


def words_of(text: str) -> list[str]:
    return WORD.findall(text.lower())


@pytest.mark.parametrize(
    ("logical_form", "question"),
    [
        (
            "select #_participants, where host_city = Beijing",
            "How many people participated in the game in Beijing?",
        ),
        ("argmin(country_size, #_duration)", "How big is the host of the shortest game?"),
        (
            "where #_participants < 3,000, argmax(#_duration, #_medals)",
            "How long was the game with the most medals among those with under 3,000 participants?",
        ),
        ("where year > 2008, argmin(#_medals, year)", "How many medals were in the first game after 2008?"),
        (
            "where year < (select year, where host_city = Athens), argmax(host_country, #_duration)",
            "Which country hosted the longest game before the game in Athens?",
        ),
    ],
)
def test_the_shortest_way_to_ask(logical_form: str, question: str) -> None:
    assert WRITER.write(parse_paper(logical_form), [0] * DRAWS) == question


@pytest.mark.parametrize("task", ["olympics-100k", "olympics-large-kb", "olympics-two-tables"])
def test_a_question_has_one_logical_form(task: str, data_set: DataSet) -> None:
    """However it is written: capital letters and the mark at the end tell no two questions apart."""
    forms = collections.defaultdict(set)
    fresh = generate(task, "train", seed=1, examples=6_000)
    for examples in (data_set(task, "train"), data_set(task, "validation"), data_set(task, "test"), fresh):
        for question, form in zip(examples.questions, examples.logical_forms, strict=True):
            forms[question.rstrip(".?").lower()].add(form)

    assert {words: several for words, several in forms.items() if len(several) > 1} == {}


@pytest.mark.parametrize("task", TASKS)
def test_questions_are_short_whole_sentences(task: str, data_set: DataSet) -> None:
    """A quarter of them: the templates and phrases of a question are drawn from far fewer."""
    for split in ("train", "test"):
        for question in data_set(task, split).questions[::4]:
            assert len(words_of(question)) <= MAX_WORDS
            assert re.fullmatch(r"[A-Z][^{}]*[a-zA-Z0-9][.?]", question)
            assert "  " not in question


def test_questions_name_their_value_as_the_cells_spell_it(data_set: DataSet) -> None:
    examples = data_set("olympics-100k", "test")
    for question, form in zip(examples.questions, examples.logical_forms, strict=True):
        named = re.search(r"[=<>] ([^\s()]+?)(?:\)|,(?!\d)|$)", form)
        assert named is None or named[1] in re.findall(r"[\w,]*\w", question)


def test_no_phrase_contains_a_value() -> None:
    phrases = " ".join(
        phrase for own in PHRASES.values() for kind in dataclasses.astuple(own) for phrase in kind
    )
    values = {word.lower() for word in (*WORDS, *RESERVED_CITIES, *RESERVED_COUNTRIES, *CONTINENTS)}

    assert values.isdisjoint(words_of(phrases))


def test_phrases_have_their_slot() -> None:
    slots = {"it": ("questions", "nouns", "less_than", "more_than"), "thing": ("largest", "smallest")}
    slots["value"] = ("equal", "names", "less", "more")
    for phrases in (*GAME.values(), *COUNTRY.values()):
        for slot, kinds in slots.items():
            assert all(slots_in(phrase) == [slot] for kind in kinds for phrase in getattr(phrases, kind))


def test_there_are_several_ways_to_say_everything() -> None:
    for name, phrases in PHRASES.items():
        assert len(phrases.questions) >= 4
        assert len(phrases.nouns) >= 2
        assert len(phrases.equal) >= 3
        if name not in TEXT_FIELDS:
            comparisons = (phrases.less, phrases.more, phrases.less_than, phrases.more_than)
            assert min(map(len, comparisons)) >= 3
            assert min(len(phrases.largest), len(phrases.smallest)) >= 3


def test_one_pattern_serves_several_fields() -> None:
    shared = [set(PHRASES[name].equal) for name in ("host_city", "host_country", "year")]

    assert {"in {value}", "held in {value}"} <= shared[0] & shared[1] & shared[2]


def test_plain_words_stand_for_comparisons() -> None:
    questions = {
        "where year > (select year, where host_city = Oslo), argmin(GDP, year)": "after the game in Oslo",
        "argmax(host_city, #_audience)": "most watched",
        "where year < 1956, argmax(host_city, year)": "before 1956",
    }
    for form, words in questions.items():
        assert words in WRITER.write(parse_paper(form), [0] * DRAWS)


def test_every_phrase_is_used(data_set: DataSet) -> None:
    """Phrases that no question ever uses would be dead weight, or a sign that choices are skewed."""
    examples = data_set("olympics-100k", "train")
    text = " | ".join(question.lower() for question in examples.questions)
    for own in PHRASES.values():
        for kind in (own.equal, own.less, own.largest, own.smallest):
            for phrase in kind:
                pattern = (
                    re.escape(phrase.lower())
                    .replace(r"\{value\}", r"[\w,]+")
                    .replace(r"\{thing\}", r"(game|one)")
                )
                assert re.search(pattern, text), phrase


def test_long_questions_are_said_in_fewer_words() -> None:
    program = parse_paper(
        "where population > (select population, where country_size = 1,000), argmin(GDP, population)"
    )
    writer = WRITER
    draws = np.random.default_rng(0).integers(0, 1 << 30, (500, DRAWS)).tolist()
    lengths = [len(words_of(writer.write(program, drawn))) for drawn in draws]

    assert max(lengths) <= MAX_WORDS
    assert len(words_of(writer.write(program, [0] * DRAWS))) == min(lengths) < MAX_WORDS - 3


def test_types_differ_in_length_as_in_depth(data_set: DataSet) -> None:
    examples = data_set("olympics-100k", "test")
    lengths = collections.defaultdict(list)
    for question, kind in zip(examples.questions, examples.types, strict=True):
        lengths[PROGRAM_TYPES[kind]].append(len(words_of(question)))
    means = {kind: sum(found) / len(found) for kind, found in lengths.items()}

    assert means["select_where"] < means["where_superlative"] < means["nest"] < 28
