"""Checkpoints: a folder with model.safetensors, config.json and vocabulary.json; nothing is unpickled."""

import dataclasses
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save
from torch import Tensor

from neural_enquirer.checkpoint_files import (
    FORMAT,
    CheckpointError,
    kind_of,
    locate,
    read_config,
    read_vocabulary,
    write_text,
)
from neural_enquirer.encoding.words import Vocabulary, entity_vectors
from neural_enquirer.model.network import Network
from neural_enquirer.runtime.loading import Loaded
from neural_enquirer.runtime.open_model import OpenModel
from neural_enquirer.systems import SYSTEMS

__all__ = [
    "Checkpoint",
    "CheckpointError",
    "load",
    "locate",
    "read_config",
    "read_tensors",
    "write_tensors",
    "write_text",
]


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
        """Returns a checkpoint that also knows these entities; an unseen one gets its fixed random vector."""
        if not self.model.takes_entities:
            return self
        vocabulary = self.vocabulary.extended(entities)
        new = vocabulary.words[len(self.vocabulary.words) :]
        if not new:
            return self
        scale = self.about.get("experiment", {}).get("training", {}).get("entity_scale", 1.0)
        vectors = scale * torch.from_numpy(entity_vectors(new, self.model.config.embedding_size))
        return dataclasses.replace(self, model=self.model.with_entities(vectors), vocabulary=vocabulary)

    def light(self) -> Loaded:
        """Returns an open model without torch, as it is asked."""
        arrays = {
            name: tensor.detach().cpu().float().numpy() for name, tensor in self.model.state_dict().items()
        }
        return Loaded(OpenModel(arrays, self.vocabulary), self.vocabulary, self.temperature)

    def save(self, directory: Path, *, half: bool = False) -> None:
        """Writes the checkpoint; each file appears whole or not at all.

        Args:
            directory: where to.
            half: whether two bytes do for a weight, for a model that has nothing more to learn.
        """
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
        tensors = self.model.state_dict()
        if half:
            tensors = {name: tensor.half() for name, tensor in tensors.items()}
        write_tensors(directory / "model.safetensors", tensors)


def load(name_or_directory: str | Path) -> Checkpoint:
    """Loads a network: a shipped one by its name, or one from a directory."""
    directory = locate(name_or_directory)
    config, kind = read_config(directory), kind_of(directory)
    if not SYSTEMS[kind].network:
        raise CheckpointError(f"{directory} holds a {kind}, which is no network")
    vocabulary = read_vocabulary(directory)
    tensors = read_tensors(directory / "model.safetensors")
    try:
        model: Network = SYSTEMS[kind].part("network").restored(config["model"], tensors, vocabulary)
        model.load_state_dict(tensors)
        form, temperature = str(config["form"]), float(config.get("temperature", 1.0))
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        raise CheckpointError(
            f"config.json and model.safetensors in {directory} do not belong together"
        ) from error
    if model.known_codes != len(vocabulary):
        raise CheckpointError(f"vocabulary.json and model.safetensors in {directory} do not belong together")
    return Checkpoint(model.eval(), vocabulary, form, config["about"], temperature)


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
        return {
            name: tensor.float() if tensor.dtype == torch.half else tensor
            for name, tensor in load_file(path).items()
        }
    except FileNotFoundError as error:
        raise CheckpointError(f"{path} is missing") from error
    except (SafetensorError, OSError) as error:
        raise CheckpointError(f"{path} is truncated or not a safetensors file") from error
