"""A trained model at work: from questions to cells with probabilities, and to outcomes that were judged."""

from neural_enquirer.prediction.cells import FieldLink, Prediction, TablePrediction, Tables
from neural_enquirer.prediction.verdict import CellPredictor, Predictor, Verdict
from neural_enquirer.runtime.cascade import Looks, Pair

__all__ = [
    "CellPredictor",
    "FieldLink",
    "Looks",
    "Pair",
    "Prediction",
    "Predictor",
    "TablePrediction",
    "Tables",
    "Verdict",
]
