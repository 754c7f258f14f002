"""The last touch on a question: politeness, case, question marks, slips of the finger."""

import re
import unicodedata
from typing import Final

from neural_enquirer.synthesis.open.draw import Draw
from neural_enquirer.synthesis.open.shapes import KINDS, SHAPES

_SPACES: Final = re.compile(r" {2,}")
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_SHORTEST: Final = 6


def finished(draw: Draw, text: str, plain: bool = False) -> str:
    """A question as it might be typed; a `plain` one, of key words only, gets no courtesies."""
    text = _SPACES.sub(" ", text.replace(" ,", ",").replace(" 's", "'s")).strip()
    first = text.split(" ", 1)[0]
    asking = first in (KINDS["question_openings"] | KINDS["marked_openings"])
    if not plain:
        text = _polite(draw, text, first in KINDS["question_openings"])
    if draw.chance(0.035):
        text = misspelled(draw, text)
    if not text.isascii() and draw.chance(0.4):
        text = without_accents(text)
    if draw.chance(0.1 if plain or not asking else 0.65):
        text += "?" if plain or asking or draw.chance(0.5) else "."
    return _cased(draw, text)


def _polite(draw: Draw, text: str, asking: bool) -> str:
    kind = draw.random()
    if asking and kind < 0.1:
        return draw.of(SHAPES["before_questions"]).replace("{x}", text)
    if kind > 0.95:
        return draw.of(SHAPES["after_questions"]).replace("{x}", text)
    return text


def misspelled(draw: Draw, text: str) -> str:
    """The text with one letter of a longer word lost, doubled, swapped or changed."""
    words = text.split(" ")
    long = [place for place, word in enumerate(words) if len(word) >= _SHORTEST and word.isalpha()]
    if not long:
        return text
    place = draw.of(long)
    word, at = words[place], draw.between(1, len(words[place]) - 2)
    edits = (
        word[:at] + word[at + 1 :],
        word[:at] + word[at] + word[at:],
        word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        word[:at] + draw.of(_LETTERS) + word[at + 1 :],
    )
    words[place] = draw.of(edits)
    return " ".join(words)


def without_accents(text: str) -> str:
    """The text as someone types it who has no accents on the keyboard."""
    return "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))


def _cased(draw: Draw, text: str) -> str:
    kind = draw.random()
    if kind < 0.42:
        return text.lower()
    if kind < 0.88:
        return text[:1].upper() + text[1:]
    return text.upper() if kind > 0.99 else text
