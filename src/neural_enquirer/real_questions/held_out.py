"""Which tables nothing is learned from, so that what they are asked can be measured: a tenth, for good."""

import hashlib

_ONE_IN = 10


def is_held_out(table: str) -> bool:
    """Whether nothing is learned from a training table of real questions, by a hash of its name."""
    return int(hashlib.sha256(table.encode("utf-8")).hexdigest()[:8], 16) % _ONE_IN == 0
