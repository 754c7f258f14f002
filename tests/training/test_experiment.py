from pathlib import Path

import pytest

from neural_enquirer.model.enquirer import ModelConfig
from neural_enquirer.training.experiment import Experiment, ExperimentError, TrainingConfig

FILES = sorted((Path(__file__).parents[2] / "experiments").glob("*.toml"))


def test_there_are_experiments() -> None:
    assert FILES


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_file_loads_and_survives_a_checkpoint(path: Path) -> None:
    experiment = Experiment.load(path)
    assert Experiment.from_dict(experiment.to_dict()) == experiment


def test_the_defaults_are_the_papers() -> None:
    model = ModelConfig()
    assert (model.executors, model.embedding_size, model.annotation_size) == (5, 20, 20)
    assert (model.hidden_size, model.state_size, model.grounded) == (50, 150, False)
    training = TrainingConfig()
    assert (training.optimizer, training.batch_size, training.epochs) == ("adadelta", 100, 100)
    assert training.alpha == 0.2


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "experiment.toml"
    path.write_text('[task]\nname = "olympics-25k"\n[training]\nepochs = 7\n')
    return path


def test_overrides_come_after_the_file(path: Path) -> None:
    experiment = Experiment.load(
        path,
        [
            "training.epochs=3",
            "training.optimizer=adamw",
            'task.form="sql"',
            "model.grounded = true",
            "training.clip=1",
        ],
    )
    assert (experiment.training.epochs, experiment.training.optimizer) == (3, "adamw")
    assert (experiment.task.name, experiment.task.form) == ("olympics-25k", "sql")
    assert experiment.model.grounded is True
    assert experiment.training.clip == 1.0


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("training.epoch=3", r"unknown key 'epoch' in \[training\]; known: supervision, alpha"),
        ("trainig.epochs=3", "unknown key 'trainig' in the experiment; known: task, model, training, system"),
        ("training.epochs", "write it as section.key=value"),
        ("epochs=3", "write it as section.key=value"),
        ("training.epochs=many", "training.epochs must be of type int, not 'many'"),
        ("training.epochs=true", "training.epochs must be of type int, not True"),
        ("training.epochs=2.5", "training.epochs must be of type int, not 2.5"),
        ("model.grounded=1", "model.grounded must be of type bool, not 1"),
        ("task.examples=none", "task.examples must be of type"),
        ("task.examples=0", "task.examples must be at least 1"),
        ("task.name=olympiad", "task.name must be one of olympics-25k, .* not 'olympiad'"),
        ("task.form=poetry", "task.form must be one of natural, sql"),
        ("task.answer=guess", "task.answer must be one of cell, value"),
        ("training.optimizer=sgd", "training.optimizer must be one of adadelta, adamw"),
        ("training.supervision=none", "training.supervision must be one of answers, steps"),
        ("training.epochs=0", "training.epochs must be positive"),
        ("training.alpha=-1", "training.alpha must not be negative"),
        ("training.warmup=1", "training.warmup must be at least 0 and less than 1"),
        ("model.linked=true", "for several tables"),
        ("model.executor_sets=2", "must be 1 or model.tables: 1"),
        ("model.tables=2", "set model.tables=1"),
        ("model.executor_sets=0", "model.executor_sets must be at least 1, not 0"),
        ("model.state_size=0", "model.state_size must be at least 1"),
    ],
)
def test_what_cannot_be_used_says_why(path: Path, override: str, message: str) -> None:
    with pytest.raises(ExperimentError, match=message):
        Experiment.load(path, [override])


def test_an_unknown_key_in_the_file(path: Path) -> None:
    path.write_text("[training]\nbatchsize = 3\n")
    with pytest.raises(ExperimentError, match="unknown key 'batchsize'"):
        Experiment.load(path)


@pytest.mark.parametrize("overrides", [[], ["task.seed=1"]])
def test_a_section_that_is_none(path: Path, overrides: list[str]) -> None:
    path.write_text("task = 3\n")
    with pytest.raises(ExperimentError, match="section"):
        Experiment.load(path, overrides)


@pytest.mark.parametrize("content", [b"[task", b"\xff\xfe"])
def test_not_a_toml_file(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(ExperimentError, match="is not a TOML file"):
        Experiment.load(path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ExperimentError, match=r"cannot read the experiment .*: No such file"):
        Experiment.load(tmp_path / "none.toml")


@pytest.mark.parametrize("override", ["training.supervision=steps", "training.renaming=true"])
def test_several_tables_are_learned_from_answers(path: Path, override: str) -> None:
    settings = ["task.name=olympics-two-tables", override]
    with pytest.raises(ExperimentError, match="learned from answers, without renaming"):
        Experiment.load(path, settings)


def test_there_are_not_more_sets_of_executors_than_tables(path: Path) -> None:
    settings = ["task.name=olympics-two-tables", "model.executor_sets=3"]
    with pytest.raises(ExperimentError, match=r"executor_sets must be 1 or model\.tables: 2"):
        Experiment.load(path, settings)
