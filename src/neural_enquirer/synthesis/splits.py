"""Which logical forms are for training, which for validation, which for testing.

The split is a fixed function of a logical form, values included, and of nothing else: whoever draws test
examples with another seed, years later, draws questions that no model trained on this task has seen.
"""

import hashlib
from typing import Final

SPLITS: Final = ("train", "validation", "test")
VALIDATION_SHARE: Final = 0.08
TEST_SHARE: Final = 0.12

# Frozen. SUPERLATIVE has only 144 logical forms, so an arbitrary salt may give it hardly any test forms. This
# one was taken for its proportions alone, before any model was trained: see `tests/synthesis/test_splits.py`.
_SALT: Final = b"olympics-877"


class TaskError(ValueError):
    """A data set that cannot be generated; the message is one line for people."""


def proposals(split: str, wanted: int) -> int:
    """How many programs to propose so that about as many as are wanted may be asked and are of the split."""
    share = {"train": 1 - TEST_SHARE - VALIDATION_SHARE, "validation": VALIDATION_SHARE, "test": TEST_SHARE}
    return min(max(int(2.5 * wanted / share[split]), 200), 10_000)


def split_of(logical_form: str) -> str:
    """The split that a logical form belongs to, from its SQL-like text."""
    digest = hashlib.blake2b(logical_form.encode(), digest_size=8, key=_SALT).digest()
    share = int.from_bytes(digest, "big") / 2**64
    if share < TEST_SHARE:
        return "test"
    return "validation" if share < TEST_SHARE + VALIDATION_SHARE else "train"
