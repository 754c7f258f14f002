"""From the name of a model to the model, ready to be asked, whatever system it is of."""

from pathlib import Path

from neural_enquirer.checkpoint_files import kind_of, locate
from neural_enquirer.installed import check_installed
from neural_enquirer.judge.storage import load_judge
from neural_enquirer.prediction.learned import LearnedPredictor, read_memory
from neural_enquirer.prediction.likeness import load_likeness
from neural_enquirer.prediction.predictors import OpenPredictor
from neural_enquirer.prediction.verdict import Predictor
from neural_enquirer.runtime.loading import Loaded
from neural_enquirer.systems import OPEN, SYSTEMS


def load_predictor(name_or_directory: str | Path = "open", *, judged: bool = True) -> Predictor:
    """Loads a shipped model by its name, or one from a directory.

    Args:
        name_or_directory: which.
        judged: whether its judge decides, where it has one; without, its likeliest program answers.

    Raises:
        CheckpointError: where there is none, or its files are damaged.
        NotInstalledError: where the model needs torch, and that is not there.
    """
    name, directory = str(name_or_directory), locate(name_or_directory)
    kind = kind_of(directory)
    if kind != OPEN:
        check_installed("torch", "train", f"the model {name}")
    predictor: Predictor = SYSTEMS[kind].part("predictor")(directory, name, judged)
    return predictor


def load_open(directory: Path, name: str, judged: bool = True) -> OpenPredictor | LearnedPredictor:
    """Makes an open model ready to be asked, with the judge that goes with it."""
    general = OpenPredictor(Loaded.read(directory), name, load_judge(directory) if judged else None)
    memory = read_memory(directory)
    return LearnedPredictor(general, memory, load_likeness()) if memory else general
