import math
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from neural_enquirer import checkpoint
from neural_enquirer.baselines.neural_programmer.operations import OPERATIONS
from neural_enquirer.baselines.neural_programmer.programmer import NeuralProgrammer, ProgrammerConfig
from neural_enquirer.encoding.batch import Batch, TableCodes
from neural_enquirer.synthesis.examples import PROGRAM_TYPES
from neural_enquirer.synthesis.tasks import generate
from neural_enquirer.training.accuracy import accuracy
from neural_enquirer.training.data import TrainingData
from neural_enquirer.training.experiment import Experiment
from neural_enquirer.training.loop import Trainer

TRAIN = generate("olympics-25k", "train", examples=20)

# Codes: 0 is padding, 1 unknown; 2 to 4 are the fields; 5 to 8 words, of which 5 and 6 name cities; 10 to 19
# are numbers, each that of its code.
YEAR, CITY, MEDALS, ATHENS, SYDNEY = 2, 3, 4, 5, 6
VALUES = torch.tensor([math.nan] * 10 + [float(code) for code in range(10, 20)])


def small_model(seed: int = 0, **settings: object) -> NeuralProgrammer:
    """A small model in double precision; nothing is at zero, which would hide mistakes."""
    sizes = {"embedding_size": 4, "state_size": 3, "history_size": 5}
    config = ProgrammerConfig(**(sizes | settings))  # type: ignore[arg-type]
    torch.manual_seed(seed)
    model = NeuralProgrammer(config, torch.randn(19, 4), VALUES).double().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
    return model


def batch(words: list[int], *, padding: int = 0) -> Batch:
    """A question on a table of three rows, with as much padding around both."""
    cells = torch.tensor([[[12, ATHENS, 15], [14, SYDNEY, 10], [16, 7, 18]]])
    fields = torch.tensor([[YEAR, CITY, MEDALS]])
    pad = torch.nn.functional.pad
    cells, fields = pad(cells, (0, padding, 0, padding)), pad(fields, (0, padding))
    return Batch(
        words=pad(torch.tensor([words]), (padding, 0)),
        tables=(
            TableCodes(
                fields=fields,
                cells=cells,
                mentions=torch.isin(cells, torch.tensor(words)) & (cells != 0),
                padded=padding > 0,
            ),
        ),
        answers=torch.zeros(1, dtype=torch.int64),
        answer_cells=None,
        steps=torch.full((1, 1), -1),
        types=torch.zeros(1, dtype=torch.int64),
    )


def hand_set(*program: tuple[str, int]) -> NeuralProgrammer:
    """A model that writes one program, whatever the question; the last step's operation is the lookup."""
    size = len(OPERATIONS) + 3
    config = ProgrammerConfig(
        embedding_size=size, state_size=2, history_size=2, steps=len(program), hard=True
    )
    model = NeuralProgrammer(config, torch.zeros(19, size), VALUES).eval()
    with torch.no_grad():
        model.operation_vectors.copy_(10 * torch.eye(size)[: len(OPERATIONS)])
        model.embedding[YEAR - 1 : MEDALS] = 10 * torch.eye(size)[len(OPERATIONS) :]
        for step, (operation, field) in enumerate(program):
            model.field_selectors[step].bias[len(OPERATIONS) + field - YEAR] = 3
            if operation != "lookup":
                model.operation_selectors[step].bias[OPERATIONS.index(operation)] = 3
    return model


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize(
    ("program", "words", "cell"),
    [
        ([("equal", CITY), ("lookup", YEAR)], [8, SYDNEY], (1, 0)),
        ([("argmax", MEDALS), ("lookup", CITY)], [8], (2, 1)),
        ([("reset", CITY), ("argmin", MEDALS), ("lookup", YEAR)], [8], (1, 0)),
        ([("greater", YEAR), ("argmin", MEDALS), ("lookup", CITY)], [8, 13], (1, 1)),
        ([("lesser", YEAR), ("argmin", YEAR), ("lookup", CITY)], [8, 15, 8], (0, 1)),
        (
            [("equal", CITY), ("greater_than_selected", MEDALS), ("argmin", MEDALS), ("lookup", YEAR)],
            [8, SYDNEY],
            (0, 0),
        ),
        (
            [("equal", CITY), ("lesser_than_selected", YEAR), ("argmax", YEAR), ("lookup", MEDALS)],
            [SYDNEY, 8],
            (0, 2),
        ),
    ],
)
def test_a_program_set_by_hand_answers_with_its_cell(
    program: list[tuple[str, int]], words: list[int], cell: tuple[int, int], training: bool
) -> None:
    model = hand_set(*program).train(training)
    probabilities = model(batch(words)).table.answer_scores.exp()[0]
    assert probabilities[cell].item() > 0.99
    assert probabilities.sum().item() == pytest.approx(1)


def test_padding_never_leaks() -> None:
    model = small_model()
    plain, padded = (model(batch([8, 13, SYDNEY], padding=more)).table for more in (0, 2))
    torch.testing.assert_close(padded.answer_scores[:, :3, :3], plain.answer_scores)
    assert padded.answer_scores[:, 3:].isneginf().all()
    assert padded.answer_scores[:, :, 3:].isneginf().all()


def test_any_number_reads_alike_but_compares_as_itself() -> None:
    model = small_model()
    one, other = model(batch([8, 11])), model(batch([8, 13]))
    torch.testing.assert_close(one.operations[:, 0], other.operations[:, 0])
    assert not torch.allclose(one.rows, other.rows)


def test_the_word_to_its_left_says_which_number_is_compared_with() -> None:
    model = hand_set(("greater", YEAR), ("lookup", CITY))
    with torch.no_grad():
        model.embedding[8 - 1, 0] = 1.0
        model.pivot_vectors[0, 0] = 30.0
    rows = model(batch([7, 11, 8, 15, 7])).rows[0, 0]
    torch.testing.assert_close(rows, torch.tensor([0.0, 0.0, 1.0]))


def test_permuting_rows_permutes_answers() -> None:
    model, asked = small_model(), batch([8, 13, SYDNEY])
    order = torch.tensor([2, 0, 1])
    table = asked.table
    moved = replace(table, cells=table.cells[:, order], mentions=table.mentions[:, order])
    turned = model(replace(asked, tables=(moved,))).table
    torch.testing.assert_close(turned.answer_scores, model(asked).table.answer_scores[:, order])


def test_selections_are_distributions_soft_in_training_and_hard_after_it() -> None:
    model, asked = small_model(hard=True), batch([8, 13])
    hard, soft = model(asked), model.train()(asked)
    assert set(hard.operations.flatten().tolist()) == {0.0, 1.0}
    assert 0 < soft.operations.min() < soft.operations.max() < 1
    for output in (hard, soft):
        torch.testing.assert_close(output.operations.sum(dim=2), torch.ones(1, 3).double())


def test_a_hard_program_takes_a_field_that_its_operation_can_work_with() -> None:
    model = hand_set(("equal", MEDALS), ("lookup", YEAR))
    with torch.no_grad():
        model.field_selectors[0].bias[len(OPERATIONS) + CITY - YEAR] = 1
    output = model(batch([8, SYDNEY]))
    assert output.program[0, 0].tolist() == [OPERATIONS.index("equal"), CITY - YEAR]
    assert output.rows[0, 0].tolist() == [0, 1, 0]


def test_without_nested_operations_there_are_the_originals() -> None:
    assert small_model(nested=False)(batch([8])).operations.shape[2] == len(OPERATIONS) - 2


def test_learns_a_few_examples_by_heart_and_survives_a_checkpoint(tmp_path: Path) -> None:
    chosen = Experiment.from_dict(
        {
            "system": "neural-programmer",
            "model": {"embedding_size": 16, "state_size": 16, "history_size": 16},
            "training": {
                "optimizer": "adamw",
                "learning_rate": 0.02,
                "clip": 1.0,
                "batch_size": 20,
                "epochs": 150,
            },
        }
    )
    data = TrainingData.of(chosen, TRAIN, TRAIN)
    run = Trainer(chosen, data)
    assert any(report.overall == 1.0 for report in run.run())
    run.checkpoint({"overall": 1.0}).save(tmp_path)
    found = accuracy(checkpoint.load(tmp_path).model, [data.train], PROGRAM_TYPES)
    assert found == accuracy(run.model, [data.train], PROGRAM_TYPES)


def test_a_program_has_two_steps_at_least() -> None:
    with pytest.raises(ValueError, match=r"model.steps must be at least 2"):
        ProgrammerConfig(steps=1)
