"""Questions of every operation over given tables, in words of all styles."""

from neural_enquirer.synthesis.programs.drawing import DrawnQuestion, draw_questions

__all__ = ["DrawnQuestion", "draw_questions"]
