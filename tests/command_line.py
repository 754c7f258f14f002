"""Running `enquirer` in tests."""

import sys
from collections.abc import Callable

import pytest

from neural_enquirer.cli import app as cli

Outcome = tuple[int, str, str]
"""Exit status, standard output, standard error."""
Run = Callable[..., Outcome]

ENQUIRER = [sys.executable, "-m", "neural_enquirer.cli"]


def runner(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command in this process."""

    def run(*arguments: object) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["enquirer", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            cli.main()
        printed = capsys.readouterr()
        return int(end.value.code or 0), printed.out, printed.err

    return run


def assert_one_line(outcome: Outcome, message: str) -> None:
    status, _, err = outcome
    assert status == 2
    assert message in err
    assert err.startswith("enquirer: ")
    assert err.count("\n") == 1
