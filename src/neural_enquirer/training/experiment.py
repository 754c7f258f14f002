"""Experiments: one TOML file each, read into frozen dataclasses; an unknown key is an error."""

import dataclasses
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from neural_enquirer.encoding.closed import FORMS
from neural_enquirer.model.enquirer import ModelConfig
from neural_enquirer.model.network import Beginning
from neural_enquirer.real_questions.held_out import TENTHS
from neural_enquirer.synthesis.tasks import TASKS
from neural_enquirer.systems import CLOSED, OPEN, SYSTEMS, baselines

OPTIMIZERS = ("adadelta", "adamw")
SUPERVISIONS = ("answers", "steps")
OPEN_TASK = "open"
"""The task of the open model: questions over tables of any kind, one or two."""
TABLES = {"olympics-two-tables": 2}
"""Of each question of a task, where there are several: those of Neural Enquirer-M."""
ANSWERS = ("cell", "value")
NEURAL_ENQUIRER = "neural-enquirer"

Section = TypeVar("Section")


class ExperimentError(ValueError):
    """An experiment file that cannot be used; the message says what to change."""


@dataclass(frozen=True)
class TaskConfig:
    """What is learned.

    Attributes:
        name: one of `synthesis.tasks.TASKS`.
        form: questions as natural language ("natural") or SQL-like text ("sql").
        seed: of the data.
        examples: training examples; None for the task's own number.
        held_out: validation examples, and test examples; None for the task's own numbers.
        answer: whether the answer's cell is known, or only its value.
        tenth: which tenth of the tables of real questions is held out of training.
    """

    name: str = "olympics-100k"
    form: str = "natural"
    seed: int = 0
    examples: int | None = None
    held_out: int | None = None
    answer: str = "cell"
    tenth: int = 0

    def __post_init__(self) -> None:
        _one_of("task.name", self.name, tuple(dict.fromkeys((*TASKS, OPEN_TASK))))
        _one_of("task.form", self.form, FORMS)
        _one_of("task.answer", self.answer, ANSWERS)
        for name in ("examples", "held_out"):
            count = getattr(self, name)
            if count is not None and count < 1:
                raise ExperimentError(f"task.{name} must be at least 1, not {count}")
        if not 0 <= self.tenth < TENTHS:
            raise ExperimentError(f"task.tenth must be 0 to {TENTHS - 1}, not {self.tenth}")


@dataclass(frozen=True)
class TrainingConfig:
    """How it is learned; the defaults are the paper's where it says something, ours where it is silent.

    Attributes:
        supervision: "answers" (end-to-end, N2N) or "steps" (step-by-step, SbS).
        alpha: the weight α of the field loss in SbS.
        optimizer: "adadelta" or "adamw".
        learning_rate: the highest rate of AdamW; AdaDelta's factor.
        warmup: AdamW: the share of all steps over which the rate rises; a cosine then takes it to zero.
        weight_decay: AdamW's.
        clip: the norm to which gradients are cut; 0 for none.
        batch_size: questions a step, over all processes together.
        program_batch_size: the same for questions whose programs are learned.
        epochs: passes over the data.
        repeats: how often an epoch sees the real questions, where some are mixed in.
        embedding_scale: the standard deviation of the initial word vectors. Small ones leave room for numbers
            to find their order; large ones remember each word by itself.
        entity_scale: the same for entities, which are there to be told apart.
        read_scale: the factor of the initial weights with which all annotators but the first see what they
            read. A small one lets conditions be found by the first executor, for the others to go on from.
        freeze_entities: whether entity vectors stay as they are (the OOV setting).
        renaming: whether each example is seen in ever new names (beyond the paper, see `renaming`).
        widening: whether tables that lack some of the fields get them, with columns of other training tables
            (beyond the paper, see `widening`).
        summed: whether the objective is the sum over a mini-batch, as the paper writes it, or the mean.
            AdaDelta learns faster from the sum, beside whose squared gradients its ε is small.
        average: whether the weights that are validated and kept are their mean over the run so far, in which
            late ones count most; the rate of AdaDelta never falls, so the latest weights alone are noisy.
        exploration: Neural Programmer: the weight, at first, of the entropy of its choices, which is
            rewarded so that it tries all operations and fields before it settles.
        tf32: whether a GPU may round the inputs of matrix products to ten bits.
    """

    supervision: str = "answers"
    alpha: float = 0.2
    optimizer: str = "adadelta"
    learning_rate: float = 1.0
    warmup: float = 0.05
    weight_decay: float = 0.0
    clip: float = 0.0
    batch_size: int = 100
    program_batch_size: int = 250
    epochs: int = 100
    repeats: int = 1
    embedding_scale: float = 0.3
    entity_scale: float = 1.0
    read_scale: float = 1.0
    freeze_entities: bool = False
    renaming: bool = False
    widening: bool = False
    summed: bool = False
    average: bool = False
    exploration: float = 0.0
    tf32: bool = False

    def __post_init__(self) -> None:
        _one_of("training.supervision", self.supervision, SUPERVISIONS)
        _one_of("training.optimizer", self.optimizer, OPTIMIZERS)
        for name in (
            "batch_size",
            "program_batch_size",
            "epochs",
            "repeats",
            "learning_rate",
            "embedding_scale",
            "entity_scale",
        ):
            if getattr(self, name) <= 0:
                raise ExperimentError(f"training.{name} must be positive, not {getattr(self, name)}")
        for name in ("alpha", "weight_decay", "clip", "exploration", "read_scale"):
            if getattr(self, name) < 0:
                raise ExperimentError(f"training.{name} must not be negative, not {getattr(self, name)}")
        if not 0 <= self.warmup < 1:
            raise ExperimentError(f"training.warmup must be at least 0 and less than 1, not {self.warmup}")

    @property
    def beginning(self) -> Beginning:
        """How a network starts."""
        return Beginning(self.embedding_scale, self.entity_scale, self.read_scale, self.freeze_entities)


@dataclass(frozen=True)
class Experiment:
    """Everything that decides a run but its seed and its machine."""

    task: TaskConfig = field(default_factory=TaskConfig)
    model: Any = field(default_factory=ModelConfig)
    """The configuration of its kind of system, a frozen dataclass."""
    training: TrainingConfig = field(default_factory=TrainingConfig)
    system: str = NEURAL_ENQUIRER

    def __post_init__(self) -> None:
        if self.training.exploration and self.kind != "neural-programmer":
            raise ExperimentError("training.exploration is for neural-programmer only")
        if self.kind in baselines():
            self._check_baseline()
        if self.kind == CLOSED and self.model.tables != (wanted := TABLES.get(self.task.name, 1)):
            raise ExperimentError(f"set model.tables={wanted}: so many has a question of {self.task.name}")
        alone = self.training.supervision == "answers" and not self._changed()
        if self.task.name in TABLES and not alone:
            raise ExperimentError(f"{self.task.name} is learned from answers, without renaming or widening")
        if self.kind == OPEN and not (alone and self.task.answer == "cell"):
            raise ExperimentError(
                "the open task is learned from answers' cells, without renaming or widening"
            )

    def _check_baseline(self) -> None:
        if self.task.name == OPEN_TASK or self.training.supervision != "answers":
            raise ExperimentError(f"{self.system} learns tasks other than open, from answers")
        if self.task.answer != "cell" and self.kind != "semantic-parser":
            raise ExperimentError(f"{self.system} learns from answers' cells: set task.answer=cell")
        if self.task.name in TABLES:
            raise ExperimentError(f"{self.system} reads one table, {self.task.name} has several")

    @property
    def kind(self) -> str:
        """Which of the registered systems is trained."""
        return kind_of(self.system, self.task.name)

    def _changed(self) -> bool:
        return self.training.renaming or self.training.widening

    @classmethod
    def load(cls, path: Path, overrides: Sequence[str] = ()) -> "Experiment":
        """Reads a TOML file; `overrides` such as `training.epochs=3` come after it."""
        try:
            content = tomllib.loads(path.read_text())
        except OSError as error:
            raise ExperimentError(f"cannot read the experiment {path}: {error.strerror}") from error
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise ExperimentError(f"{path} is not a TOML file: {error}") from error
        for override in overrides:
            _apply(content, override)
        return cls.from_dict(content)

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> "Experiment":
        """Builds an experiment from nested mappings, as a TOML file or a checkpoint holds it."""
        sections: dict[str, Any] = {"task": TaskConfig, "model": ModelConfig, "training": TrainingConfig}
        _known("the experiment", content, {**sections, "system": str})
        system = _typed("system", content.get("system", NEURAL_ENQUIRER), str)
        _one_of("system", system, (NEURAL_ENQUIRER, *baselines()))
        task = content.get("task", {})
        name = task.get("name") if isinstance(task, Mapping) else None
        sections["model"] = SYSTEMS[kind_of(system, name)].part("config")
        model = content.get("model", {})
        if sections["model"] is ModelConfig and isinstance(model, Mapping):
            content = {**content, "model": {"tables": TABLES.get(str(name), 1), **model}}
        parts = {part: _section(kind, part, content.get(part, {})) for part, kind in sections.items()}
        return cls(**parts, system=system)

    def to_dict(self) -> dict[str, Any]:
        """Returns the experiment as nested dicts; Neural Enquirer goes without saying."""
        content = dataclasses.asdict(self)
        if self.system == NEURAL_ENQUIRER:
            del content["system"]
        return content


def kind_of(system: str, task: str | None) -> str:
    """Names the registered system that an experiment trains: Neural Enquirer is another for the open task."""
    if system != NEURAL_ENQUIRER:
        return system
    return OPEN if task == OPEN_TASK else CLOSED


def _section(kind: type[Section], name: str, content: Any) -> Section:
    if not isinstance(content, Mapping):
        raise ExperimentError(f"[{name}] must be a section, not {content!r}")
    types = {item.name: item.type for item in dataclasses.fields(kind)}  # type: ignore[arg-type]
    _known(f"[{name}]", content, types)
    values = {key: _typed(f"{name}.{key}", value, types[key]) for key, value in content.items()}
    try:
        return kind(**values)
    except ValueError as error:
        raise ExperimentError(str(error)) from error


def _typed(name: str, value: Any, wanted: Any) -> Any:
    """Returns the value if it is of the wanted type; a whole number will do where a float is wanted."""
    if wanted is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool):
        raise ExperimentError(f"{name} must be of type {getattr(wanted, '__name__', wanted)}, not {value!r}")
    return value


def _known(where: str, content: Mapping[str, Any], names: Mapping[str, Any]) -> None:
    for key in content:
        if key not in names:
            raise ExperimentError(f"unknown key {key!r} in {where}; known: {', '.join(names)}")


def _one_of(name: str, value: str, choices: Sequence[str] | Mapping[str, Any]) -> None:
    if value not in choices:
        raise ExperimentError(f"{name} must be one of {', '.join(choices)}, not {value!r}")


def _apply(content: dict[str, Any], override: str) -> None:
    """Sets `section.key=value` in the content; the value is as in TOML, but text may go without quotes."""
    path, separator, text = override.partition("=")
    section, dot, key = path.strip().partition(".")
    if not separator or not dot:
        raise ExperimentError(f"cannot set {override!r}: write it as section.key=value")
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text.strip()
    if not isinstance(content.setdefault(section, {}), dict):
        raise ExperimentError(f"cannot set {override!r}: {section} is not a section")
    content[section][key] = value
