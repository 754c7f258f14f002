"""Questions that count what the rows are, by whatever name."""

import math

import numpy as np
import pytest

from asked_games import actions, ask
from neural_enquirer.judge.candidates import gather
from neural_enquirer.judge.counted import counts_all
from neural_enquirer.programs.text import to_text
from neural_enquirer.runtime.beam_search import Way


def narrower(
    question: str, speaks: float, likeliest: str = "count where is UNSAID kind all"
) -> set[str] | None:
    """What is ruled out of several answers, where each word speaks so much of everything."""
    asked = ask(question)
    written = ["count all", "count where is UNSAID kind all", "sum days all", "count_distinct city all"]
    texts = sorted(written, key=lambda text: text != likeliest)
    derivations = [actions(asked, text.replace("UNSAID", f"m{asked.spoken_count}")) for text in texts]
    found = gather([Way(own, -math.log(n + 2)) for n, own in enumerate(derivations)], asked).answers
    says = np.full((len(asked.links[0].words), 60), speaks, np.float32)
    told = counts_all(asked, found, found[0], says)
    return None if told is None else {to_text(one.program) for one, no in zip(found, told, strict=True) if no}


def test_all_rows_are_counted_where_the_only_word_says_nothing_else() -> None:
    ruled_out = {"count(rows(kind = summer))", "sum(days)", "count_distinct(city)"}
    assert narrower("how many events are there", 0.1) == ruled_out
    assert narrower("number of events in the table", 0.1) == ruled_out
    assert narrower("how many events are there", 0.4) == ruled_out - {"count_distinct(city)"}
    assert narrower("how many events are there", 0.6) == set()


@pytest.mark.parametrize(
    "question",
    [
        "how many events were in Paris",
        "how many cities are there",
        "how many events did somebody host",
        "how many 2012 events are there",
        "events",
    ],
)
def test_other_words_may_narrow_down_or_say_what_is_counted(question: str) -> None:
    assert narrower(question, 0.1) is None


def test_what_tells_things_apart_may_be_counted() -> None:
    assert narrower("how many events are there", 0.1, likeliest="count_distinct city all") is None
