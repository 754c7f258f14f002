import signal
import subprocess
import sys
from pathlib import Path

import pytest

from neural_enquirer.whole_folder import FolderError, whole_folder

HOLD = """
import sys
from neural_enquirer.whole_folder import whole_folder
with whole_folder(sys.argv[1]) as folder:
    (folder / "half").write_text("written")
    print("ready", flush=True)
    sys.stdin.read()
"""


def holding_process(target: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", HOLD, str(target)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    return process


def end(process: subprocess.Popen[bytes], number: int) -> None:
    process.send_signal(number)
    process.communicate()


def test_appears_whole(tmp_path: Path) -> None:
    target = tmp_path / "new" / "data"
    with whole_folder(target) as folder:
        (folder / "a").write_text("x")
        assert not target.exists()
    assert [path.name for path in tmp_path.rglob("*")] == ["new", "data", "a"]


def interrupted(target: Path) -> None:
    with whole_folder(target) as folder:
        (folder / "a").write_text("x")
        raise KeyboardInterrupt


def overtaken(target: Path) -> None:
    with whole_folder(target) as folder:
        (folder / "a").write_text("ours")
        target.mkdir()
        (target / "a").write_text("theirs")


def test_error_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        interrupted(tmp_path / "data")
    assert list(tmp_path.iterdir()) == []


def test_kill_leaves_no_target_and_the_next_run_clears_up(tmp_path: Path) -> None:
    target = tmp_path / "data"
    end(holding_process(target), signal.SIGKILL)
    assert not target.exists()
    with whole_folder(target) as folder:
        (folder / "a").write_text("x")
    assert [path.name for path in tmp_path.rglob("*")] == ["data", "a"]


def test_two_writers_are_kept_apart(tmp_path: Path) -> None:
    process = holding_process(tmp_path / "data")
    with pytest.raises(FolderError, match="another process is writing"), whole_folder(tmp_path / "data"):
        pass
    process.communicate()
    assert (tmp_path / "data" / "half").read_text() == "written"


def test_empty_folder_gives_way(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    with whole_folder(tmp_path / "data") as folder:
        (folder / "a").write_text("x")
    assert (tmp_path / "data" / "a").exists()


def test_taken_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "a").write_text("kept")
    (tmp_path / "file").write_text("kept")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    for name, message in [("full", "not empty"), ("file", "is a file"), ("here", "current folder")]:
        with pytest.raises(FolderError, match=message), whole_folder(tmp_path / name):
            pytest.fail("the block must not run")
    assert (tmp_path / "full" / "a").read_text() == "kept"
    assert not list(tmp_path.glob(".*"))


def test_target_taken_meanwhile_is_kept(tmp_path: Path) -> None:
    with pytest.raises(FolderError, match="not empty"):
        overtaken(tmp_path / "data")
    assert (tmp_path / "data" / "a").read_text() == "theirs"
    assert not list(tmp_path.glob(".*"))
