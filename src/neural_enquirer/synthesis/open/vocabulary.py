"""The words that questions are made of, the values aside: what a model may learn by heart."""

import functools
import itertools
import re
from collections.abc import Iterable, Iterator
from typing import Final

from neural_enquirer.synthesis.open.columns import plain_name, stem
from neural_enquirer.synthesis.open.grammar import of_many, plural_of
from neural_enquirer.synthesis.open.lexicon import Family, Topic, all_families, all_topics
from neural_enquirer.synthesis.open.makers import pool, split_of_text
from neural_enquirer.synthesis.open.shapes import JOINS, SHAPES, VALUES

_SLOT: Final = re.compile(r"\{.*?\}")
_WORD: Final = re.compile(r"[^\W\d_]+|[<>=]")
_POSSESSIVE: Final = re.compile(r"['’]s\b")


@functools.cache
def phrase_words() -> frozenset[str]:
    """Every lower-case word that a sentence's shape, a family or a topic brings into a training question.

    Values do not count, nor do the made-up and the rare words that stand for fields of no family.
    """
    plurals = map(plural_of, (*SHAPES["loose_nouns"], *SHAPES["things"]))
    texts = (*itertools.chain(*SHAPES.values()), *plurals, *_family_texts(), *_topic_texts())
    return frozenset(word for text in texts for word in words_of(text))


@functools.cache
def join_words() -> frozenset[str]:
    """Every lower-case word that leads from one table to another."""
    return frozenset(word for text in itertools.chain(*JOINS.values()) for word in words_of(text))


def words_of(text: str) -> Iterator[str]:
    """The lower-case words of a text but those of its slots; one with a possessive also without."""
    plain = _SLOT.sub(" ", text).lower()
    yield from _WORD.findall(plain)
    yield from _WORD.findall(_POSSESSIVE.sub("", plain))


def _family_texts() -> Iterable[str]:
    for family in all_families():
        if not family.held_out:
            yield from family_texts(family)


def family_texts(family: Family) -> Iterator[str]:
    """All phrases, nouns, units and headers of a family."""
    for group in (
        family.nouns,
        family.units,
        family.most,
        family.least,
        family.most_after,
        family.least_after,
    ):
        yield from group
    for group in (family.more, family.less, family.equal, family.asks, family.openers):
        yield from group
        yield from map(of_many, group)
    for header in family.headers:
        yield plain_name(header)
        yield header.replace("_", " ")
    if family.kind == "text":
        yield from (plural_of(plain_name(name)) for name in (*family.nouns, *family.headers))


def _topic_texts() -> Iterable[str]:
    for topic in all_topics():
        yield from topic_texts(topic)


def topic_texts(topic: Topic) -> Iterator[str]:
    """The nouns and headers of a topic."""
    yield from (topic.noun, topic.plural)
    for header in topic.key_headers:
        yield plain_name(header)
        yield plural_of(plain_name(header))
        yield header.replace("_", " ")


@functools.cache
def field_words(split: str) -> tuple[str, ...]:
    """Words for headers, of which no two splits share one: English nouns and made-up words."""
    held_out = (text for family in all_families() if family.held_out for text in family_texts(family))
    known = {stem(word) for word in (*phrase_words(), *" ".join(held_out).lower().split())}
    nouns = [
        word for word in VALUES["field_nouns"] if split_of_text(word) == split and stem(word) not in known
    ]
    made_up = [word for word in pool("word", split) if stem(word) not in known]
    # Training meets thousands of made-up words: few seen often would be learned by heart.
    repeats = max(1, len(made_up) // (3 * len(nouns)))
    return (*nouns * repeats, *made_up)
