import math
from dataclasses import replace

import pytest
import torch

from decoding import table_of, texts
from neural_enquirer.encoding.batch import Batch
from neural_enquirer.encoding.closed import encode, mentioned, vocabulary_of
from neural_enquirer.programs.paper import the_cell
from neural_enquirer.programs.paper_parsing import parse_paper
from neural_enquirer.synthesis.tasks import generate
from neural_enquirer.training.data import TrainingData
from neural_enquirer.training.experiment import Experiment
from neural_enquirer.training.loop import Trainer
from neural_enquirer.training.widening import Widening

EXAMPLES = generate("olympics-large-kb", "train", examples=90)
VOCABULARY = vocabulary_of(EXAMPLES)
BATCH = encode(EXAMPLES, VOCABULARY, "sql", by_value=True)


def columns(batch: Batch, index: int) -> dict[int, list[int]]:
    table = batch.table
    return dict(zip(table.fields[index].tolist(), table.cells[index].T.tolist(), strict=True))


@pytest.fixture(scope="module")
def widened() -> Batch:
    torch.manual_seed(0)
    return Widening.of(len(VOCABULARY), BATCH)(BATCH)


def test_every_table_has_all_fields_once(widened: Batch) -> None:
    assert BATCH.table.fields.shape[1] == 5
    names = sorted(VOCABULARY.codes[name.lower()] for name in EXAMPLES.field_names)
    assert all(sorted(fields) == names for fields in widened.table.fields.tolist())
    assert len({tuple(fields) for fields in widened.table.fields.tolist()}) > 80  # in any order


def test_the_answer_is_that_of_the_question_in_the_widened_table(widened: Batch) -> None:
    for index in range(len(widened)):
        program = parse_paper(" ".join(texts(VOCABULARY, widened.words[index].tolist())))
        cell = the_cell(program, [table_of(VOCABULARY, widened, index)])
        assert cell.row * 10 + cell.column == widened.answers[index]


def test_own_columns_stay_and_others_come_from_training_tables(widened: Batch) -> None:
    known = {
        (field, tuple(column))
        for index in range(len(BATCH))
        for field, column in columns(BATCH, index).items()
    }
    for index in range(len(widened)):
        found = columns(widened, index)
        own = columns(BATCH, index)
        assert own.items() <= found.items()
        assert {(field, tuple(column)) for field, column in found.items()} <= known


def test_steps_and_mentions_follow(widened: Batch) -> None:
    assert torch.equal(widened.steps < 0, BATCH.steps < 0)
    before = BATCH.table.fields.gather(1, BATCH.steps.clamp(min=0))
    after = widened.table.fields.gather(1, widened.steps.clamp(min=0))
    assert torch.equal(before[BATCH.steps >= 0], after[BATCH.steps >= 0])
    expected = mentioned(widened.table.cells.numpy(), widened.words.numpy(), len(VOCABULARY))
    assert torch.equal(widened.table.mentions, torch.from_numpy(expected))


def test_a_value_in_a_further_column_is_no_answer(widened: Batch) -> None:
    assert widened.answer_cells is not None
    assert BATCH.answer_cells is not None
    assert torch.equal(widened.answer_cells.sum(dim=1), BATCH.answer_cells.sum(dim=1))
    assert bool(widened.answer_cells.gather(1, widened.answers[:, None]).all())


def test_a_table_with_all_fields_is_only_shuffled() -> None:
    examples = generate("olympics-25k", "train", examples=20)
    batch = encode(examples, vocabulary := vocabulary_of(examples))
    wide = Widening.of(len(vocabulary), batch)(batch)
    assert wide.answer_cells is None
    for index in range(len(batch)):
        before = columns(batch, index)
        after = columns(wide, index)
        assert before == after


def test_unknown_words_mention_nothing() -> None:
    unknown = replace(
        BATCH,
        words=torch.ones_like(BATCH.words),
        tables=(replace(BATCH.table, cells=torch.ones_like(BATCH.table.cells)),),
    )
    assert not Widening.of(len(VOCABULARY), unknown)(unknown).table.mentions.any()


def test_a_run_learns_from_widened_tables() -> None:
    """Validation keeps its narrow tables: one model reads both."""
    sizes = {"embedding_size": 4, "cell_size": 4, "annotation_size": 4, "hidden_size": 6, "state_size": 5}
    changes = {"renaming": True, "widening": True}
    settings = {"batch_size": 30, "epochs": 8, "optimizer": "adamw", "learning_rate": 0.01, **changes}
    chosen = Experiment.from_dict({"model": sizes, "training": settings})
    trainer = Trainer(chosen, TrainingData.of(chosen, EXAMPLES, EXAMPLES))
    assert trainer.step.shelves[0].select(slice(1)).table.fields.shape[1] == 5
    reports = list(trainer.run())
    assert reports[0].loss == pytest.approx(math.log(100), rel=0.1)  # all of a hundred cells alike
    assert reports[-1].loss < reports[0].loss
