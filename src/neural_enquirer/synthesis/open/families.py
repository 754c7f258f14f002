"""All attribute families: what things in tables can have, and the words people use for it."""

from neural_enquirer.synthesis.open.lexicon import Family, Topic

__all__ = ["FAMILIES", "Family", "Topic", "family"]

FAMILIES: tuple[Family, ...] = ()

_BY_KEY = {each.key: each for each in FAMILIES}


def family(key: str) -> Family:
    """The family with this key."""
    return _BY_KEY[key]
