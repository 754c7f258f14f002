"""Words that sound like conditions and that an answer does nothing with."""

import numpy as np
import pytest

from neural_enquirer.encoding.actions import Asked
from neural_enquirer.encoding.linking import link
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.judge.unheard import unheard
from neural_enquirer.tables import Table

WEATHER = Table.of({"time": ["06:00", "12:00"], "temp": [4, 14], "town": ["Bern", "Thun"]})


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("average temp in the morning", ["morning"]),
        ("average monthly temp", ["monthly"]),
        ("did anyone see a blue sofa", ["sofa"]),
        ("average temp in Bern", []),  # it names a value
        ("average temp of the readings", []),  # what rows are called
        ("how many readings", []),
        ("which town has the highest temp on average", []),
    ],
)
def test_what_narrows_down_and_is_not_heard(question: str, left: list[str]) -> None:
    asked = Asked(question, (WEATHER,), [link(question, TableIndex.of(WEATHER), Vocabulary((), frozenset()))])
    words = asked.links[0].words
    assert [words[place] for place in unheard(asked, np.zeros(len(words), np.float32))] == left
    assert not unheard(asked, np.ones(len(words), np.float32))
