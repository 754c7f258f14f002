"""All attribute families: what things in tables can have, and the words people use for it."""

from neural_enquirer.synthesis.open.business import BUSINESS
from neural_enquirer.synthesis.open.categories import CATEGORIES
from neural_enquirer.synthesis.open.lexicon import Family, Topic
from neural_enquirer.synthesis.open.measures import MEASURES
from neural_enquirer.synthesis.open.milestones import MILESTONES
from neural_enquirer.synthesis.open.money import MONEY
from neural_enquirer.synthesis.open.nature import NATURE
from neural_enquirer.synthesis.open.people import PEOPLE
from neural_enquirer.synthesis.open.places import PLACES
from neural_enquirer.synthesis.open.sports import SPORTS
from neural_enquirer.synthesis.open.technology import TECHNOLOGY
from neural_enquirer.synthesis.open.times import TIMES
from neural_enquirer.synthesis.open.works import WORKS

__all__ = ["FAMILIES", "Family", "Topic", "family"]

FAMILIES: tuple[Family, ...] = (
    *MEASURES,
    *MONEY,
    *TIMES,
    *MILESTONES,
    *PEOPLE,
    *PLACES,
    *WORKS,
    *SPORTS,
    *NATURE,
    *TECHNOLOGY,
    *BUSINESS,
    *CATEGORIES,
)

_BY_KEY = {each.key: each for each in FAMILIES}


def family(key: str) -> Family:
    """The family with this key."""
    return _BY_KEY[key]
