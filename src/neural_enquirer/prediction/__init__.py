"""A trained model at work: from questions to cells with probabilities, and to outcomes that were judged."""

from neural_enquirer.prediction.cells import FieldLink, Looks, Pair, Prediction, TablePrediction, Tables
from neural_enquirer.prediction.verdict import CellPredictor, Predictor, Verdict

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
