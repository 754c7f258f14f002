import re
from collections import Counter
from itertools import chain
from pathlib import Path

import pytest

from neural_enquirer.synthesis.open.lexicon import (
    Family,
    Topic,
    all_families,
    all_topics,
    family,
    read_family,
)
from neural_enquirer.synthesis.open.makers import MAKERS
from neural_enquirer.synthesis.open.shapes import KINDS, SHAPES
from neural_enquirer.synthesis.word_files import VocabularyError, entries, slots_in

SMALL_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be been by can did do does for from had has have how i in into is it"
        " most least more less no not of on or than that the to under up was were what when"
        " where which who whose with",
    )
)
HEIGHT = """
kind = "number"
nouns = ["height"]
"""
PHRASES = (
    "nouns", "units", "most", "least", "most_after", "least_after", "more", "less", "equal", "asks",
    "openers",
)  # fmt: skip
BEFORE_NUMBERS = set(
    "than after before above below over under since of to behind year beyond".split()  # noqa: SIM905
)


def words(text: str) -> set[str]:
    """Lower-case words of a phrase or of a header in any style, without the small ones."""
    spaced = re.sub(r"([a-z])([A-Z])", r"\1 \2", re.sub(r"\{\w\}", " ", text))
    return set(re.findall(r"[a-z0-9]+", spaced.lower())) - SMALL_WORDS


def all_words(each: Family) -> set[str]:
    """The words of all phrases and headers of a family."""
    said = (each.most, each.least, each.most_after, each.least_after, each.more, each.less, each.equal)
    texts = chain(each.nouns, each.units, each.headers, *said, each.asks, each.openers)
    return set(chain.from_iterable(map(words, texts)))


def written(folder: Path, text: str) -> Path:
    path = folder / "words" / "some.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def read(path: Path) -> list[Family]:
    return [read_family(entry) for entry in entries([path])]


def test_there_are_enough_of_each_kind() -> None:
    kinds = Counter(each.kind for each in all_families())

    assert set(kinds) == {"number", "date", "text"}
    assert len(all_families()) >= 320
    assert min(kinds.values()) >= 20
    assert Counter(each.kind for each in all_families() if each.held_out).keys() == kinds.keys()
    assert 45 <= sum(each.held_out for each in all_families()) <= 80
    assert len(all_topics()) >= 110


def test_families_are_found_by_their_keys() -> None:
    assert all(family(each.key) is each for each in all_families())
    with pytest.raises(KeyError):
        family("no such family")


def test_what_can_be_derived_is(tmp_path: Path) -> None:
    text = f"""
        [goals]{HEIGHT}
        most_after = ["with the most goals", "that scored last"]
        more = ["with more goals than", "that scored more often than"]
        asks = ["how many goals has {{d}}", "what did {{e}} score"]
        [caps]{HEIGHT}
        most_after = ["with the most caps"]
        least_after = []
        more = ["with more caps than"]
        less = ["with under"]
        asks = ["how many caps has {{e}}"]
        openers = ["what caps has {{d}}"]
    """

    goals, caps = read(written(tmp_path, text))

    assert goals.least_after == ("with the fewest goals", "that scored first")
    assert goals.less == ("with fewer goals than", "that scored less often than")
    assert goals.asks == ("how many goals has {e}", "what did {e} score")
    assert goals.openers == ("how many goals has {d}",)
    assert (caps.least_after, caps.less) == ((), ("with under",))
    assert (caps.asks, caps.openers) == (("how many caps has {e}",), ("what caps has {d}",))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("more = ['comelier than']", "'less' is missing, and nothing is known to be the opposite "
         "of 'comelier than'"),
        ("asks = ['how high is {d}']\nopeners = ['how tall is {d}']", "'openers' are there, so that "
         "'how high is {d}' should take a name only, {e}"),
    ],
)  # fmt: skip
def test_what_cannot_be_derived_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(VocabularyError) as error:
        read(written(tmp_path, f"[thing]{HEIGHT}{text}"))

    assert str(error.value) == f"words/some.toml, [thing]: {message}"


@pytest.mark.parametrize("each", all_families(), ids=lambda each: each.key)
def test_phrases_of_a_family_fit_into_sentences(each: Family) -> None:
    slots = {"equal": ["v"], "asks": ["e"], "openers": ["d"]}
    for name in PHRASES:
        phrases = getattr(each, name)
        assert isinstance(phrases, tuple)
        assert len(set(phrases)) == len(phrases), name
        for phrase in phrases:
            assert phrase == " ".join(phrase.lower().split()) != ""
            assert slots_in(phrase) == slots.get(name, []), phrase
    assert len(set(each.headers)) == len(each.headers)
    assert 1 <= len(each.nouns) <= 5
    assert all(len(noun.split()) <= 4 for noun in each.nouns)
    assert not set(each.most) & set(each.least)
    assert not set(each.most_after) & set(each.least_after)
    assert not set(each.more) & set(each.less)
    assert {phrase.split()[-1] for phrase in (*each.more, *each.less)} <= BEFORE_NUMBERS


@pytest.mark.parametrize("each", all_families(), ids=lambda each: each.key)
def test_values_of_a_family_are_of_its_kind(each: Family) -> None:
    assert each.kind in ("number", "date", "text")
    if each.kind == "text":
        assert not [*each.most, *each.least, *each.more, *each.less, *each.units]
        if isinstance(each.values, str):
            assert each.values in MAKERS
        else:
            assert len(set(each.values)) == len(each.values) >= 6
        return
    assert not each.values
    assert each.low < each.high
    assert each.decimals >= 0
    assert not each.log or each.low >= 0
    if each.kind == "date":
        assert 1700 <= each.low < each.high <= 2100
        assert not each.units
        assert not each.log


@pytest.mark.parametrize("topic", all_topics(), ids=lambda topic: topic.noun)
def test_a_topic_makes_tables(topic: Topic) -> None:
    assert (topic.noun, topic.plural) == (topic.noun.lower(), topic.plural.lower())
    assert topic.plural != topic.noun
    assert topic.maker in MAKERS
    assert topic.key_headers
    assert len(set(topic.families)) == len(topic.families) >= 8
    assert not any(family(key).held_out for key in topic.families)
    texts = sum(family(key).kind == "text" for key in topic.families)
    assert min(texts, len(topic.families) - texts) >= 2


def test_held_out_families_share_no_word_with_the_others() -> None:
    seen: dict[str, str] = {}
    for each in all_families():
        if not each.held_out:
            seen |= dict.fromkeys(all_words(each), each.key)

    held_out = [each for each in all_families() if each.held_out]

    assert not {(each.key, word, seen[word]) for each in held_out for word in all_words(each) if word in seen}


def test_superlatives_point_the_right_way() -> None:
    ends = {
        "height": ("tallest", "shortest"),
        "rank": ("worst", "best"),
        "age": ("oldest", "youngest"),
        "birth_date": ("youngest", "oldest"),
        "birth_year": ("youngest", "oldest"),
        "founded": ("newest", "oldest"),
        "release_date": ("latest", "earliest"),
        "race_time": ("slowest", "fastest"),
        "speed": ("fastest", "slowest"),
        "price": ("most expensive", "cheapest"),
        "latitude": ("northernmost", "southernmost"),
        "mpg": ("most economical", "thirstiest"),
        "fuel_consumption": ("thirstiest", "most economical"),
        "apparent_magnitude": ("faintest", "brightest"),
    }

    for key, (greatest, smallest) in ends.items():
        assert greatest in family(key).most
        assert smallest in family(key).least


def test_topics_use_nearly_all_families() -> None:
    used = set(chain.from_iterable(topic.families for topic in all_topics()))
    trained = {each.key for each in all_families() if not each.held_out}

    assert len(trained - used) <= len(trained) / 20, sorted(trained - used)


def test_sentences_name_families_and_topics_that_are_there() -> None:
    keys = {each.key for each in all_families()}
    nouns = {topic.noun for topic in all_topics()}

    assert keys >= {*SHAPES["who_has_families"], *SHAPES["who_has_most_families"], *under("clock_verbs")}
    assert keys >= KINDS["clock_families"] | KINDS["noun_families"] | KINDS["adjective_families"]
    assert nouns >= {*under("modifiers"), *SHAPES["winners"]}


def under(table: str) -> list[str]:
    """The names of the lists of a table."""
    return [name.removeprefix(f"{table}.") for name in SHAPES if name.startswith(f"{table}.")]


def test_twins_come_in_pairs() -> None:
    pairs = [pair for kind in under("twins") for pair in SHAPES[f"twins.{kind}"]]
    assert {pair.count(" / ") for pair in pairs} == {1}
