"""From the name of a model to the model, ready to be asked, whatever system it is of."""

from pathlib import Path

from neural_enquirer import checkpoint
from neural_enquirer.judge.storage import load_judge
from neural_enquirer.model.open_enquirer import OpenEnquirer
from neural_enquirer.prediction.predictors import ClosedPredictor, OpenPredictor
from neural_enquirer.prediction.verdict import Predictor

__all__ = ["BASELINES", "load_predictor"]

BASELINES = ("neural-programmer", "semantic-parser")
"""What checkpoints call the systems that Neural Enquirer is measured against."""


def load_predictor(name_or_directory: str | Path = "open") -> Predictor:
    """Loads a shipped model by its name, or one from a directory."""
    name = str(name_or_directory)
    if checkpoint.read_config(checkpoint.locate(name_or_directory)).get("kind") in BASELINES:
        from neural_enquirer.baselines.predictors import load_baseline  # what only few ask for

        return load_baseline(name_or_directory)
    loaded = checkpoint.load(name_or_directory)
    if isinstance(loaded.model, OpenEnquirer):
        return OpenPredictor(loaded, name, load_judge(checkpoint.locate(name_or_directory)))
    return ClosedPredictor(loaded, name)
