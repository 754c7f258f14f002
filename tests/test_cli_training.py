"""`enquirer train`, `evaluate` and `models`."""

import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from command_line import ENQUIRER, Run, assert_one_line
from neural_enquirer import checkpoint, checkpoint_files
from neural_enquirer.checkpoint import Checkpoint
from neural_enquirer.encoding.closed import encode, vocabulary_of
from neural_enquirer.synthesis import tasks
from neural_enquirer.synthesis.examples import PROGRAM_TYPES
from neural_enquirer.synthesis.tasks import generate
from neural_enquirer.training.accuracy import accuracy
from neural_enquirer.training.experiment import Experiment
from neural_enquirer.training.loop import new_model

EXPERIMENT = """
[task]
name = "olympics-25k"
examples = 60
held_out = 40

[model]
hidden_size = 8
state_size = 8

[training]
batch_size = 20
epochs = 3
supervision = "steps"
"""
# One thread: then sums are taken in the same order by whoever takes them.
ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""}


@pytest.fixture(scope="module")
def experiment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("experiment") / "small.toml"
    path.write_text(EXPERIMENT)
    return path


@pytest.fixture(scope="module")
def whole_run(experiment: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder and the output of a run that nobody disturbed."""
    out = tmp_path_factory.mktemp("whole") / "run"
    command = [*ENQUIRER, "train", str(experiment), "--out", str(out)]
    printed = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=True)
    assert printed.stderr == ""
    return out, printed.stdout


class TestTrain:
    def test_prints_a_line_after_each_epoch(self, whole_run: tuple[Path, str]) -> None:
        out, printed = whole_run
        *epochs, last = printed.splitlines()
        progress = json.loads((out / "progress.json").read_text())
        assert len(epochs) == 3
        for line, report in zip(epochs, progress["epochs"], strict=True):
            assert line.startswith(f"epoch {report['epoch']}/3: loss {report['loss']:.4f}")
            assert (
                f"accuracy {report['overall']:.4f} (select_where {report['by_type']['select_where']:.4f}"
                in line
            )
            assert "examples/s" in line
            assert line.endswith("left")
        best = max(progress["epochs"], key=lambda report: report["overall"])
        assert last == f"{out}: accuracy {best['overall']:.4f} on validation, after epoch {best['epoch']}"

    def test_leaves_a_checkpoint(self, whole_run: tuple[Path, str], experiment: Path) -> None:
        loaded = checkpoint.load(whole_run[0])
        assert Experiment.from_dict(loaded.about["experiment"]) == Experiment.load(experiment)

    def test_killed_and_resumed_it_ends_with_the_same_bits(
        self, whole_run: tuple[Path, str], experiment: Path, tmp_path: Path
    ) -> None:
        command = [*ENQUIRER, "train", str(experiment), "--out", str(tmp_path / "run")]
        process = subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        assert process.stdout.readline().startswith("epoch 1/3")
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert process.returncode == -signal.SIGKILL
        resumed = subprocess.run(
            [*command, "--resume"], env=ENVIRONMENT, capture_output=True, text=True, check=True
        )
        assert "epoch 1/3" not in resumed.stdout
        assert "epoch 3/3" in resumed.stdout
        for name in ("model.safetensors", "state.safetensors"):
            assert (tmp_path / "run" / name).read_bytes() == (whole_run[0] / name).read_bytes()

    def test_two_processes_do_what_one_does(
        self, whole_run: tuple[Path, str], experiment: Path, tmp_path: Path
    ) -> None:
        torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]
        command = [
            *torchrun,
            "-m",
            "neural_enquirer.cli",
            "train",
            str(experiment),
            "--out",
            str(tmp_path / "run"),
        ]
        printed = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=True)
        assert printed.stdout.count("epoch 3/3") == 1  # only one of them speaks
        ours, theirs = (
            load_file(tmp_path / "run" / "state.safetensors"),
            load_file(whole_run[0] / "state.safetensors"),
        )
        assert ours.keys() == theirs.keys()
        for name, value in theirs.items():
            torch.testing.assert_close(ours[name], value, rtol=1e-4, atol=1e-5)
        losses = [json.loads((run / "progress.json").read_text()) for run in (tmp_path / "run", whole_run[0])]
        assert losses[0]["epochs"][0]["loss"] == pytest.approx(losses[1]["epochs"][0]["loss"], rel=1e-5)

    def test_progress_bar_on_a_terminal(self, experiment: Path, tmp_path: Path) -> None:
        command = [
            *ENQUIRER,
            "train",
            str(experiment),
            "--out",
            str(tmp_path / "run"),
            "--set",
            "training.epochs=1",
        ]
        ours, theirs = pty.openpty()
        environment = {**ENVIRONMENT, "COLUMNS": "200", "TERM": "xterm"}
        process = subprocess.Popen(command, env=environment, stderr=theirs, stdout=subprocess.PIPE, text=True)
        os.close(theirs)
        shown = b"".join(iter_terminal(ours)).decode()
        printed, _ = process.communicate()
        assert process.returncode == 0
        for part in ("epoch 1/1", "loss ", "accuracy ", "examples/s", "left"):
            assert part in shown
        assert printed.startswith(f"{tmp_path / 'run'}: accuracy")

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--set", "training.epoch=3"], "unknown key 'epoch'"),
            (["--set", "training.epochs"], "section.key=value"),
            (["--device", "abacus"], "unknown device 'abacus'"),
            (["--device", "cuda:99"], "cuda:99"),
            (["--seed", "-1"], "0 or more, not -1"),
            (["--set", "task.seed=-1"], "0 or more, not -1"),
        ],
    )
    def test_bad_input(
        self, enquirer: Run, experiment: Path, tmp_path: Path, arguments: list[str], message: str
    ) -> None:
        assert_one_line(enquirer("train", experiment, "--out", tmp_path / "run", *arguments), message)
        assert list(tmp_path.iterdir()) == []

    def test_no_experiment(self, enquirer: Run, tmp_path: Path) -> None:
        outcome = enquirer("train", tmp_path / "none.toml", "--out", tmp_path / "run")
        assert_one_line(outcome, "none.toml: No such file or directory")

    def test_folders_that_are_taken(
        self, enquirer: Run, experiment: Path, whole_run: tuple[Path, str], tmp_path: Path
    ) -> None:
        assert_one_line(enquirer("train", experiment, "--out", whole_run[0]), "is not empty")
        (tmp_path / "thesis.tex").touch()
        assert_one_line(enquirer("train", experiment, "--out", tmp_path, "--resume"), "holds no run")
        outcome = enquirer("train", experiment, "--out", whole_run[0], "--resume", "--seed", 1)
        assert_one_line(outcome, "another experiment or seed")


def iter_terminal(descriptor: int) -> Iterator[bytes]:
    """What a program writes to a terminal until it ends."""
    try:
        while chunk := os.read(descriptor, 4096):
            yield chunk
    except OSError:  # how Linux says that the other end is closed
        pass
    os.close(descriptor)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """An untrained model, which says that it learned olympics-25k."""
    chosen = Experiment.from_dict({"task": {"name": "olympics-25k"}, "model": {"state_size": 8}})
    vocabulary = vocabulary_of(generate("olympics-25k", "train", examples=600))
    about = {"experiment": chosen.to_dict(), "validation": {"overall": 0.5}}
    Checkpoint(new_model(chosen, vocabulary, seed=0), vocabulary, "natural", about).save(tmp_path / "model")
    return tmp_path / "model"


class TestEvaluate:
    def test_json(self, enquirer: Run, model: Path) -> None:
        status, out, err = enquirer("evaluate", model, "--examples", 400, "--json")
        assert (status, err) == (0, "")
        found = json.loads(out)
        assert found["seconds"] > 0
        trained = checkpoint.load(model)
        batch = encode(generate("olympics-25k", "test", examples=400), trained.vocabulary)
        expected = asdict(accuracy(trained.model, [batch], PROGRAM_TYPES))
        assert {name: found[name] for name in expected} == expected
        assert 0 <= found["calibration_error"] <= 1

    def test_for_people(self, enquirer: Run, model: Path) -> None:
        status, out, _ = enquirer("evaluate", model, "--examples", 40)
        assert status == 0
        first = [line.split()[0] for line in out.splitlines()]
        assert (first[:4], first[-1]) == (sorted(PROGRAM_TYPES), "overall")
        assert "of 40 questions" in out

    def test_a_stored_data_set(self, enquirer: Run, model: Path, tmp_path: Path) -> None:
        enquirer("generate", "olympics-25k", "--out", tmp_path / "data", "--examples", 100, "--seed", 3)
        stored = json.loads(enquirer("evaluate", model, "--data", tmp_path / "data", "--json")[1])
        drawn = json.loads(enquirer("evaluate", model, "--seed", 3, "--examples", 80, "--json")[1])
        assert stored["examples"] == 80
        assert {**stored, "seconds": 0} == {**drawn, "seconds": 0}
        few = enquirer("evaluate", model, "--data", tmp_path / "data", "--examples", 8, "--json")[1]
        assert json.loads(few)["examples"] == 8

    def test_the_seed_changes_the_questions(
        self, enquirer: Run, model: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        seeds: list[int] = []

        def draw(*arguments: str, seed: int, **options: object) -> object:
            seeds.append(seed)
            return generate(*arguments, seed=seed, examples=4)

        monkeypatch.setattr(tasks, "generate", draw)
        for arguments in ([], ["--seed", 7], ["--task", "olympics-100k"]):
            assert enquirer("evaluate", model, *arguments)[0] == 0
        assert seeds == [0, 7, 0]

    def test_unseen_entities(self, enquirer: Run, model: Path) -> None:
        arguments = ["--task", "olympics-oov", "--examples", 20, "--json"]
        assert json.loads(enquirer("evaluate", model, *arguments)[1])["examples"] == 20

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--task", "open", "--examples", "4"], "for an open model"),
            (
                ["--task", "olympics-two-tables", "--examples", "4"],
                "2 tables each, which this model does not read",
            ),
            (["--task", "olympiad"], "unknown task 'olympiad'"),
            (["--data", "nowhere"], "nowhere is no data set"),
            (["--data", "nowhere", "--task", "olympics-25k"], "--data goes without --task"),
            (["--data", "nowhere", "--seed", "1"], "--data goes without --task and --seed"),
            (["--examples", "0"], "not 0"),
            (["--seed", "-1"], "not -1"),
            (["--device", "abacus", "--examples", "4"], "unknown device"),
        ],
    )
    def test_bad_input(self, enquirer: Run, model: Path, arguments: list[str], message: str) -> None:
        assert_one_line(enquirer("evaluate", model, *arguments), message)

    def test_no_model(self, enquirer: Run) -> None:
        assert_one_line(enquirer("evaluate", "nobody"), "no model 'nobody'")

    def test_a_damaged_model(self, enquirer: Run, model: Path) -> None:
        (model / "model.safetensors").write_bytes(b"x")
        assert_one_line(enquirer("evaluate", model, "--examples", 4), "model.safetensors is truncated")

    def test_a_model_that_does_not_say_what_it_learned(self, enquirer: Run, model: Path) -> None:
        config = json.loads((model / "config.json").read_text())
        (model / "config.json").write_text(json.dumps({**config, "about": None}))
        assert_one_line(enquirer("evaluate", model), "give --task or --data")


class TestModels:
    def test_lists_what_is_shipped(self, enquirer: Run, model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(checkpoint_files, "shipped", lambda: {"small": model})
        size = sum(path.stat().st_size for path in model.iterdir())
        status, out, _ = enquirer("models", "--json")
        assert status == 0
        told = {"name": "small", "task": "olympics-25k", "bytes": size, "accuracy": 0.5}
        assert json.loads(out) == [told | {"accuracy_of": "its task's validation questions"}]
        told_to_people = " ".join(enquirer("models")[1].split())
        assert told_to_people == (
            f"small olympics-25k {size / 1e6:.1f} MB 50.00% of its task's validation questions"
        )

    def test_a_test_result_counts_more_than_validation(
        self, enquirer: Run, model: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        config = json.loads((model / "config.json").read_text())
        config["about"]["test"] = {"overall": 0.75}
        (model / "config.json").write_text(json.dumps(config))
        monkeypatch.setattr(checkpoint_files, "shipped", lambda: {"small": model})
        told = json.loads(enquirer("models", "--json")[1])[0]
        assert (told["accuracy"], told["accuracy_of"]) == (0.75, "its task's test questions")

    def test_nothing_shipped(self, enquirer: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(checkpoint_files, "shipped", dict)
        assert json.loads(enquirer("models", "--json")[1]) == []
        assert "enquirer train" in enquirer("models")[1]
