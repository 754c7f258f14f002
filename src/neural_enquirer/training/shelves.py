"""Shelves: examples of like size lie together, so that little of a batch is padding."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from neural_enquirer.encoding.open import OpenQuestion, Sizes, batch_of
from neural_enquirer.encoding.open_batch import OpenBatch

SMALL = Sizes(tokens=24, rows=14, fields=10, headers=4, mentions=4, quantities=2)
MIDDLE = Sizes(tokens=40, rows=24, fields=13, headers=7, mentions=8, quantities=4)
LARGE = Sizes(tokens=40, rows=48, fields=25, headers=12, mentions=8, quantities=6)
# The order of rows counts as a field (see `table_index`).

Arrays = dict[str, npt.NDArray[Any]]


def shelf_of(question: OpenQuestion, shelves: Sequence[Sizes]) -> int | None:
    """Returns the first shelf that holds a question; None if it is too large for all."""
    return next((place for place, sizes in enumerate(shelves) if sizes.hold(question)), None)


def join_shelves(parts: Sequence[Sequence[Arrays]]) -> list[OpenBatch]:
    """Puts blocks of examples together, shelf by shelf."""
    return [
        batch_of({name: np.concatenate([block[name] for block in shelf]) for name in shelf[0]})
        for shelf in zip(*parts, strict=True)
    ]
