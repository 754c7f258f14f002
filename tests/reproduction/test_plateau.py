from pathlib import Path

import pytest

from neural_enquirer import checkpoint
from neural_enquirer.checkpoint import write_text
from neural_enquirer.reproduction import plateau
from neural_enquirer.reproduction.stored import Results


@pytest.fixture(scope="module")
def found() -> dict[str, object]:
    return plateau.measure({"grounded": checkpoint.load("olympics-grounded")}, questions=80)


def test_guessing_gets_more_than_half_but_not_all(found: dict[str, float]) -> None:
    assert found["questions"] == 20
    assert 0.2 < found["no filter"] < found["best guess"] < 0.85


def test_a_model_that_finds_the_named_row_follows_it(found: dict[str, dict[str, dict[str, float]]]) -> None:
    grounded = found["models"]["grounded"]
    assert min(grounded.values()) > 0.85


def test_it_is_told_in_percent(tmp_path: Path) -> None:
    assert plateau.told(Results(tmp_path)) is None
    write_text(
        tmp_path / plateau.FILE,
        '{"questions": 20, "pairs": 10, "no filter": 0.5, "best guess": 0.69, '
        '"models": {"N2N": {"right": 0.6, "right in both": 0.04, "moved": 0.2}}}',
    )
    assert "| N2N | 60.0 | 4.0 | 20.0 |" in str(plateau.told(Results(tmp_path)))
