"""Training an open model on questions about one table and about two."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from neural_enquirer import checkpoint
from neural_enquirer.encoding.open_batch import OpenBatch
from neural_enquirer.encoding.padding import Sizes, TableSizes, collate
from neural_enquirer.model.open_enquirer import OpenConfig, OpenEnquirer
from neural_enquirer.synthesis.examples import Example
from neural_enquirer.synthesis.open import sampler
from neural_enquirer.synthesis.open.join_sampler import TWO_TABLES
from neural_enquirer.synthesis.open.sampler import ONE_TABLE
from neural_enquirer.training import open_task
from neural_enquirer.training.cell_data import OPEN_TYPES, draw_encoded, encode_examples, type_of
from neural_enquirer.training.data import TrainingData
from neural_enquirer.training.experiment import Experiment, TaskConfig, TrainingConfig
from neural_enquirer.training.loop import Trainer
from neural_enquirer.training.open_words import open_vocabulary
from neural_enquirer.training.starting import draw_data

EXPERIMENT = Experiment(
    TaskConfig(name="open"),
    OpenConfig(
        executors=3, embedding_size=16, link_size=8, field_size=16, cell_size=16, annotation_size=16,
        hidden_size=32, state_size=16, attention_size=8,
    ),
    TrainingConfig(optimizer="adamw", learning_rate=0.01, batch_size=16, epochs=6, clip=1.0),
)  # fmt: skip


@pytest.fixture(scope="module")
def examples() -> list[Example]:
    return TWO_TABLES.block("train", 3, 0)[:32]


@pytest.fixture(scope="module")
def data(examples: list[Example]) -> TrainingData:
    vocabulary = open_vocabulary()
    single = encode_examples(ONE_TABLE.block("train", 3, 0)[:16], vocabulary)
    batch = encode_examples(examples, vocabulary)
    return TrainingData(vocabulary, batch, batch, OPEN_TYPES, (single,))


def test_the_vocabulary_has_the_words_that_lead_from_table_to_table() -> None:
    assert {"linked", "placed", "belonging", "tallest"} <= open_vocabulary().codes.keys()


def test_answers_of_a_batch_are_those_of_the_examples(examples: list[Example], data: TrainingData) -> None:
    batch = data.train
    assert batch.types.tolist() == [type_of(example) for example in examples]
    assert batch.answer_cells is not None
    assert batch.answer_cells.sum(dim=1).tolist() == [len(example.cells) for example in examples]
    assert {OPEN_TYPES[kind] for kind in batch.types.tolist()} >= {
        "join select_where (two tables)",
        "join select_where, natural (two tables)",
    }


def test_the_task_has_a_question_on_two_tables_to_four_on_one(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[tuple[str, int, int]] = []

    def empty(split: str, seed: int, count: int, vocabulary: object) -> list[OpenBatch]:
        drawn.append((split, seed, count))
        return [collate([])]

    monkeypatch.setattr(open_task, "draw_encoded", empty)
    monkeypatch.setattr(open_task, "draw_encoded_pairs", empty)
    task = TaskConfig(name="open", seed=7, examples=1000, held_out=400)
    data = draw_data(replace(EXPERIMENT, task=task), known=["zorgon"])

    assert drawn == [("train", 7, 1000), ("train", 7, 250), ("validation", 7, 400), ("validation", 7, 100)]
    assert (len(data.further_train), len(data.further_validation)) == (1, 1)
    assert "zorgon" in data.vocabulary.codes


@pytest.mark.usefixtures("small_blocks")
def test_as_many_questions_are_drawn_as_are_wanted() -> None:
    vocabulary, sizes = open_vocabulary(), (Sizes(60, 20, 20, (TableSizes(60, 40, 20),)),)
    few, more = (draw_encoded("train", 3, count, vocabulary, sizes) for count in (5, sampler.BLOCK))
    assert (sum(map(len, few)), sum(map(len, more))) == (5, sampler.BLOCK)
    assert torch.equal(few[0].words, more[0].words[:5])


def test_it_learns_from_tables_together_and_alone_and_is_kept(data: TrainingData, tmp_path: Path) -> None:
    trainer = Trainer(EXPERIMENT, data, directory=tmp_path / "run")
    losses = [report.loss for report in trainer.run()]

    assert losses[-1] < losses[0]
    kept = checkpoint.load(tmp_path / "run").model
    assert isinstance(kept, OpenEnquirer)
    with torch.no_grad():
        assert len(kept(data.train.select(slice(0, 2))).tables) == 2
        assert len(kept(data.further_train[0].select(slice(0, 2))).tables) == 1


def test_other_ways_of_learning_are_told_to_be_wrong() -> None:
    with pytest.raises(ValueError, match="learned from answers' cells"):
        replace(EXPERIMENT, training=replace(EXPERIMENT.training, supervision="steps"))
