import re
from collections.abc import Callable
from pathlib import Path

import pytest

from neural_enquirer.synthesis.data_card import updated
from neural_enquirer.synthesis.examples import ExampleSet

LARGER = re.compile(r"^\| `olympics-(?!25k)[\w-]+` \| train \|.*\n", re.M)
CARD = Path(__file__).parents[2] / "docs" / "training.md"


def test_the_card_says_what_the_data_say(data_set: Callable[[str, str], ExampleSet]) -> None:
    """But for the sizes of the larger training sets, which are not made to their ends here."""
    card = CARD.read_text(encoding="utf-8")
    own, now = (LARGER.sub("", text) for text in (card, updated(card, data_set)))

    assert len(LARGER.findall(card)) == 4
    assert now == own


def test_a_card_without_marks_is_refused(data_set: Callable[[str, str], ExampleSet]) -> None:
    with pytest.raises(ValueError, match="no lines"):
        updated("# A card", data_set)
