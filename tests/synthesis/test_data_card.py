from collections.abc import Callable
from pathlib import Path

import pytest

from neural_enquirer.synthesis.data_card import updated
from neural_enquirer.synthesis.examples import ExampleSet

CARD = Path(__file__).parents[2] / "docs" / "data-card.md"


def test_the_card_says_what_the_data_say(data_set: Callable[[str, str], ExampleSet]) -> None:
    card = CARD.read_text(encoding="utf-8")

    assert updated(card, data_set) == card


def test_a_card_without_marks_is_refused(data_set: Callable[[str, str], ExampleSet]) -> None:
    with pytest.raises(ValueError, match="no lines"):
        updated("# A card", data_set)
