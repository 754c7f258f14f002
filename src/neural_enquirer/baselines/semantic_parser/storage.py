"""Parsers in folders: config.json, features.json and model.safetensors; nothing is unpickled."""

import dataclasses
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor

from neural_enquirer.baselines.semantic_parser.config import ParserConfig
from neural_enquirer.baselines.semantic_parser.features import FeatureSpace
from neural_enquirer.baselines.semantic_parser.scoring import Weights
from neural_enquirer.checkpoint import read_tensors, write_tensors
from neural_enquirer.checkpoint_files import FORMAT, CheckpointError, read_config, write_text

KIND: Final = "semantic-parser"
_FEATURES, _WEIGHTS = "features.json", "model.safetensors"


def to_tensors(weights: Weights, prefix: str = "") -> dict[str, Tensor]:
    """The weights' arrays by name."""
    arrays = dataclasses.asdict(weights)
    return {f"{prefix}{name}": torch.from_numpy(array) for name, array in arrays.items()}


def from_tensors(tensors: Mapping[str, Tensor], space: FeatureSpace, prefix: str = "") -> Weights:
    """The weights of some features.

    Raises:
        ValueError: if the tensors are not those of these features.
        KeyError: if one is not there.
    """
    like = dataclasses.asdict(Weights.zeros(space))
    arrays = {name: tensors[f"{prefix}{name}"].numpy() for name in like}
    if any(array.shape != like[name].shape or array.dtype != np.float32 for name, array in arrays.items()):
        raise ValueError("the weights are those of other features")
    return Weights(**arrays)


def write_parser(
    directory: Path,
    config: ParserConfig,
    space: FeatureSpace,
    weights: Weights,
    form: str,
    about: Mapping[str, Any],
) -> None:
    """Writes a parser; each file appears whole or not at all."""
    directory.mkdir(parents=True, exist_ok=True)
    content = {"format": FORMAT, "kind": KIND, "model": dataclasses.asdict(config), "form": form}
    write_text(directory / "config.json", json.dumps({**content, "about": dict(about)}, indent=2) + "\n")
    write_text(directory / _FEATURES, json.dumps(dataclasses.asdict(space), ensure_ascii=False) + "\n")
    write_tensors(directory / _WEIGHTS, to_tensors(weights))


def read_parser(directory: Path) -> tuple[ParserConfig, FeatureSpace, Weights, str, dict[str, Any]]:
    """Reads what :func:`write_parser` wrote.

    Raises:
        CheckpointError: if it is missing or damaged.
    """
    content = read_config(directory)
    if content.get("kind") != KIND:
        raise CheckpointError(f"{directory} holds no semantic parser")
    try:
        features = json.loads((directory / _FEATURES).read_text())
        names = {key: tuple(map(str, features[key])) for key in ("field_names", "phrases", "contexts")}
        space = FeatureSpace(**names, longest=int(features["longest"]), roles=bool(features["roles"]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CheckpointError(f"{directory / _FEATURES} is missing or damaged") from error
    tensors = read_tensors(directory / _WEIGHTS)
    try:
        config = ParserConfig(**content["model"])
        return config, space, from_tensors(tensors, space), str(content["form"]), content["about"]
    except (KeyError, TypeError, ValueError) as error:
        raise CheckpointError(f"the files in {directory} do not belong together") from error
