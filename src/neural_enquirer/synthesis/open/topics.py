"""Kinds of things that tables are about, with the attributes they have.

They are written in `data/vocabulary/topics`.
"""

import collections
import functools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from neural_enquirer.synthesis.open.families import family, has_family
from neural_enquirer.synthesis.open.grammar import plural_of
from neural_enquirer.synthesis.open.lexicon import Topic
from neural_enquirer.synthesis.open.makers import MAKERS
from neural_enquirer.synthesis.word_files import DATA, Entry, entries

_FOLDER: Final = DATA / "vocabulary" / "topics"
_FILES: Final = (
    "people",
    "places",
    "works",
    "sports",
    "business",
    "technology",
    "nature",
    "food",
    "culture",
)
"""In the order in which topics are drawn from."""
_FEWEST_FAMILIES: Final = 8
_FEWEST_OF_A_KIND: Final = 2


@functools.cache
def all_topics() -> tuple[Topic, ...]:
    """All topics."""
    return read_topics(_FOLDER / f"{name}.toml" for name in _FILES)


def read_topics(paths: Iterable[Path]) -> tuple[Topic, ...]:
    """The topics of several files.

    Raises:
        VocabularyError: if one is not as it should be.
    """
    return tuple(map(_topic, entries(paths)))


def _topic(entry: Entry) -> Topic:
    topic = Topic(**entry.values(Topic, name="noun", plural=plural_of(entry.name)))
    for fault in _faults(topic):
        raise entry.error(fault)
    return topic


def _faults(topic: Topic) -> Iterator[str]:
    for name in (topic.noun, topic.plural):
        if name != name.lower():
            yield f"'{name}' should be in lower case"
    if topic.plural == topic.noun:
        yield "the plural should be another word"
    if topic.maker not in MAKERS:
        yield f"no maker of names is called '{topic.maker}'"
    if not topic.key_headers:
        yield "there should be a header of the column with its names"
    yield from _family_faults(topic)


def _family_faults(topic: Topic) -> Iterator[str]:
    for key, count in collections.Counter(topic.families).items():
        if not has_family(key):
            yield f"no family is called '{key}'"
        elif family(key).held_out:
            yield f"the family '{key}' is held out of training"
        if count > 1:
            yield f"the family '{key}' is there twice"
    kinds = collections.Counter(family(key).kind for key in topic.families)
    if len(topic.families) < _FEWEST_FAMILIES:
        yield f"there should be {_FEWEST_FAMILIES} families or more, not {len(topic.families)}"
    if min(kinds["text"], kinds["number"] + kinds["date"]) < _FEWEST_OF_A_KIND:
        yield f"{_FEWEST_OF_A_KIND} families or more should be texts, and as many numbers or dates"
