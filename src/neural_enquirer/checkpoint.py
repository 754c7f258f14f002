"""Checkpoints: a folder with model.safetensors, config.json and vocabulary.json; nothing is unpickled."""

import dataclasses
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save
from torch import Tensor

from neural_enquirer.encoding.open import vector_rows
from neural_enquirer.encoding.words import Vocabulary, entity_vectors
from neural_enquirer.model.enquirer import ClosedEnquirer, ModelConfig, NeuralEnquirer
from neural_enquirer.model.multi_enquirer import MultiEnquirer
from neural_enquirer.model.network import Network
from neural_enquirer.model.open_enquirer import OpenConfig, OpenEnquirer

FORMAT = "neural-enquirer/1"

Maker = Callable[[Mapping[str, Any], Mapping[str, Tensor], Vocabulary], Network]
"""Makes a model out of its stored config and tensors, which are then loaded into it, and its vocabulary."""


class CheckpointError(ValueError):
    """A checkpoint that cannot be used; the message says which and why."""


@dataclass(frozen=True)
class Checkpoint:
    """A trained model and what is needed to use it.

    Attributes:
        model: the model, with the paper's closed vocabulary or open.
        vocabulary: its words.
        form: whether it was trained on natural language or SQL-like text.
        about: how it was trained and what it reached, for people.
        temperature: what scores are divided by so that probabilities are as sure as they should be.
    """

    model: Network
    vocabulary: Vocabulary
    form: str
    about: Mapping[str, Any] = field(default_factory=dict)
    temperature: float = 1.0

    def knowing(self, entities: frozenset[str]) -> "Checkpoint":
        """Returns a checkpoint that also knows these entities; an unseen one gets its fixed random vector.

        Only Neural Enquirer with the paper's closed vocabulary needs that.
        """
        if not isinstance(self.model, ClosedEnquirer):
            return self
        vocabulary = self.vocabulary.extended(entities)
        new = vocabulary.words[len(self.vocabulary.words) :]
        if not new:
            return self
        known = self.model.fixed_embedding
        scale = self.about.get("experiment", {}).get("training", {}).get("entity_scale", 1.0)
        vectors = scale * torch.from_numpy(entity_vectors(new, known.shape[1])).to(known)
        fixed = torch.cat((known, vectors))
        model = type(self.model)(self.model.config, self.model.embedding, fixed).to(known.device)
        model.load_state_dict({**self.model.state_dict(), "fixed_embedding": fixed})
        return dataclasses.replace(self, model=model.eval(), vocabulary=vocabulary)

    def save(self, directory: Path) -> None:
        """Writes the checkpoint; each file appears whole or not at all."""
        directory.mkdir(parents=True, exist_ok=True)
        config = {
            "format": FORMAT,
            "kind": self.model.kind,
            "model": dataclasses.asdict(self.model.config),
            "form": self.form,
            "temperature": self.temperature,
        }
        write_text(directory / "config.json", json.dumps({**config, "about": self.about}, indent=2) + "\n")
        temporary = directory / ".vocabulary.json"
        self.vocabulary.save(temporary)
        os.replace(temporary, directory / "vocabulary.json")
        write_tensors(directory / "model.safetensors", self.model.state_dict())


def load(name_or_directory: str | Path, further: Mapping[str, Maker] | None = None) -> Checkpoint:
    """Loads a shipped checkpoint by its name, or one from a directory.

    Args:
        name_or_directory: which.
        further: what makes models of kinds other than Neural Enquirer's.
    """
    directory = locate(name_or_directory)
    config = read_config(directory)
    makers, kind = {**_MAKERS, **(further or {})}, str(config.get("kind", NeuralEnquirer.kind))
    if kind not in makers:
        raise CheckpointError(f"{directory} holds a model of kind {kind!r}, which cannot be used here")
    try:
        vocabulary = Vocabulary.load(directory / "vocabulary.json")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CheckpointError(f"{directory / 'vocabulary.json'} is missing or damaged") from error
    tensors = read_tensors(directory / "model.safetensors")
    try:
        model = makers[kind](config["model"], tensors, vocabulary)
        model.load_state_dict(tensors)
        form, temperature = str(config["form"]), float(config.get("temperature", 1.0))
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        raise CheckpointError(
            f"config.json and model.safetensors in {directory} do not belong together"
        ) from error
    if model.known_codes != len(vocabulary):
        raise CheckpointError(f"vocabulary.json and model.safetensors in {directory} do not belong together")
    return Checkpoint(model.eval(), vocabulary, form, config["about"], temperature)


def _closed(config: Mapping[str, Any], tensors: Mapping[str, Tensor], _: Vocabulary) -> NeuralEnquirer:
    return NeuralEnquirer(ModelConfig(**config), tensors["embedding"], tensors["fixed_embedding"])


def _closed_multi(config: Mapping[str, Any], tensors: Mapping[str, Tensor], _: Vocabulary) -> MultiEnquirer:
    return MultiEnquirer(ModelConfig(**config), tensors["embedding"], tensors["fixed_embedding"])


def _open(config: Mapping[str, Any], tensors: Mapping[str, Tensor], vocabulary: Vocabulary) -> OpenEnquirer:
    sizes = OpenConfig(**config)
    return OpenEnquirer(sizes, tensors["embedding"], vector_rows(vocabulary) if sizes.word_vectors else None)


_MAKERS: Mapping[str, Maker] = {
    NeuralEnquirer.kind: _closed,
    MultiEnquirer.kind: _closed_multi,
    OpenEnquirer.kind: _open,
}


def read_config(directory: Path) -> dict[str, Any]:
    """Reads config.json, which says what the checkpoint is without loading it."""
    config = _read_json(directory / "config.json")
    if config.get("format") != FORMAT:
        raise CheckpointError(
            f"{directory} is not a checkpoint of this program (config.json names no known format)"
        )
    about = config.get("about")
    return config | {"about": about if isinstance(about, dict) else {}}


def locate(name_or_directory: str | Path) -> Path:
    """Returns the directory of a checkpoint given by its shipped name or by its own path."""
    shipped_models = shipped()
    if str(name_or_directory) in shipped_models:
        return shipped_models[str(name_or_directory)]
    directory = Path(name_or_directory)
    if not (directory / "config.json").is_file():
        names = ", ".join(sorted(shipped_models)) or "none"
        raise CheckpointError(
            f"no model {str(name_or_directory)!r}: give a folder with a config.json or one of: {names}"
        )
    return directory


def shipped() -> dict[str, Path]:
    """Returns the checkpoints inside the package by name."""
    return {path.parent.name: path.parent for path in sorted(shipped_folder().glob("*/config.json"))}


def shipped_folder() -> Path:
    """Returns the folder of the package that checkpoints are in."""
    return Path(str(resources.files("neural_enquirer"))) / "pretrained"


def describe_shipped() -> list[dict[str, Any]]:
    """Says of each checkpoint inside the package what it is: its name, task, size and accuracy."""
    return [_description(name, folder) for name, folder in shipped().items()]


def _description(name: str, folder: Path) -> dict[str, Any]:
    about = read_config(folder)["about"]
    split = "test" if about.get("test") else "validation"
    accuracy = about.get(split) or {}
    return {
        "name": name,
        "task": about.get("experiment", {}).get("task", {}).get("name"),
        "bytes": sum(path.stat().st_size for path in folder.iterdir()),
        "accuracy": accuracy.get("overall"),
        "accuracy_of": f"its task's {split} questions" if "overall" in accuracy else None,
    }


def write_tensors(path: Path, tensors: Mapping[str, Tensor]) -> None:
    """Writes tensors so that the file appears whole or not at all."""
    temporary = path.with_name(f".{path.name}")
    temporary.write_bytes(
        save({name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()})
    )
    os.replace(temporary, path)


def read_tensors(path: Path) -> dict[str, Tensor]:
    """Reads tensors; a truncated or foreign file is named in one line."""
    try:
        return load_file(path)
    except FileNotFoundError as error:
        raise CheckpointError(f"{path} is missing") from error
    except (SafetensorError, OSError) as error:
        raise CheckpointError(f"{path} is truncated or not a safetensors file") from error


def write_text(path: Path, text: str) -> None:
    """Writes text so that the file appears whole or not at all."""
    temporary = path.with_name(f".{path.name}")
    temporary.write_text(text)
    os.replace(temporary, path)


def _read_json(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise CheckpointError(f"{path} is missing or not JSON") from error
    return content if isinstance(content, dict) else {}
