"""The clock of Table 2."""

import sys
from pathlib import Path

import pytest

from benchmarks.table2_time import main


def test_runs_that_are_there_cannot_be_timed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stored = tmp_path / "results" / "runs" / "olympics-100k-n2n" / "0.json"
    stored.parent.mkdir(parents=True)
    stored.write_text("{}")
    folders = ["--results", str(tmp_path / "results"), "--runs", str(tmp_path / "runs")]
    monkeypatch.setattr(sys, "argv", ["table2_time", "--device", "cpu", *folders])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 2
    assert "name a folder without results" in capsys.readouterr().err
    assert not (tmp_path / "runs").exists()
