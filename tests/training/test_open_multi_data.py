"""Training an open model over several tables, from one that knows single tables."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from neural_enquirer import checkpoint
from neural_enquirer.model.multi_table import MultiOutput
from neural_enquirer.model.open_enquirer import OpenConfig, OpenEnquirer
from neural_enquirer.model.open_multi_enquirer import OpenMultiConfig, OpenMultiEnquirer
from neural_enquirer.synthesis.open.join_sampler import JoinExample, draw_join_block
from neural_enquirer.synthesis.open.sampler import draw_block
from neural_enquirer.training.data import TrainingData
from neural_enquirer.training.experiment import Experiment, TaskConfig, TrainingConfig
from neural_enquirer.training.loop import Trainer
from neural_enquirer.training.open_data import OPEN_TYPES, encode_examples
from neural_enquirer.training.open_multi_data import (
    OPEN_MULTI_TYPES,
    encode_join_examples,
    open_multi_vocabulary,
    type_of,
    with_later_types,
)

SIZES = {
    "executors": 3, "embedding_size": 16, "link_size": 8, "field_size": 16, "cell_size": 16,
    "annotation_size": 16, "hidden_size": 32, "state_size": 16,
}  # fmt: skip
EXPERIMENT = Experiment(
    TaskConfig(name="open-multi"),
    OpenMultiConfig(**SIZES, attention_size=8),
    TrainingConfig(optimizer="adamw", learning_rate=0.01, batch_size=16, epochs=6, clip=1.0),
)


@pytest.fixture(scope="module")
def examples() -> list[JoinExample]:
    return draw_join_block("train", 3, 0)[:32]


@pytest.fixture(scope="module")
def data(examples: list[JoinExample]) -> TrainingData:
    vocabulary = open_multi_vocabulary(["zorgon"])
    single = encode_examples(draw_block("train", 3, 0)[:16], vocabulary)
    batch = encode_join_examples(examples, vocabulary)
    names = (*OPEN_MULTI_TYPES, *OPEN_TYPES)
    return TrainingData(vocabulary, batch, batch, names, (with_later_types(single, len(OPEN_MULTI_TYPES)),))


def test_the_vocabulary_has_the_words_that_lead_from_table_to_table() -> None:
    codes = open_multi_vocabulary(["zorgon"]).codes

    assert {"zorgon", "linked", "placed", "belonging", "tallest"} <= codes.keys()


def test_answers_of_a_batch_are_those_of_the_examples(
    examples: list[JoinExample], data: TrainingData
) -> None:
    batch = data.train
    assert batch.types.tolist() == [type_of(example) for example in examples]
    assert batch.answer_cells is not None
    assert batch.answer_cells.sum(dim=1).tolist() == [len(example.cells) for example in examples]


def test_it_learns_from_tables_together_and_alone_and_is_kept(data: TrainingData, tmp_path: Path) -> None:
    trainer = Trainer(EXPERIMENT, data, directory=tmp_path / "run")
    losses = [report.loss for report in trainer.run()]

    assert losses[-1] < losses[0]
    kept = checkpoint.load(tmp_path / "run").model
    assert isinstance(kept, OpenMultiEnquirer)
    with torch.no_grad():
        assert isinstance(kept(data.train.select(slice(0, 2))), MultiOutput)


def test_it_begins_as_the_model_of_one_table_that_it_is_given(data: TrainingData) -> None:
    torch.manual_seed(1)
    known = OpenEnquirer(OpenConfig(**SIZES), torch.randn(len(data.vocabulary) - 1, 16)).eval()
    start = checkpoint.Checkpoint(known, data.vocabulary, "natural")
    trainer = Trainer(EXPERIMENT, data, start=start)

    (single,) = data.further_train
    with torch.no_grad():
        ours, theirs = trainer.model.eval()(single).candidates(), known(single).candidates()
    torch.testing.assert_close(ours, theirs)


def test_other_ways_of_learning_are_told_to_be_wrong() -> None:
    with pytest.raises(ValueError, match="learned from answers' cells"):
        replace(EXPERIMENT, training=replace(EXPERIMENT.training, supervision="steps"))
    with pytest.raises(ValueError, match="attention_size"):
        OpenMultiConfig(attention_size=0)
