"""The list of words that follow-up questions are read by."""

import tomllib
from collections import Counter
from collections.abc import Iterator

from neural_enquirer.asking.follow_ups import vocabulary as words
from neural_enquirer.encoding.text import words_of


def _content() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads(words._FILE.read_text("utf-8"))


def _phrases() -> Iterator[str]:
    for name, section in _content().items():
        for key, phrases in section.items():
            yield from [key] if name in ("about", "wanted") else phrases


def test_phrases_are_written_as_words_are_folded() -> None:
    plain = [phrase.replace("*", "x") for phrase in _phrases()]
    assert [phrase for phrase in plain if " ".join(words_of(phrase)) not in (phrase, "")] == []


def test_no_phrase_asks_for_both_ends_or_for_two_comparisons() -> None:
    for name in ("ends", "comparing", "ordinals"):
        said = Counter(phrase for own in _content()[name].values() for phrase in own)
        assert [phrase for phrase, count in said.items() if count > 1] == [], name


def test_a_superlative_with_a_field_has_an_end() -> None:
    known = words.vocabulary()
    ends = known.ends.values()
    assert [name for name in _content()["about"] if not any(end.are_in(name.split()) for end in ends)] == []


def test_spans_count_words() -> None:
    phrases = words.vocabulary().opening["on"]
    assert phrases.length_at_start(["and", "what", "about", "it"]) == 3
    assert phrases.length_at_start(["land"]) == 0
    assert words.vocabulary().asking["count"].spans(["and", "how", "many", "more"]) == [(1, 3)]
