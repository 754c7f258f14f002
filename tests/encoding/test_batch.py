import torch

from neural_enquirer.encoding.batch import Batch, TableCodes


def batch(*, padded: bool) -> Batch:
    return Batch(
        words=torch.tensor([[0, 5], [6, 7]]),
        tables=(
            TableCodes(
                fields=torch.tensor([[2, 3, 0], [3, 2, 4]]),
                cells=torch.tensor([[[5, 6, 0], [0, 0, 0]], [[5, 6, 7], [8, 9, 5]]]),
                mentions=torch.zeros(2, 2, 3, dtype=torch.bool),
                padded=padded,
            ),
        ),
        answers=torch.tensor([0, 4]),
        answer_cells=None,
        steps=torch.tensor([[0, 1], [-1, 2]]),
        types=torch.tensor([0, 3]),
    )


def test_masks_say_what_is_there() -> None:
    fields, rows = batch(padded=True).table.field_mask, batch(padded=True).table.row_mask
    assert fields is not None
    assert rows is not None
    assert fields.tolist() == [[True, True, False], [True, True, True]]
    assert rows.tolist() == [[True, False], [True, True]]


def test_without_padding_there_is_no_mask() -> None:
    assert batch(padded=False).table.field_mask is None
    assert batch(padded=False).table.row_mask is None


def test_select_takes_the_same_examples_of_every_tensor() -> None:
    chosen = batch(padded=True).select(torch.tensor([1, 1, 0]))
    assert len(chosen) == 3
    assert chosen.words.tolist() == [[6, 7], [6, 7], [0, 5]]
    assert chosen.answers.tolist() == [4, 4, 0]
    assert chosen.steps.tolist() == [[-1, 2], [-1, 2], [0, 1]]
    assert chosen.answer_cells is None
    assert chosen.table.cells[:, 0, 0].tolist() == [5, 5, 5]
    assert chosen.table.padded


def test_to_moves_every_tensor() -> None:
    moved = batch(padded=False).to("meta")
    held = [*vars(moved).values(), *vars(moved.table).values()]
    assert {tensor.device.type for tensor in held if isinstance(tensor, torch.Tensor)} == {"meta"}
