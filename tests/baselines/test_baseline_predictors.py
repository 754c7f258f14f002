import pytest

from neural_enquirer.baselines.predictors import _first_needed


@pytest.mark.parametrize(
    ("operations", "first"),
    [
        (["argmax"], 0),
        (["lesser", "argmin", "equal"], 2),
        (["argmax", "reset", "argmin"], 2),
        (["equal", "lesser_than_selected", "argmax"], 0),
        (["greater", "lesser", "and"], 0),
        (["argmax", "greater", "lesser", "and"], 1),
        (["equal", "or", "argmax"], 2),
        (["equal", "lesser", "or"], 0),
    ],
)
def test_a_program_is_told_from_the_first_step_that_matters(operations: list[str], first: int) -> None:
    assert _first_needed(operations) == first
