"""Words that lead from one table to another, as data. {n} is what the other table's rows are called."""

from typing import Final

FIELD_OF: Final = ("{n} {f}", "{n}'s {f}", "{f} of the {n}", "{f} of its {n}", "{n}'s {f}")
"""A field of the other table."""
TO_ONE: Final = (
    "of the {n}", "of the {n}", "by the {n}", "for the {n}", "from the {n}", "of a {n}", "by a {n}",
    "whose {n} is the one", "belonging to the {n}", "made by the {n}", "linked to the {n}", "of {n}s",
    "with a {n}", "with the {n}", "that belongs to the {n}", "where the {n} is the one",
    "placed by the {n}", "ordered by the {n}", "bought by a {n}", "sold to the {n}", "owned by the {n}",
    "written by the {n}", "assigned to the {n}", "managed by the {n}", "taught by the {n}", "paid by the {n}",
    "produced by a {n}", "sent to the {n}", "handled by the {n}", "hosted by a {n}", "sold by the {n}",
)  # fmt: skip
"""From a fact to its thing, before what is said of the thing: an order "by the customer" in Rome."""
TO_MANY: Final = (
    "with the {n}", "with a {n}", "that has the {n}", "having the {n}", "that has a {n}", "of the {n}",
    "of a {n}", "linked to the {n}", "behind the {n}", "who has the {n}", "with {n}s", "who placed the {n}",
    "who made the {n}", "that ordered the {n}", "who bought a {n}", "that owns the {n}", "who wrote the {n}",
    "that hosted the {n}", "who manages the {n}", "that sold the {n}", "responsible for the {n}",
)  # fmt: skip
"""From a thing to a fact of it: a customer "with the order" of 300."""
HAS: Final = ("has the {n}", "has the {n}", "is the one with the {n}", "has a {n}")
"""The same as what the thing does."""
NUMBERED: Final = ("{n} {v}", "{n} {v}", "{n} #{v}", "{n} number {v}", "{n} no. {v}", "the {n} {v}", "{v}")
"""A fact that has a number instead of a name."""
THROUGH: Final = ("the {n} of {d}", "the {n} of {d}", "the {n} for {d}", "the {n} behind {d}", "{d}'s {n}")
"""From what is described to the other table's row, whose field is asked for: the customer "of order 17"."""
