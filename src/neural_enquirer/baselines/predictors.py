"""Predictions of the baselines: the answer's cell, and the program that selected it."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from neural_enquirer import checkpoint
from neural_enquirer.baselines.neural_programmer.operations import OPERATIONS, UNCONDITIONAL, WITHOUT_FIELD
from neural_enquirer.baselines.neural_programmer.programmer import Execution
from neural_enquirer.baselines.semantic_parser.parser import SemanticParser
from neural_enquirer.checkpoint import Checkpoint
from neural_enquirer.encoding.closed import encode_tables
from neural_enquirer.prediction import CellPredictor, Prediction, TablePrediction, Tables
from neural_enquirer.prediction.predictors import only_table
from neural_enquirer.programs.text import to_text
from neural_enquirer.tables import Table

_FAINTEST = 0.05
"""A soft selection counts by its strongest row, unless that is hardly selected itself."""


def load_parser(directory: Path, name: str, judged: bool = True) -> "ParserPredictor":
    """Makes a semantic parser ready to be asked."""
    return ParserPredictor(SemanticParser.load(directory), name)


def load_programmer(directory: Path, name: str, judged: bool = True) -> "ProgrammerPredictor":
    """Makes a Neural Programmer ready to be asked."""
    return ProgrammerPredictor(checkpoint.load(directory), name)


class ParserPredictor(CellPredictor):
    """Predicts with a semantic parser, on tables of any kind; it has learned the words of its own task."""

    def __init__(self, parser: SemanticParser, name: str) -> None:
        """Wraps a parser."""
        self.name = name
        self._parser = parser

    def predict(self, questions: Sequence[tuple[Tables, str]]) -> list[Prediction]:
        """Answers questions; where no program is found, the table cannot answer."""
        asked = [(only_table(tables, self.name), question) for tables, question in questions]
        # The last step reads off the answer.
        return [
            Prediction(
                (TablePrediction(parse.probabilities, parse.field_weights[:-1], parse.row_marks[:-1]),),
                none_probability=1.0 if parse.program is None else 0.0,
                program=() if parse.program is None else (to_text(parse.program),),
            )
            for parse in self._parser.parse(asked)
        ]


class ProgrammerPredictor(CellPredictor):
    """Predicts with Neural Programmer: it knows the tables of its own task only."""

    def __init__(self, trained: Checkpoint, name: str) -> None:
        """Wraps a checkpoint."""
        self.name = name
        self._trained = trained

    @torch.no_grad()
    def predict(self, questions: Sequence[tuple[Tables, str]]) -> list[Prediction]:
        """Answers questions one by one."""
        predictions = []
        for tables, question in questions:
            table = only_table(tables, self.name)
            batch = encode_tables([((table,), question)], self._trained.vocabulary)
            execution: Execution = self._trained.model(batch)
            predictions.append(_prediction(execution, table))
        return predictions


def _prediction(execution: Execution, table: Table) -> Prediction:
    """Tells one question's program, without the steps that change nothing.

    A step that looks at no field leaves no trace but its name.
    """
    fields = torch.stack(execution.table.field_scores, dim=1)[0].exp().numpy()
    written = execution.program[0].tolist()
    steps = range(_first_needed([OPERATIONS[operation] for operation, _ in written]), len(written))
    program = [
        OPERATIONS[operation] + ("" if operation < WITHOUT_FIELD else f"({table.fields[field].name})")
        for operation, field in written[steps.start :]
    ]
    answering = table.fields[int(fields[-1].argmax())].name
    looking = [step for step in steps if written[step][0] >= WITHOUT_FIELD]
    rows = execution.rows[0].clamp(0, 1)
    rows = rows / rows.amax(dim=1, keepdim=True).clamp(min=_FAINTEST)
    own = TablePrediction(
        probabilities=execution.table.answer_scores[0].exp().numpy(),
        field_weights=np.eye(fields.shape[1], dtype=np.float32)[[written[step][1] for step in looking]],
        row_marks=rows.numpy()[looking],
    )
    return Prediction(
        (own,),
        none_probability=0.0,
        program=(*program, f"lookup({answering})"),
    )


def _first_needed(operations: Sequence[str]) -> int:
    """Returns the first step that matters: behind it, none asks what was selected before.

    All rows are selected at the beginning, so the first steps can join them to others or reset to no effect.
    """
    first = 0
    for step, operation in enumerate(operations):
        looks_back = operations[step + 1 : step + 2] in (["and"], ["or"])
        resets = operation == "reset" or (operation == "or" and step < 2)
        if (resets or operation in UNCONDITIONAL) and not looks_back:
            first = step + resets
    return first
