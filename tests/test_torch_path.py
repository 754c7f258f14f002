"""The torch path of the benchmarks answers as the model in numpy does: their times can be compared."""

import random

import pytest

from benchmarks import torch_batches, torch_path
from benchmarks.drawn_tables import make_question, make_table
from neural_enquirer import Enquirer
from neural_enquirer.asking.answer import Answer
from neural_enquirer.checkpoint_files import locate
from neural_enquirer.judge.storage import load_judge
from neural_enquirer.prediction.closer_look import ROWS_SEEN
from neural_enquirer.tables import Table
from watched_models import lands


def told(answer: Answer) -> tuple[object, ...]:
    chances = [round(candidate.probability, 3) for candidate in answer.ranked]
    return answer.text, [candidate.program for candidate in answer.ranked], chances


def test_torch_answers_alike_alone_and_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """On short and long tables, and on two together; in batches that are not full, too."""
    monkeypatch.setattr(torch_batches, "TOGETHER", 7)
    draw = random.Random(0)
    tables = [make_table(draw, 10 if number else ROWS_SEEN + 1) for number in range(16)]
    asked: list[tuple[Table | list[Table], str]] = [(own, make_question(draw, own)) for own in tables]
    asked.insert(3, ([lands(4), tables[1]], "which continent has the most people"))
    judge = load_judge(locate("open"))
    by_torch = Enquirer(torch_batches.TorchPredictor(torch_path.load("open"), "open", judge))
    expected = [told(answer) for answer in Enquirer.from_pretrained("open").ask_many(asked)]
    assert [told(answer) for answer in by_torch.ask_many(asked)] == expected
    assert [told(by_torch.ask(*pair)) for pair in asked] == expected
