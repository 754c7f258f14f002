"""Whether words look like the texts of a field, so that they are worth looking up there."""

import pytest

from neural_enquirer.asking.stand_ins import Shapes

CUSTOMERS = Shapes.of([f"Customer {number}" for number in range(9)])
PEOPLE = Shapes.of(["Ann Lee", "José Díaz", "B52", None])


@pytest.mark.parametrize(
    ("shapes", "text", "fits"),
    [
        (CUSTOMERS, "Customer 4711", True),
        (CUSTOMERS, "CUSTOMER 4711", True),
        (CUSTOMERS, "order 77", False),
        (CUSTOMERS, "4711 place", False),
        (CUSTOMERS, "4711", False),
        (PEOPLE, "bob dylan", True),
        (PEOPLE, "Bob", False),
        (PEOPLE, "X1", True),
        (PEOPLE, "route 66", False),
        (Shapes.of([None]), "Bob", False),
    ],
)
def test_words_look_like_texts(shapes: Shapes, text: str, fits: bool) -> None:
    assert shapes.fit(text) == fits
