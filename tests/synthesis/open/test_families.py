import re
from collections import Counter
from itertools import chain
from pathlib import Path

import pytest

from neural_enquirer.synthesis.open.families import all_families, family, read_families
from neural_enquirer.synthesis.open.lexicon import Family
from neural_enquirer.synthesis.open.shapes import KINDS, SHAPES
from neural_enquirer.synthesis.open.topics import all_topics, read_topics
from neural_enquirer.synthesis.word_files import VocabularyError

SMALL_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be been by can did do does for from had has have how i in into is it"
        " most least more less no not of on or than that the to under up was were what when"
        " where which who whose with",
    )
)
OWNER = """
kind = "text"
nouns = ["owner"]
values = "person"
"""
HEIGHT = """
kind = "number"
nouns = ["height"]
"""
BIRTH = """
kind = "date"
nouns = ["birth date"]
low = 1900
high = 2000
"""
TOWER = """
maker = "place"
key_headers = ["tower"]
families = ["height", "city", "country", "architect", "built", "floors", "cost", "location"]
"""


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

    goals, caps = read_families([written(tmp_path, text)])

    assert goals.least_after == ("with the fewest goals", "that scored first")
    assert goals.less == ("with fewer goals than", "that scored less often than")
    assert goals.asks == ("how many goals has {e}", "what did {e} score")
    assert goals.openers == ("how many goals has {d}",)
    assert (caps.least_after, caps.less) == ((), ("with under",))
    assert (caps.asks, caps.openers) == (("how many caps has {e}",), ("what caps has {d}",))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEIGHT + "most = ['Tallest']", "'Tallest' in 'most' should be in lower case, with single spaces"),
        (HEIGHT + "most = [' tallest']", "' tallest' in 'most' should be in lower case, with single spaces"),
        (HEIGHT + "units = ['m', 'm']", "'m' is in 'units' twice"),
        (HEIGHT + "headers = ['H', 'H']", "'H' is in 'headers' twice"),
        (HEIGHT + "equal = ['of height']", "'of height' in 'equal' should have {v} once"),
        (HEIGHT + "equal = ['{v} of {v}']", "'{v} of {v}' in 'equal' should have {v} once"),
        (HEIGHT + "asks = ['how high']", "'how high' in 'asks' should have {e} once"),
        (HEIGHT + "openers = ['how high is {e}']", "'how high is {e}' in 'openers' should have {d} once"),
        (HEIGHT + "most = ['tallest }']", "'tallest }' in 'most' should have no slot"),
        (HEIGHT + "most = ['tallest {e}']", "'tallest {e}' in 'most' should have no slot"),
        (HEIGHT + "most = ['tall']\nleast = ['tall']", "'tall' is in both 'most' and 'least'"),
        (HEIGHT + "more = ['higher']", "no number can follow the comparison 'higher'"),
        (HEIGHT + "more = ['comelier than']", "'less' is missing, and nothing is known to be the opposite of "
         "'comelier than'"),
        (HEIGHT + "asks = ['how high is {d}']\nopeners = ['how tall is {d}']", "'openers' are there, so that "
         "'how high is {d}' should take a name only, {e}"),
        (HEIGHT + "low = 5\nhigh = 5", "'low' should be below 'high', but 5 is not below 5"),
        (HEIGHT + "decimals = -1", "'decimals' should be 0 or more, not -1"),
        (HEIGHT + "low = -1\nlog = true", "values from -1 on cannot spread over orders of magnitude"),
        (HEIGHT + "values = 'city'", "a number has no 'values'"),
        (BIRTH.replace("1900", "19"), "the years of a date should lie from 1700 to 2100"),
        (BIRTH + "units = ['days']", "a date has neither units nor orders of magnitude"),
        (OWNER + "most = ['nicest']", "a text is never more or less, and has no unit"),
        (OWNER.replace("person", "persons"), "no maker of values is called 'persons'"),
        (OWNER.replace('"person"', "['a', 'b']"), "there should be 6 values or more, not 2"),
        (OWNER.replace('"person"', "['a', 'b', 'a']"), "'a' is in 'values' twice"),
        (OWNER.replace('"text"', '"texts"'), "the kind should be number, date or text, not 'texts'"),
        (OWNER.replace('"owner"', ""), "there should be 1 to 5 nouns, not 0"),
        (OWNER.replace("owner", "one who owns the thing"), "the noun 'one who owns the thing' is of more "
         "than 4 words"),
    ],
)  # fmt: skip
def test_a_family_that_fits_no_sentence_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(VocabularyError) as error:
        read_families([written(tmp_path, f"[thing]{text}")])

    assert str(error.value) == f"words/some.toml, [thing]: {message}"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"city"', '"cities"', "no family is called 'cities'"),
        ('"city"', '"coronation"', "the family 'coronation' is held out of training"),
        ('"city"', '"height"', "the family 'height' is there twice"),
        ('"city", ', "", "there should be 8 families or more, not 7"),
        (TOWER[TOWER.index("[\"height") :], '["height", "floors", "cost", "built", "age", "width", "weight", '
         '"city"]', "2 families or more should be texts, and as many numbers or dates"),
        ('"place"', '"places"', "no maker of names is called 'places'"),
        ('["tower"]', "[]", "there should be a header of the column with its names"),
        ("maker", 'plural = "Towers"\nmaker', "'Towers' should be in lower case"),
        ("maker", 'plural = "tower"\nmaker', "the plural should be another word"),
    ],
)  # fmt: skip
def test_a_topic_that_makes_no_table_is_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert read_topics([written(tmp_path, f"[tower]{TOWER}")])[0].plural == "towers"

    with pytest.raises(VocabularyError) as error:
        read_topics([written(tmp_path, f"[tower]{TOWER.replace(old, new)}")])

    assert str(error.value) == f"words/some.toml, [tower]: {message}"


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
