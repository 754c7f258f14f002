import random

from neural_enquirer.encoding.actions import derive
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.learning.rewording import reworded, with_other_values
from neural_enquirer.learning.teaching import Ground
from neural_enquirer.programs import parse
from neural_enquirer.tables import Table

STAFF = Table.of(
    [
        {"name": "Ada", "team": "Sales", "hired": "2001-05-04"},
        {"name": "Bo", "team": "Tools", "hired": "2003-02-01"},
    ],
    "staff",
)
GROUND = Ground((STAFF,), Vocabulary(("who", "is", "in"), frozenset()))


def test_words_that_tell_something_stay():
    asked = GROUND.asked("How many people of the Sales team were hired after 2001-05-04?")
    texts = {reworded(asked, random.Random(seed)) for seed in range(40)}
    assert len(texts) > 20
    assert all("sales team" in text and "hired" in text and "2001-05-04" in text for text in texts)
    assert any("number of" in text for text in texts)
    assert all("people" in text and "after" in text for text in texts)
    assert any(" the " not in text for text in texts)
    assert any(text.index("hired") < text.index("sales") for text in texts)


def test_values_are_replaced_by_others_of_their_field():
    asked = GROUND.asked("who is in Sales")
    (derivation,) = derive(parse("cells(name, rows(team = Sales))"), asked)
    texts = {with_other_values(asked, derivation, random.Random(seed)) for seed in range(20)}
    assert texts == {"who is in Sales", "who is in Tools"}


def test_without_values_there_is_nothing_to_replace():
    asked = GROUND.asked("who")
    (derivation, *_) = derive(parse("cells(name)"), asked)
    assert with_other_values(asked, derivation, random.Random(0)) is None


def test_values_that_nobody_says_stay_as_they_are():
    wins = [{"name": name, "place": place} for name, place in zip("ABCDEF", ["in", "out"] * 3, strict=True)]
    ground = Ground((Table.of(wins, "wins"),), Vocabulary(("who",), frozenset(), unsaid=True))
    asked = ground.asked("who qualified")
    (derivation,) = derive(parse("cells(name, rows(place = in))"), asked)
    assert with_other_values(asked, derivation, random.Random(0)) is None
