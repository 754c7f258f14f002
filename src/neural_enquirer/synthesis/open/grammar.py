"""The little English grammar that putting phrases together takes, and the last touch on a question."""

import re
import unicodedata
from typing import Final

from neural_enquirer.synthesis.open.draw import Draw
from neural_enquirer.synthesis.open.shapes import KINDS, SHAPES

_LONGEST_IE: Final = 4
_MANY: Final = {"is": "are", "has": "have", "was": "were", "does": "do", "says": "say"}
_OPPOSITES: Final = {
    "above": "below", "after": "before", "best": "worst", "better": "worse", "bigger": "smaller",
    "biggest": "smallest", "east": "west", "faster": "slower", "fastest": "slowest", "heavier": "lighter",
    "higher": "lower", "highest": "lowest", "larger": "smaller", "largest": "smallest", "last": "first",
    "later": "earlier", "longer": "shorter", "longest": "shortest", "lower": "higher", "lowest": "highest",
    "newer": "older", "north": "south", "older": "younger", "over": "under", "richer": "poorer",
    "slower": "faster", "slowest": "fastest", "stronger": "weaker", "strongest": "weakest",
    "taller": "shorter", "tallest": "shortest", "thicker": "thinner", "worse": "better", "worst": "best",
    "younger": "older",
}  # fmt: skip
_PLURALS: Final = frozenset({"children", "people"})


def plural_of(name: str) -> str:
    """The plural of a field's name."""
    if name.endswith("s"):
        return name
    if name.endswith("y") and name[-2:-1] not in "aeiou":
        return name[:-1] + "ies"
    return name + ("es" if name.endswith(("x", "ch", "sh")) else "s")


def is_plural(name: str) -> bool:
    """Whether a field's name is a plural."""
    return name.endswith("s") and not name.endswith(("ss", "us", "is", "ics"))


def does(draw: Draw, modifier: str) -> str:
    """What follows a noun as what the thing does: "with a dome" as "has a dome", "in Rome" as "is in ..."."""
    first, _, rest = modifier.partition(" ")
    if first in ("that", "who", "which"):
        return rest
    if first in ("with", "having"):
        return f"has {rest}"
    if first in ("whose", "where", "for"):
        return f"is the one {modifier}"
    return f"{'is' if draw.chance(0.75) else 'was'} {modifier}"


def of_many(modifiers: str) -> str:
    """Modifiers of one thing as those of several: "that costs ..." becomes "that cost ..."."""
    words = modifiers.split(" ")
    for place, word in enumerate(words[:-1]):
        verb = words[place + 1]
        if word in ("that", "which", "who") and verb.endswith("s") and verb.islower():
            words[place + 1] = _MANY.get(verb) or without_s(verb)
    return " ".join(words)


def without_s(verb: str) -> str:
    """A verb as several things do it: "costs" becomes "cost"."""
    if verb.endswith("ies") and len(verb) > _LONGEST_IE:  # "carries", but not "lies"
        return verb[:-3] + "y"
    return verb[:-2] if verb.endswith(("xes", "ches", "shes", "sses", "oes")) else verb[:-1]


def with_article(text: str) -> str:
    """The text with "an" where "a" stands before a vowel."""
    for vowel in "aeio":
        if f" a {vowel}" in text:
            text = text.replace(f" a {vowel}", f" an {vowel}")
    return text


def fill(shape: str, **slots: str) -> str:
    """A shape with the texts for its slots."""
    for slot, text in slots.items():
        shape = shape.replace("{" + slot + "}", text)
    return shape


def ordinal(number: int) -> str:
    """A place as it is written: "3rd"."""
    last = 3 if number % 100 in (11, 12, 13) else (number - 1) % 10
    return f"{number}{SHAPES['day_endings'][last if 0 <= last < 3 else 3]}"


def opposite(phrase: str) -> str | None:
    """A phrase the other way round: "with more goals than" becomes "with fewer goals than".

    The last of its words that has an opposite counts: "last seen after" becomes "last seen before". None
    where there is no such word.
    """
    words = phrase.split(" ")
    for place in range(len(words) - 1, -1, -1):
        turned = _opposite_word(words[place], words[place + 1 :])
        if turned is not None:
            return " ".join((*words[:place], turned, *words[place + 1 :]))
    return None


def _opposite_word(word: str, rest: list[str]) -> str | None:
    if word not in ("more", "most"):
        return _OPPOSITES.get(word)
    following = rest[: rest.index("than")] if "than" in rest else rest
    if any(is_plural(each) or each in _PLURALS for each in following):
        return "fewer" if word == "more" else "fewest"
    return "less" if word == "more" else "least"


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
