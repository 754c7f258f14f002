"""A sample of every training stream: whatever a model learns from is for training."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from benchmarks.training_forms import belonging, main, presets, walk, written
from neural_enquirer.encoding.closed import encode, vocabulary_of
from neural_enquirer.synthesis.tasks import TASKS, generate
from neural_enquirer.training.experiment import Experiment
from neural_enquirer.training.forms import TrainingForms
from neural_enquirer.training.renaming import Renaming

SAMPLE = ["task.examples=300", "training.epochs=4", "training.batch_size=50"]
STREAMS = presets(SAMPLE)


def test_every_preset_of_the_papers_tasks_is_in_a_stream() -> None:
    files = {path.stem for path in Path("experiments").glob("*.toml")}
    told = {name for chosen in presets() for name in chosen}
    assert files - told == {"open", "real"}
    tasks = {experiment.task.name for chosen in presets() for experiment in chosen.values()}
    assert tasks == set(TASKS)


@pytest.mark.parametrize("chosen", STREAMS, ids=lambda chosen: next(iter(chosen)))
def test_no_stream_meets_a_form_of_validation_or_test(chosen: dict[str, Experiment]) -> None:
    found = walk(chosen)
    assert found.clean, found
    renamed = any(experiment.training.renaming for experiment in chosen.values())
    assert found.forms["train"] > (600 if renamed else 150)


@pytest.mark.parametrize("task", [name for name in TASKS if name != "olympics-two-tables"])
def test_without_asking_the_split_they_would_be_met(task: str) -> None:
    """What the walk is there to find: it finds it."""
    examples = generate(task, "train", examples=300)
    vocabulary = vocabulary_of(examples)
    forms = TrainingForms.of(examples, vocabulary)
    batch = replace(encode(examples, vocabulary, "sql"), forms=forms.places)
    torch.manual_seed(0)
    asked, blind = (
        {
            belonging(task)(form)
            for form in written(
                Renaming.of(vocabulary, batch, allowed)(batch).words.numpy(), examples, vocabulary
            )
        }
        for allowed in (forms.allowed, torch.ones_like(forms.allowed))
    )
    assert asked == {"train"}
    assert blind == {"train", "validation", None if task == "olympics-large-kb" else "test"}


@pytest.mark.parametrize("task", TASKS)
def test_forms_are_written_as_they_were(task: str) -> None:
    examples = generate(task, "train", examples=100)
    vocabulary = vocabulary_of(examples)
    batch = encode(examples, vocabulary, "sql")
    assert list(written(batch.words.numpy(), examples, vocabulary)) == examples.logical_forms


def test_the_command_stores_what_it_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "training-forms.json"
    small = ["task.examples=50", "training.epochs=1", "training.batch_size=50"]
    settings = [part for setting in small for part in ("--set", setting)]
    monkeypatch.setattr("sys.argv", ["training_forms", "--device", "cpu", "--out", str(out), *settings])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0
    stored = json.loads(out.read_text())
    assert {part for stream in stored["streams"] for part in stream["forms"]} == {"train"}
