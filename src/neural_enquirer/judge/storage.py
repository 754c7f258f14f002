"""The judge's file: its weights beside a model's own, with the names of the features that they are for."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from neural_enquirer.judge.features import FEATURES
from neural_enquirer.judge.verdict import Judge

FILE: Final = "judge.safetensors"


def save_judge(
    directory: Path, judge: Judge, name: str = FILE, features: Sequence[str] = tuple(FEATURES)
) -> None:
    """Writes a judge of some features into a directory; the file appears whole or not at all."""
    tensors = {"mean": judge.mean, "scale": judge.scale}
    for layer, (weight, bias) in enumerate(zip(judge.weights, judge.biases, strict=True)):
        tensors |= {f"weight.{layer}": np.ascontiguousarray(weight), f"bias.{layer}": bias}
    unfinished = directory / f".{name}"
    unfinished.write_bytes(save(tensors, {"features": json.dumps(list(features))}))
    unfinished.replace(directory / name)


class JudgeError(ValueError):
    """A judge that cannot be used; the message is one line that says what to do."""


def load_judge(directory: Path, name: str = FILE, features: Sequence[str] = tuple(FEATURES)) -> Judge | None:
    """Reads a judge of some features, such as that of a model; None where there is none.

    Features that came later than the judge mean nothing to it.

    Raises:
        JudgeError: if the file is damaged, or of a judge that looks at features that are gone.
    """
    path = directory / name
    if not path.is_file():
        return None
    try:
        with safe_open(path, framework="numpy") as file:
            known = json.loads((file.metadata() or {}).get("features", "[]"))
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
            if len(known) != len(tensors["mean"]) or set(known) - set(features):
                raise JudgeError(f"{path} looks at other features than this version; ship the model again")
    except (SafetensorError, json.JSONDecodeError) as error:
        raise JudgeError(f"{path} is damaged; ship the model again") from error
    places = [features.index(name) for name in known]
    tensors["mean"] = _spread(tensors["mean"], places, len(features), 0.0)
    tensors["scale"] = _spread(tensors["scale"], places, len(features), 1.0)
    tensors["weight.0"] = _spread(tensors["weight.0"].T, places, len(features), 0.0).T
    layers = range(sum(name.startswith("weight.") for name in tensors))
    return Judge(
        tensors["mean"],
        tensors["scale"],
        tuple(tensors[f"weight.{layer}"] for layer in layers),
        tuple(tensors[f"bias.{layer}"] for layer in layers),
    )


def _spread(
    values: npt.NDArray[np.float32], places: list[int], count: int, other: float
) -> npt.NDArray[np.float32]:
    """Puts values of known features into their places among all; the others get another one."""
    spread = np.full((count, *values.shape[1:]), other, values.dtype)
    spread[places] = values
    return spread
