"""Loads an open model: its weights, memory-mapped, its vocabulary, and how sure it should be."""

import json
import mmap
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from neural_enquirer.checkpoint_files import CheckpointError, read_config, read_vocabulary
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.runtime.layers import Array
from neural_enquirer.runtime.open_model import OpenModel
from neural_enquirer.runtime.undisturbed import undisturbed

_TYPES: Final[Mapping[str, np.dtype[Any]]] = {"F32": np.dtype("<f4"), "F16": np.dtype("<f2")}
_LENGTH: Final = 8
"""Bytes in which the file says how long its header is."""


@dataclass(frozen=True)
class Loaded:
    """An open model, ready to be asked.

    Attributes:
        model: the model.
        vocabulary: its words.
        temperature: what scores are divided by so that probabilities are as sure as they should be.
    """

    model: OpenModel
    vocabulary: Vocabulary
    temperature: float = 1.0

    @classmethod
    @undisturbed()
    def read(cls, directory: Path) -> "Loaded":
        """Reads the folder of an open model.

        Raises:
            CheckpointError: if its files are damaged, or do not belong together.
        """
        config, vocabulary = read_config(directory), read_vocabulary(directory)
        tensors = mapped_tensors(directory / "model.safetensors")
        try:
            model, temperature = OpenModel(tensors, vocabulary), float(config.get("temperature", 1.0))
        except (KeyError, TypeError, ValueError) as error:
            raise CheckpointError(
                f"config.json and model.safetensors in {directory} do not belong together"
            ) from error
        if model.known != len(vocabulary):
            raise CheckpointError(
                f"vocabulary.json and model.safetensors in {directory} do not belong together"
            )
        return cls(model, vocabulary, temperature)


def mapped_tensors(path: Path) -> dict[str, Array]:
    """The tensors of a safetensors file, which are read from it when they are first looked at.

    Raises:
        CheckpointError: if the file is missing, truncated, or of another kind.
    """
    try:
        with path.open("rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        behind = _LENGTH + int.from_bytes(mapped[:_LENGTH], "little")
        header = json.loads(mapped[_LENGTH:behind])
        return {name: _tensor(mapped, behind, own) for name, own in header.items() if name != "__metadata__"}
    except FileNotFoundError as error:
        raise CheckpointError(f"{path} is missing") from error
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise CheckpointError(f"{path} is truncated or not a safetensors file") from error


def _tensor(mapped: mmap.mmap, behind: int, about: Mapping[str, Any]) -> npt.NDArray[Any]:
    start, end = about["data_offsets"]
    kind = _TYPES[about["dtype"]]
    values = np.frombuffer(mapped, kind, (end - start) // kind.itemsize, behind + start)
    return as_floats(values).reshape(about["shape"])


def as_floats(values: npt.NDArray[Any]) -> Array:
    """Finite numbers of two bytes as numbers of four; numpy's own way takes five times as long.

    The bits of the exponent and the fraction go to their places, and the exponent's bias is made up for.
    """
    if values.dtype != np.float16:
        return values
    bits = values.view(np.uint16).astype(np.uint32)
    signs = (bits & 0x8000) << 16
    bits &= 0x7FFF
    bits <<= 13
    sizes = bits.view(np.float32)
    sizes *= np.float32(2.0**112)
    bits |= signs
    return sizes
