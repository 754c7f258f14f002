"""A model whose programs are written by hand: the question is the program, or words that it refuses."""

from collections.abc import Sequence

from fake_predictor import FakePredictor
from neural_enquirer.judge.ranked import NO_FIELD, Ranked
from neural_enquirer.prediction import Tables, Verdict
from neural_enquirer.programs import parse, run


class JudgingPredictor(FakePredictor):
    """Runs the programs of which a question consists, or refuses; the first of them is the likeliest."""

    def judge(self, questions: Sequence[tuple[Tables, str]]) -> list[Verdict]:
        predictions = self.predict(questions)
        return [
            Verdict(prediction, tuple(_ranked(tables, question)))
            for (tables, question), prediction in zip(questions, predictions, strict=True)
        ]


def _ranked(tables: Tables, question: str) -> list[Ranked]:
    outcomes = []
    for text in question.split(" ; "):
        probability = 0.02 if outcomes else 0.95
        if text == "refuse":
            outcomes.append(Ranked(None, NO_FIELD, None, probability))
        else:
            program = parse(text)
            outcomes.append(Ranked(program, None, run(program, tables), probability))
    return outcomes
