import errno
import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from command_line import ENQUIRER, Run, assert_one_line
from neural_enquirer.cli import app as cli
from neural_enquirer.synthesis import storage, tasks


class TestMain:
    def test_version(self, enquirer: Run) -> None:
        assert enquirer("--version") == (0, "enquirer 0.1.0\n", "")

    def test_no_command_prints_help(self, enquirer: Run) -> None:
        status, out, _ = enquirer()
        assert status == 0
        assert "generate" in out

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["nonsense"], "nonsense"),
            (["generate"], "TASK"),
            (["generate", "olympics-25k"], "--out"),
            (["generate", "olympics-25k", "--out", "x", "--seed", "many"], "--seed"),
            (["generate", "--nonsense"], "--nonsense"),
        ],
    )
    def test_wrong_usage(self, enquirer: Run, arguments: list[str], message: str) -> None:
        assert_one_line(enquirer(*arguments), message)

    def test_faults_of_the_program_keep_their_traceback(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        def fault(*_: object, **__: object) -> None:
            raise ValueError("a fault")

        monkeypatch.setattr(tasks, "generate", fault)
        monkeypatch.setattr(
            sys, "argv", ["enquirer", "generate", "olympics-25k", "--out", str(tmp_path / "d")]
        )
        with pytest.raises(ValueError, match="a fault"):
            cli.main()

    def test_import_is_light(self) -> None:
        code = "import sys, neural_enquirer.cli; print(*sys.modules)"
        loaded = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout
        assert not {"torch", "duckdb", "pyarrow", "numpy", "pandas"} & set(loaded.split())


class TestGenerate:
    def test_writes_a_data_set(self, enquirer: Run, tmp_path: Path) -> None:
        status, out, err = enquirer(
            "generate", "olympics-25k", "--out", tmp_path / "d", "--examples", 300, "--verify"
        )
        assert (status, err) == (0, "")
        assert (
            out == f"{tmp_path / 'd'}: 300 train, 60 validation, 240 test examples, every answer verified\n"
        )
        files = sorted(path.name for path in tmp_path.rglob("*"))
        assert files == ["d", "dataset.json", "test.parquet", "train.parquet", "validation.parquet"]
        assert json.loads((tmp_path / "d" / "dataset.json").read_text())["task"] == "olympics-25k"
        stored = storage.read_dataset(tmp_path / "d", "train")
        assert stored.questions == tasks.generate("olympics-25k", "train", examples=300).questions

    def test_same_seed_same_bytes(self, enquirer: Run, tmp_path: Path) -> None:
        for name, seed in [("a", 5), ("b", 5), ("c", 6)]:
            arguments = ["--out", tmp_path / name, "--seed", seed, "--examples", 50]
            assert enquirer("generate", "olympics-25k", *arguments)[0] == 0
        for file in (tmp_path / "a").iterdir():
            assert file.read_bytes() == (tmp_path / "b" / file.name).read_bytes()
            assert file.read_bytes() != (tmp_path / "c" / file.name).read_bytes()

    def test_few_examples_leave_enough_to_check(self, enquirer: Run, tmp_path: Path) -> None:
        _, out, _ = enquirer("generate", "olympics-100k", "--out", tmp_path / "d", "--examples", 1)
        assert out == f"{tmp_path / 'd'}: 1 train, 20 validation, 20 test examples\n"

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["olympiad"], "unknown task 'olympiad'; the tasks are olympics-25k, olympics-100k"),
            (["olympics-25k", "--examples", "-5"], "not -5"),
            (["olympics-25k", "--examples", "0"], "not 0"),
            (["olympics-25k", "--seed", "-1"], "not -1"),
        ],
    )
    def test_bad_input(self, enquirer: Run, tmp_path: Path, arguments: list[str], message: str) -> None:
        assert_one_line(enquirer("generate", *arguments, "--out", tmp_path / "d"), message)
        assert list(tmp_path.iterdir()) == []

    def test_folder_that_is_not_empty(self, enquirer: Run, tmp_path: Path) -> None:
        (tmp_path / "kept").write_text("kept")
        assert_one_line(enquirer("generate", "olympics-25k", "--out", tmp_path), "exists and is not empty")
        assert [path.name for path in tmp_path.iterdir()] == ["kept"]

    def test_folder_that_cannot_be_made(self, enquirer: Run, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("kept")
        assert_one_line(enquirer("generate", "olympics-25k", "--out", tmp_path / "file" / "d"), "is a file")

    def test_full_disk(self, enquirer: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def write_half(folder: Path, *_: object, **__: object) -> None:
            (folder / "train.parquet").write_bytes(b"half")
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder / "train.parquet"))

        monkeypatch.setattr(storage, "write_dataset", write_half)
        outcome = enquirer("generate", "olympics-25k", "--out", tmp_path / "d", "--examples", 10)
        assert_one_line(outcome, "No space left on device")
        assert list(tmp_path.iterdir()) == []

    def test_interrupt(self, enquirer: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def interrupt(*_: object, **__: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(tasks, "generate", interrupt)
        status, _, err = enquirer("generate", "olympics-25k", "--out", tmp_path / "d")
        assert (status, err.strip()) == (130, "")
        assert list(tmp_path.iterdir()) == []

    def test_killed_run_leaves_nothing_under_the_name(self, tmp_path: Path) -> None:
        command = [*ENQUIRER, "generate", "olympics-100k", "--out", str(tmp_path / "d")]
        process = subprocess.Popen(command)
        deadline = time.monotonic() + 30
        while not list(tmp_path.iterdir()) and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(0.5)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
        assert [path.name for path in tmp_path.iterdir()] == [".d.partial"]
        subprocess.run([*command, "--examples", "10"], check=True, capture_output=True)
        assert [path.name for path in tmp_path.iterdir()] == ["d"]

    def test_progress_bar_on_a_terminal(self, tmp_path: Path) -> None:
        command = [*ENQUIRER, "generate", "olympics-25k", "--out", str(tmp_path / "d"), "--examples", "10"]
        ours, theirs = pty.openpty()
        process = subprocess.Popen(command, stderr=theirs, stdout=subprocess.DEVNULL)
        os.close(theirs)
        shown = b""
        try:
            while chunk := os.read(ours, 4096):
                shown += chunk
        except OSError:  # how Linux says that the other end is closed
            pass
        os.close(ours)
        assert process.wait() == 0
        assert b"generating" in shown
        assert b"100%" in shown
