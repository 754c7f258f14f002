"""Programs in plain English: `sentences.py` says how an answer came about, the other modules its parts."""

from neural_enquirer.programs.spoken.sentences import noun_phrase, sentence

__all__ = ["noun_phrase", "sentence"]
