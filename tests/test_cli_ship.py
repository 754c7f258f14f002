"""`enquirer ship`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from command_line import Run, assert_one_line
from neural_enquirer import checkpoint_files, shipping
from shipping_runs import closed_run


def test_ships_into_the_package_under_a_name(
    enquirer: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint_files, "shipped_folder", lambda: tmp_path / "pretrained")
    run = closed_run(tmp_path / "olympics-0", tmp_path / "results")
    status, out, err = enquirer("ship", run, "small", "--results", tmp_path / "results")
    assert (status, err) == (0, "")
    assert out.startswith(str(tmp_path / "pretrained" / "small"))
    assert [model["name"] for model in checkpoint_files.describe_shipped()] == ["small"]
    assert (
        enquirer("ship", run, "small", "--results", tmp_path / "results", "--out", tmp_path / "own")[0] == 0
    )
    assert (tmp_path / "own" / "config.json").is_file()


def test_hands_over_what_is_typed(enquirer: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    handed: list[shipping.Shipment] = []

    def ship(shipment: shipping.Shipment, told: Callable[[str, int, int], None]) -> dict[str, Any]:
        handed.append(shipment)
        for step in (("one thing", 1, 2), ("one thing", 2, 2), ("another", 5, 5)):
            told(*step)
        shipment.target.mkdir()
        return {}

    monkeypatch.setattr(shipping, "ship", ship)
    typed = ["--data", "a", "--data", "b", "--seed", 7, "--resume", "--out", tmp_path / "own"]
    assert enquirer("ship", "run", "open", *typed)[0] == 0
    (found,) = handed
    assert (found.run, found.data, found.seed) == (Path("run"), (Path("a"), Path("b")), 7)
    assert found.resume


def test_bad_input(enquirer: Run, tmp_path: Path) -> None:
    assert_one_line(enquirer("ship", tmp_path, "small"), "holds no trained model")
    assert_one_line(enquirer("ship", tmp_path, "../small"), "no name for a model")
