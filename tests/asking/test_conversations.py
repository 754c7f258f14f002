"""Two-turn conversations about the examples, written by people who did not write the rewriting."""

from pathlib import Path

from benchmarks.follow_ups import ROOT, conversations, hear
from neural_enquirer import Enquirer

DATA = Path(__file__).parents[1] / "data"


def test_most_second_questions_are_read_rightly() -> None:
    enquirer = Enquirer.from_pretrained()
    heard = [
        hear(enquirer, turns)
        for name in ("follow_ups.jsonl", "follow_ups_kept.jsonl")
        for turns in conversations(DATA / name, [ROOT / "examples"])
    ]
    assert len(heard) > 20
    assert sum(one.right for one in heard) / len(heard) >= 0.7
