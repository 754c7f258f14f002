"""Questions of every operation over given tables, in words of all styles."""

from neural_enquirer.synthesis.programs.drawing import DrawnQuestion, draw_questions
from neural_enquirer.synthesis.programs.phrases import phrase_words

__all__ = ["DrawnQuestion", "draw_questions", "phrase_words"]
