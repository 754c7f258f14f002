"""Random choices, fast enough to make millions of questions and the same on every machine."""

import hashlib
import random
from collections.abc import Callable, Sequence
from typing import ParamSpec, TypeVar

T = TypeVar("T")
P = ParamSpec("P")


class NoQuestionError(Exception):
    """This draw has no question; another one may."""


def require(fits: bool) -> None:
    """Gives this draw up unless something holds."""
    if not fits:
        raise NoQuestionError


def known(value: T | None) -> T:
    """The value; without one, this draw is given up."""
    if value is None:
        raise NoQuestionError
    return value


def attempted(make: Callable[P, T], *args: P.args, **options: P.kwargs) -> T | None:
    """What is made; None where that draw has been given up."""
    try:
        return make(*args, **options)
    except NoQuestionError:
        return None


class Draw:
    """A random generator of its own for everything that shares a name.

    Only `random.Random.random` is used: of its methods, it alone is promised to stay the same for ever.
    """

    def __init__(self, *name: object) -> None:
        digest = hashlib.blake2b("/".join(map(str, name)).encode(), digest_size=16).digest()
        self.random = random.Random(int.from_bytes(digest, "big")).random

    def chance(self, share: float) -> bool:
        """True in this share of cases."""
        return self.random() < share

    def below(self, count: int) -> int:
        """A whole number from 0 to below `count`."""
        return int(self.random() * count)

    def between(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""
        return low + int(self.random() * (high - low + 1))

    def of(self, choices: Sequence[T]) -> T:
        """One of the choices."""
        return choices[int(self.random() * len(choices))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in a random order."""
        mixed = list(items)
        rand = self.random
        for last in range(len(mixed) - 1, 0, -1):
            other = int(rand() * (last + 1))
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return mixed

    def some(self, items: Sequence[T], count: int) -> list[T]:
        """As many different items, in random order; all of them where there are fewer."""
        if count * 4 > len(items):
            return self.shuffled(items)[:count]
        places: dict[int, None] = {}
        while len(places) < count:
            places[int(self.random() * len(items))] = None
        return [items[place] for place in places]
