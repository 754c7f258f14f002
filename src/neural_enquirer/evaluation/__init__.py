"""One scorer for all questions: those of templates, of WikiSQL, of WikiTableQuestions, everyday ones."""

from neural_enquirer.evaluation.answering import WAYS, Answerer, Response, answer_all, answerer, load_answerer
from neural_enquirer.evaluation.scoring import Answered, Score

__all__ = ["WAYS", "Answered", "Answerer", "Response", "Score", "answer_all", "answerer", "load_answerer"]
