"""Programs in plain English: `sentence.py` says how an answer came about, the other modules its parts."""

from neural_enquirer.programs.spoken.noun_phrase import noun_phrase
from neural_enquirer.programs.spoken.sentence import sentence

__all__ = ["noun_phrase", "sentence"]
