"""The little English grammar that putting phrases together takes."""

from typing import Final

from neural_enquirer.synthesis.open.draw import Draw

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
