"""The predictor of models with the paper's closed vocabulary, which run in torch."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from neural_enquirer import checkpoint
from neural_enquirer.checkpoint import Checkpoint
from neural_enquirer.encoding.closed import encode_tables
from neural_enquirer.model.output import Output as BatchOutput
from neural_enquirer.model.output import TableOutput as BatchTableOutput
from neural_enquirer.prediction.cells import Prediction, Tables
from neural_enquirer.prediction.outputs import prediction_of
from neural_enquirer.prediction.predictors import check_sizes, only_table
from neural_enquirer.prediction.verdict import CellPredictor
from neural_enquirer.runtime.cascade import Looks, Output, TableOutput
from neural_enquirer.runtime.table_linker import Link
from neural_enquirer.tables import TableError


def load_closed(directory: Path, name: str, judged: bool = True) -> "ClosedPredictor":
    """Makes a model of the paper's closed vocabulary ready to be asked; it has no judge."""
    return ClosedPredictor(checkpoint.load(directory), name)


class ClosedPredictor(CellPredictor):
    """Predicts with a model of the paper's closed vocabulary: it knows the tables of its own task only."""

    def __init__(self, trained: Checkpoint, name: str) -> None:
        """Wraps a checkpoint."""
        self.name = name
        self._trained = trained

    @torch.no_grad()
    def predict(self, questions: Sequence[tuple[Tables, str]]) -> list[Prediction]:
        """Answers questions one by one."""
        return [self._answer(tables, question) for tables, question in questions]

    def _answer(self, tables: Tables, question: str) -> Prediction:
        trained, config = self._trained, self._trained.model.config
        if config.tables == 1:
            only_table(tables, self.name)
        elif not trained.model.reads(len(tables)):
            raise TableError(
                f"{self.name} has executors of its own for each of {config.tables} tables: give "
                f"{config.tables} tables, in the order in which it learned them, not {len(tables)}"
            )
        check_sizes(tables)
        batch = encode_tables([(tables, question)], trained.vocabulary)
        mentioned = [table.mentions[0].numpy() for table in batch.tables]
        return prediction_of(_of_first(trained.model(batch)), mentioned, trained.temperature, tables)


def _of_first(output: BatchOutput) -> Output:
    """What is said of the first question of a batch, without torch."""
    looks = [
        {pair: Looks.of(weights[0].numpy()) for pair, weights in (asked.linked or asked.weights).items()}
        for asked in output.asked
    ]
    links = {pair: Link(link.fields[0].numpy(), link.rows[0].numpy()) for pair, link in output.links.items()}
    none = None if output.none_scores is None else float(output.none_scores[0])
    return Output(tuple(map(_table, output.tables)), none, links, tuple(looks))


def _table(output: BatchTableOutput) -> TableOutput:
    return TableOutput(
        output.answer_scores[0].numpy(),
        np.stack([scores[0].numpy() for scores in output.field_scores]),
        tuple(memory.rows[0].numpy() for memory in output.memories),
    )
