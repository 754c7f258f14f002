import math

import pytest
import torch
from torch import Tensor

from neural_enquirer.baselines.neural_programmer.operations import OPERATIONS, Facts, advance, look_up

# year, host_city (as no number), #_medals; the question says "2000" and has a further row of padding.
YEARS, MEDALS = [1992.0, 2000.0, 1996.0, 2004.0], [30.0, 10.0, 20.0, 20.0]
YEAR, CITY, MEDAL = range(3)
NAN = math.nan


def facts() -> Facts:
    values = torch.tensor([[[*YEARS, NAN], [NAN] * 5, [*MEDALS, NAN]]])
    matches = torch.zeros(1, 3, 5, dtype=torch.bool)
    matches[0, YEAR, 1] = True
    there = torch.tensor([[True, True, True, True, False]])
    pivots = torch.tensor([[NAN, 2000.0, NAN]])
    return Facts.of(there, values, matches, pivots, torch.tensor([[[0.0, 1.0, 0.0]] * 2]))


def chosen(place: int, count: int) -> Tensor:
    return torch.nn.functional.one_hot(torch.tensor([place]), count).float()


def run(program: list[tuple[str, int]]) -> list[float]:
    known = facts()
    before = selected = known.there
    for name, field in program:
        operation = chosen(OPERATIONS.index(name), len(OPERATIONS))
        before, selected = selected, advance(known, selected, before, operation, chosen(field, 3))
    return selected[0].round(decimals=4).tolist()


@pytest.mark.parametrize(
    ("program", "rows"),
    [
        ([("equal", YEAR), ("reset", CITY)], [1, 1, 1, 1, 0]),
        ([("equal", YEAR)], [0, 1, 0, 0, 0]),
        ([("equal", MEDAL)], [0, 0, 0, 0, 0]),
        ([("greater", YEAR)], [0, 0, 0, 1, 0]),
        ([("lesser", YEAR)], [1, 0, 1, 0, 0]),
        ([("lesser", CITY)], [0, 0, 0, 0, 0]),
        ([("argmax", MEDAL)], [1, 0, 0, 0, 0]),
        ([("argmin", MEDAL)], [0, 1, 0, 0, 0]),
        ([("argmax", CITY)], [0, 0, 0, 0, 0]),
        ([("lesser", YEAR), ("argmin", MEDAL)], [0, 0, 1, 0, 0]),
        ([("lesser", YEAR), ("argmax", YEAR)], [0, 0, 1, 0, 0]),
        ([("lesser", YEAR), ("equal", YEAR), ("or", CITY)], [1, 1, 1, 0, 0]),
        ([("lesser", YEAR), ("equal", YEAR), ("and", CITY)], [0, 0, 0, 0, 0]),
        ([("equal", YEAR), ("greater_than_selected", MEDAL)], [1, 0, 1, 1, 0]),
        ([("equal", YEAR), ("lesser_than_selected", YEAR)], [1, 0, 1, 0, 0]),
        ([("equal", YEAR), ("greater_than_selected", MEDAL), ("argmax", YEAR)], [0, 0, 0, 1, 0]),
    ],
)
def test_programs_select_the_rows_that_their_words_say(
    program: list[tuple[str, int]], rows: list[int]
) -> None:
    assert run(program) == rows


def test_a_question_without_a_number_compares_with_nothing() -> None:
    values = torch.tensor([[[1.0, 2.0]]])
    pivots = torch.tensor([[NAN, NAN]])
    known = Facts.of(
        torch.ones(1, 2, dtype=torch.bool),
        values,
        torch.zeros(1, 1, 2, dtype=torch.bool),
        pivots,
        torch.full((1, 2, 2), 0.5),
    )
    assert not known.over.any()
    assert not known.under.any()


def test_looks_up_the_selected_row_in_the_selected_field() -> None:
    scores = torch.tensor([[0.1, 0.7, 0.2]]).log()
    probabilities = look_up(facts(), torch.tensor([[0.0, 0.0, 1.0, 0.0, 0.0]]), scores).exp()[0]
    assert probabilities.sum().item() == pytest.approx(1)
    assert probabilities[2].tolist() == pytest.approx([0.1, 0.7, 0.2], abs=1e-3)
    assert not probabilities[4].any()


def test_an_empty_selection_leaves_all_rows_open() -> None:
    probabilities = look_up(facts(), torch.zeros(1, 5), torch.tensor([[0.5, 0.5, 0.0]]).log()).exp()[0]
    assert probabilities[:4, 0].tolist() == pytest.approx([0.125] * 4)


def test_a_mixture_of_operations_selects_the_mean_of_what_they_select() -> None:
    known = facts()
    operation = 0.5 * chosen(OPERATIONS.index("equal"), 10) + 0.5 * chosen(OPERATIONS.index("lesser"), 10)
    rows = advance(known, known.there, known.there, operation, chosen(YEAR, 3))
    assert rows[0].tolist() == [0.5, 0.5, 0.5, 0, 0]


def test_soft_selections_have_finite_gradients() -> None:
    known = facts()
    selected = torch.tensor([[0.0, 1.0, 0.5, 0.2, 0.0]], requires_grad=True)
    operation = torch.full((1, 10), 0.1, requires_grad=True)
    rows = advance(known, selected, known.there, operation, torch.full((1, 3), 1 / 3))
    look_up(known, rows, torch.full((1, 3), math.log(1 / 3)))[0, :4].sum().backward()
    for each in (selected, operation):
        assert each.grad is not None
        assert each.grad.isfinite().all()
        assert each.grad.any()
