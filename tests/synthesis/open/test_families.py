import re
from collections import Counter
from itertools import chain

import pytest

from neural_enquirer.synthesis.open.families import FAMILIES, Family, family
from neural_enquirer.synthesis.open.makers import MAKERS
from neural_enquirer.synthesis.open.topics import TOPICS

EVERY_FAMILY = pytest.mark.parametrize("each", FAMILIES, ids=lambda each: each.key)
EVERY_TOPIC = pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.noun)
SMALL_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be been by can did do does for from had has have how i in into is it"
        " most least more less no not of on or than that the to under up was were what when"
        " where which who whose with",
    )
)
PAIRS = (("most", "least"), ("most_after", "least_after"), ("more", "less"))


def words(text: str) -> set[str]:
    """Lower-case words of a phrase or of a header in any style, without the small ones."""
    spaced = re.sub(r"([a-z])([A-Z])", r"\1 \2", re.sub(r"\{\w\}", " ", text))
    return set(re.findall(r"[a-z0-9]+", spaced.lower())) - SMALL_WORDS


def phrases(each: Family) -> tuple[str, ...]:
    """Everything people say of a family, without its headers and values."""
    said = (each.most, each.least, each.most_after, each.least_after, each.more, each.less, each.equal)
    return tuple(chain(each.nouns, each.units, *said, each.asks, each.openers))


def test_there_are_enough_of_each_kind() -> None:
    kinds = Counter(each.kind for each in FAMILIES)

    assert set(kinds) == {"number", "date", "text"}
    assert len(FAMILIES) >= 320
    assert min(kinds.values()) >= 20
    assert Counter(each.kind for each in FAMILIES if each.held_out).keys() == kinds.keys()
    assert 45 <= sum(each.held_out for each in FAMILIES) <= 80
    assert len(TOPICS) >= 110


def test_keys_are_unique_and_found() -> None:
    assert len({each.key for each in FAMILIES}) == len(FAMILIES)
    assert all(family(each.key) is each for each in FAMILIES)
    with pytest.raises(KeyError):
        family("no such family")


@EVERY_FAMILY
def test_phrases_are_lower_case_and_trimmed_and_said_once(each: Family) -> None:
    for said in (each.nouns, each.headers, each.units, each.most_after, each.least_after, each.equal):
        assert isinstance(said, tuple)  # a forgotten comma makes a string, which is a tuple of letters
    for phrase in phrases(each):
        assert phrase == phrase.lower().strip()
        assert phrase
        assert "  " not in phrase
    for said in (
        each.nouns,
        each.headers,
        each.units,
        each.most,
        each.least,
        each.more,
        each.less,
        each.equal,
    ):
        assert len(set(said)) == len(said)
    for said in (each.most_after, each.least_after, each.asks, each.openers):
        assert len(set(said)) == len(said)
    assert 1 <= len(each.nouns) <= 5
    assert all(len(noun.split()) <= 4 for noun in each.nouns)


@EVERY_FAMILY
def test_placeholders_stand_exactly_once_where_they_belong(each: Family) -> None:
    for said, placeholder in ((each.equal, "{v}"), (each.asks, "{e}"), (each.openers, "{d}")):
        for phrase in said:
            assert re.findall(r"\{.*?\}", phrase) == [placeholder], phrase
    unfilled = (
        each.nouns,
        each.units,
        each.most,
        each.least,
        each.most_after,
        each.least_after,
        each.more,
        each.less,
    )
    assert not any("{" in phrase or "}" in phrase for phrase in chain(*unfilled))


@EVERY_FAMILY
def test_opposites_share_no_phrase(each: Family) -> None:
    for greater, smaller in PAIRS:
        assert not set(getattr(each, greater)) & set(getattr(each, smaller))


@EVERY_FAMILY
def test_comparisons_can_stand_before_a_number(each: Family) -> None:
    ends = (
        "than",
        "after",
        "before",
        "above",
        "below",
        "over",
        "under",
        "since",
        "of",
        "to",
        "behind",
        "year",
        "beyond",
    )
    for phrase in (*each.more, *each.less):
        assert phrase.split()[-1] in ends, phrase


@EVERY_FAMILY
def test_values_fit_the_kind(each: Family) -> None:
    if each.kind == "text":
        assert not (*each.most, *each.least, *each.more, *each.less, *each.units)
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


def test_held_out_families_share_no_word_with_the_others() -> None:
    seen: dict[str, str] = {}
    for each in FAMILIES:
        if not each.held_out:
            seen |= dict.fromkeys(chain.from_iterable(map(words, (*phrases(each), *each.headers))), each.key)

    shared = {
        (each.key, word, seen[word])
        for each in FAMILIES
        if each.held_out
        for word in chain.from_iterable(map(words, (*phrases(each), *each.headers)))
        if word in seen
    }

    assert not shared


@pytest.mark.parametrize(
    ("key", "greatest", "smallest"),
    [
        ("height", "tallest", "shortest"),
        ("rank", "worst", "best"),
        ("age", "oldest", "youngest"),
        ("birth_date", "youngest", "oldest"),
        ("birth_year", "youngest", "oldest"),
        ("founded", "newest", "oldest"),
        ("release_date", "latest", "earliest"),
        ("race_time", "slowest", "fastest"),
        ("speed", "fastest", "slowest"),
        ("price", "most expensive", "cheapest"),
        ("latitude", "northernmost", "southernmost"),
        ("mpg", "most economical", "thirstiest"),
        ("fuel_consumption", "thirstiest", "most economical"),
        ("apparent_magnitude", "faintest", "brightest"),
    ],
)
def test_superlatives_point_the_right_way(key: str, greatest: str, smallest: str) -> None:
    assert greatest in family(key).most
    assert smallest in family(key).least


@EVERY_TOPIC
def test_topics_have_known_families(topic) -> None:
    assert len(set(topic.families)) == len(topic.families) >= 8
    assert not any(family(key).held_out for key in topic.families)
    assert topic.key_headers
    assert topic.maker in MAKERS
    assert topic.noun == topic.noun.lower()
    assert topic.plural == topic.plural.lower() != topic.noun
    kinds = Counter(family(key).kind for key in topic.families)
    assert kinds["text"] >= 2
    assert kinds["number"] + kinds["date"] >= 2


def test_topics_are_distinct_and_use_nearly_all_families() -> None:
    used = set(chain.from_iterable(topic.families for topic in TOPICS))
    trained = {each.key for each in FAMILIES if not each.held_out}

    assert len({topic.noun for topic in TOPICS}) == len(TOPICS)
    assert len(trained - used) <= len(trained) / 20, sorted(trained - used)
