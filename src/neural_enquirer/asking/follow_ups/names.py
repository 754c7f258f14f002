"""The fields that words of a question name."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from neural_enquirer.asking.follow_ups.vocabulary import Span
from neural_enquirer.encoding.actions.asked import Place
from neural_enquirer.encoding.linking import STRONG, Links
from neural_enquirer.tables import FieldType, Table

__all__ = ["Names"]


@dataclass(frozen=True, eq=False)
class Names:
    """Which fields of tables words name, by links from the question to each of the tables."""

    tables: Sequence[Table]
    links: Sequence[Links]

    def at(self, place: int, level: int = STRONG) -> tuple[Place, ...]:
        """The fields that a word names, those first of whose names the question has most."""
        found = [
            (-float(links.coverage[column]), Place(number, column))
            for number, links in enumerate(self.links)
            for column in np.flatnonzero(links.levels[place] >= level).tolist()
            if column < len(self.tables[number].fields)
        ]
        return tuple(each for _, each in sorted(found, key=lambda pair: pair[0]))

    def are_in(self, span: Span) -> bool:
        """Whether all of some words name fields."""
        return all(self.at(place) for place in range(*span))

    def have_order(self, name: Place) -> bool:
        """Whether a field has numbers or dates, or texts with amounts."""
        table = self.tables[name.table]
        return table.fields[name.column].type is not FieldType.TEXT or table.amounts(name.column) is not None
