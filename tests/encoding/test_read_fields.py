"""Fields of text that can be read as amounts are ranked and compared by them."""

import numpy as np
import pytest

from neural_enquirer.encoding.actions import Asked, build, derive
from neural_enquirer.encoding.linking import LESS, MORE, link
from neural_enquirer.encoding.table_index import LEAST, MOST, RANKED, TableIndex
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.programs import parse, run, sentence, to_text
from neural_enquirer.tables import Table


def test_a_field_with_an_order_is_ranked_compared_and_still_mentioned() -> None:
    rows = [{"place": place} for place in ("10th", "2nd", "DNF", "3rd", "1st")]
    index = TableIndex.of(Table.of(rows))
    assert index.ranks[:, 0].tolist() == pytest.approx([1, 1 / 3, 0, 2 / 3, 0])
    assert index.flags[:, 0].tolist() == [RANKED | MOST, RANKED, 0, RANKED, RANKED | LEAST]
    links = link("who came after 5 but was DNF", index, Vocabulary((), frozenset()))
    assert links.relations[0, :, 0].tolist() == [MORE, LESS, 0, LESS, LESS]
    assert links.cell_mentions[:, 0].tolist() == [0, 0, 1, 0, 0]
    assert index.select(np.array([1, 3])).ranks[:, 0].tolist() == [0, 1]


def test_units_and_dates_are_ranked_by_what_they_mean() -> None:
    rows = [
        {"distance": "5km", "day": "12 Mar 19"},
        {"distance": "800m", "day": "3 Jan 21"},
        {"distance": "10km", "day": "7 Jul 20"},
    ]
    index = TableIndex.of(Table.of(rows))
    assert index.ranks[:, 0].tolist() == [0.5, 0, 1]
    assert index.ranks[:, 1].tolist() == [0, 1, 0.5]
    assert index.is_date.tolist() == [False, True, False]


RUNS = Table.of(
    {
        "runner": ["Ada", "Bo", "Cy", "Dee"],
        "distance": ["5km", "800m", "10km", "7 km"],
        "leg": ["5 km", "8 km", "1 km", "3 km"],
        "day": ["12 Mar 19", "3 Jan 21", "7 Jul 20", "9 Jul 20"],
    }
)


@pytest.mark.parametrize(
    ("question", "program", "values"),
    [
        ("who ran the longest distance", "cells(runner, largest(amount_in(distance)))", ("Cy",)),
        ("who ran last by day", "cells(runner, largest(amount_in(day)))", ("Bo",)),
        ("who ran over 6 km", "cells(runner, rows(amount_in(distance) > 6000))", ("Cy", "Dee")),
        ("who had a leg over 4,000 m", "cells(runner, rows(leg > 4))", ("Ada", "Bo")),
        (
            "who ran between 4 and 8 km",
            "cells(runner, rows(amount_in(distance) between 4000 and 8000))",
            ("Ada", "Dee"),
        ),
        ("who ran after 2019", "cells(runner, rows(year_of(amount_in(day)) > 2019))", ("Bo", "Cy", "Dee")),
        ("whose leg was under 4km", "cells(runner, rows(leg < 4))", ("Cy", "Dee")),
        ("who ran under 900m", "cells(runner, rows(amount_in(distance) < 900))", ("Bo",)),
        ("who ran in 2020", "cells(runner, rows(year_of(amount_in(day)) = 2020))", ("Cy", "Dee")),
    ],
)
def test_a_decoder_can_write_programs_over_what_texts_amount_to(
    question: str, program: str, values: tuple[str, ...]
) -> None:
    links = link(question, TableIndex.of(RUNS), Vocabulary((), frozenset()))
    asked = Asked(question, [RUNS], [links])
    built = [build(derivation, asked) for derivation in derive(parse(program), asked)]
    assert program in map(to_text, built)
    assert {run(each, [RUNS]).values for each in built} == {values}


def test_the_sentence_says_an_amount_as_the_question_does() -> None:
    question = "who ran more than 6 km altogether"
    asked = Asked(question, [RUNS], [link(question, TableIndex.of(RUNS), Vocabulary((), frozenset()))])
    built = build(derive(parse("count(rows(amount_in(distance) > 6000))"), asked)[0], asked)
    said = sentence(built, run(built, [RUNS]), [RUNS])
    assert said == "Counted the 2 rows where distance is more than 6 km."
