import math

import pytest
import torch

from neural_enquirer.model.reader import Reader

HALF = math.atanh(0.5)


@pytest.fixture
def reader() -> Reader:
    """One hidden unit and a score of ln 3 times it: fields at +0.5 and -0.5 weigh 3 to 1."""
    reader = Reader(1, 1, 1, 1, first=False)
    with torch.no_grad():
        reader.score.weight.fill_(math.log(3))
    return reader


# Two rows, cells of size one: field, row, cell.
CELLS = torch.tensor([[[[4.0], [8.0]], [[0.0], [-8.0]]]])


def test_reads_the_weighted_sum_of_fields(reader: Reader) -> None:
    agenda = torch.tensor([[[HALF], [-HALF]]])
    read, scores = reader(CELLS, agenda, torch.zeros(1, 1), None)
    assert scores.softmax(dim=1).tolist() == [pytest.approx([0.75, 0.25])]
    assert read.flatten().tolist() == pytest.approx([0.75 * 4, 0.75 * 8 - 0.25 * 8])


def test_the_table_annotation_moves_all_fields(reader: Reader) -> None:
    agenda = torch.tensor([[[HALF + 2], [-HALF + 2]]])
    _, scores = reader(CELLS, agenda, torch.tensor([[-2.0]]), None)
    assert scores.tolist() == [pytest.approx([math.log(3) / 2, -math.log(3) / 2])]


def test_the_first_reader_has_no_table_annotation() -> None:
    reader = Reader(1, 1, 1, 1, first=True)
    assert sorted(reader.hidden.weight) == ["field", "query"]
    reader(CELLS, torch.zeros(1, 2, 1), None, None)


def test_a_field_that_is_not_there_has_no_weight(reader: Reader) -> None:
    agenda = torch.tensor([[[HALF], [-HALF]]])
    read, scores = reader(CELLS, agenda, None, torch.tensor([[False, True]]))
    assert scores.softmax(dim=1).tolist() == [[0.0, 1.0]]
    assert read.flatten().tolist() == [0.0, -8.0]


def test_all_rows_share_the_weights() -> None:
    torch.manual_seed(0)
    reader = Reader(3, 2, 2, 4, first=False)
    cells, agenda = torch.randn(2, 3, 5, 2), torch.randn(2, 3, 4)
    read, scores = reader(cells, agenda, torch.randn(2, 4), None)
    weights = scores.softmax(dim=1)
    torch.testing.assert_close(weights.sum(dim=1), torch.ones(2))
    torch.testing.assert_close(read, torch.einsum("bn,bnmc->bmc", weights, cells))
