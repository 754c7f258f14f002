"""The experiment files: one for each reported number."""

from pathlib import Path


class ReproductionError(ValueError):
    """A reproduction that cannot go on; the message is one line that says why and what to do."""


def experiment_folder() -> Path:
    """In an installed package, inside of it; in the repository, where people find them."""
    installed = Path(__file__).parents[1] / "experiments"
    return installed if installed.is_dir() else Path(__file__).parents[3] / "experiments"


def find_experiment(name: str) -> Path:
    """Returns the file of an experiment.

    Raises:
        ReproductionError: if there is none.
    """
    path = experiment_folder() / f"{name}.toml"
    if not path.is_file():
        raise ReproductionError(f"there is no experiment {name}.toml in {path.parent}")
    return path
