"""From the name of a model to the model, ready to be asked, whatever system it is of."""

from pathlib import Path

from neural_enquirer import checkpoint
from neural_enquirer.judge.storage import load_judge
from neural_enquirer.prediction.predictors import ClosedPredictor, OpenPredictor
from neural_enquirer.prediction.verdict import Predictor
from neural_enquirer.systems import SYSTEMS

__all__ = ["load_closed", "load_open", "load_predictor"]


def load_predictor(name_or_directory: str | Path = "open", *, judged: bool = True) -> Predictor:
    """Loads a shipped model by its name, or one from a directory.

    Args:
        name_or_directory: which.
        judged: whether its judge decides, where it has one; without, its likeliest program answers.
    """
    directory = checkpoint.locate(name_or_directory)
    load = SYSTEMS[checkpoint.kind_of(directory)].part("predictor")
    predictor: Predictor = load(directory, str(name_or_directory), judged)
    return predictor


def load_open(directory: Path, name: str, judged: bool = True) -> OpenPredictor:
    """Makes an open model ready to be asked, with the judge that goes with it."""
    return OpenPredictor(checkpoint.load(directory), name, load_judge(directory) if judged else None)


def load_closed(directory: Path, name: str, judged: bool = True) -> ClosedPredictor:
    """Makes a model of the paper's closed vocabulary ready to be asked."""
    return ClosedPredictor(checkpoint.load(directory), name)
