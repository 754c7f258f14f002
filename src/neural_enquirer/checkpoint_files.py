"""The folder of a checkpoint: where it is, and what its config.json and vocabulary.json say."""

import json
import os
from pathlib import Path
from typing import Any, Final

from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.systems import CLOSED, SYSTEMS

__all__ = [
    "FORMAT",
    "CheckpointError",
    "describe_shipped",
    "kind_of",
    "locate",
    "read_config",
    "read_vocabulary",
    "shipped",
    "shipped_folder",
    "tenth_held_out",
    "write_text",
]

FORMAT: Final = "neural-enquirer/1"


class CheckpointError(ValueError):
    """A checkpoint that cannot be used; the message says which and why."""


def read_config(directory: Path) -> dict[str, Any]:
    """Reads config.json, which says what the checkpoint is without loading it."""
    config = _read_json(directory / "config.json")
    if config.get("format") != FORMAT:
        raise CheckpointError(
            f"{directory} is not a checkpoint of this program (config.json names no known format)"
        )
    about = config.get("about")
    return config | {"about": about if isinstance(about, dict) else {}}


def kind_of(directory: Path) -> str:
    """Says which of the registered systems a checkpoint is of; the first ones did not say."""
    kind = str(read_config(directory).get("kind", CLOSED))
    if kind not in SYSTEMS:
        raise CheckpointError(f"{directory} holds a model of kind {kind!r}, which cannot be used here")
    return kind


def tenth_held_out(directory: Path) -> int:
    """Says from which tenth of the real tables a model learned nothing; the first ones did not say."""
    task = read_config(directory)["about"].get("experiment", {}).get("task", {})
    return int(task.get("tenth", 0))


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
    return Path(__file__).parent / "pretrained"


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


def read_vocabulary(directory: Path) -> Vocabulary:
    """Reads vocabulary.json."""
    try:
        return Vocabulary.load(directory / "vocabulary.json")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CheckpointError(f"{directory / 'vocabulary.json'} is missing or damaged") from error


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
