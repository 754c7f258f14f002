"""How people speak of the Olympic games and the countries that host them, written in `data/olympics`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from neural_enquirer.synthesis.schema import FieldPhrases
from neural_enquirer.synthesis.word_files import DATA, entries, read_lists, slots_in

_FOLDER: Final = DATA / "olympics"
_SLOTS: Final = {
    "questions": "it",
    "nouns": "it",
    "equal": "value",
    "names": "value",
    "less": "value",
    "more": "value",
    "less_than": "it",
    "more_than": "it",
    "largest": "thing",
    "smallest": "thing",
}
"""What each kind of phrase has filled in, once."""


def read_phrases(path: Path) -> dict[str, FieldPhrases]:
    """The phrases of a file, by field.

    Raises:
        VocabularyError: if they are not as they should be.
    """
    phrases = {}
    for entry in entries([path]):
        phrases[entry.name] = FieldPhrases(**entry.values(FieldPhrases))
        for fault in _faults(phrases[entry.name]):
            raise entry.error(fault)
    return phrases


def _faults(phrases: FieldPhrases) -> Iterator[str]:
    for kind, slot in _SLOTS.items():
        for phrase in getattr(phrases, kind):
            if slots_in(phrase) != [slot]:
                yield f"'{phrase}' in '{kind}' should have {{{slot}}} once"


GAME: Final = read_phrases(_FOLDER / "game.toml")
"""Phrases whose `{it}` and `{thing}` are a game, by field."""
COUNTRY: Final = read_phrases(_FOLDER / "country.toml")
"""Phrases whose `{it}` and `{thing}` are a country, by field."""

HOSTS: Final = read_lists(_FOLDER / "hosts.toml")
"""What leads from games to the countries that hosted them, and back."""
