"""All attribute families: what things in tables can have, and the words people use for it."""

from neural_enquirer.synthesis.open.lexicon import Family, Topic
from neural_enquirer.synthesis.open.measures import MEASURES
from neural_enquirer.synthesis.open.money import MONEY
from neural_enquirer.synthesis.open.people import PEOPLE
from neural_enquirer.synthesis.open.times import TIMES

__all__ = ["FAMILIES", "Family", "Topic", "family"]

FAMILIES: tuple[Family, ...] = (*MEASURES, *MONEY, *TIMES, *PEOPLE)

_BY_KEY = {each.key: each for each in FAMILIES}


def family(key: str) -> Family:
    """The family with this key."""
    return _BY_KEY[key]
