"""Predictions on several tables at once: which cell of which table answers, and what links the tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Float
from torch import Tensor

from neural_enquirer.model.multi_table import MultiOutput
from neural_enquirer.prediction import Prediction, row_marks
from neural_enquirer.tables import Table

Tables = tuple[Table, ...]
Pair = tuple[int, int]
"""The table that asks and the one that is asked, counted from 0."""

WORTH_TELLING = 0.1
"""A row that got less of another's attention was not looked at."""


@dataclass(frozen=True)
class FieldLink:
    """Two fields whose equal values link two tables.

    Attributes:
        tables: the two tables, by index, the first of them first.
        fields: a field of each, by index.
        weight: how much the model goes by them; those of a pair of tables sum to one or less.
    """

    tables: Pair
    fields: tuple[int, int]
    weight: float


@dataclass(frozen=True)
class Looks:
    """Rows of a table that looked at rows of another; all that got little attention are left out.

    Attributes:
        rows: those that looked.
        others: those that they looked at.
        weights: how much of a row's attention the other got.
    """

    rows: npt.NDArray[np.int64]
    others: npt.NDArray[np.int64]
    weights: npt.NDArray[np.float32]


@dataclass(frozen=True)
class SeveralPrediction:
    """What a model says of one question about several tables.

    Attributes:
        tables: of each table; the probabilities of all their cells and `none_probability` sum to 1.
        none_probability: that the tables cannot answer the question.
        links: by which fields the tables are linked, the strongest first; none where the model does not look.
        looks: for each reading executor, by pairs of tables, which rows of one looked at which of the other.
    """

    tables: tuple[Prediction, ...]
    none_probability: float
    links: tuple[FieldLink, ...]
    looks: tuple[Mapping[Pair, Looks], ...]


def predictions_of(
    output: MultiOutput, mentioned: Sequence[Tensor], temperature: float, tables: Sequence[Tables]
) -> list[SeveralPrediction]:
    """Takes a batch apart, without its padding."""
    chances = (output.candidates() / temperature).softmax(dim=1)
    sizes = [own.answer_scores[0].numel() for own in output.tables]
    none = chances[:, sum(sizes) :].sum(dim=1).tolist()
    cells = chances[:, : sum(sizes)].split(sizes, dim=1)
    marks = _marks(output, mentioned)
    predictions = []
    for i, asked in enumerate(tables):
        own = []
        for k, table in enumerate(asked):
            rows, fields = table.row_count, len(table.fields)
            result = output.tables[k]
            weights = torch.stack(result.field_scores, dim=1)[i].softmax(dim=1)
            own.append(
                Prediction(
                    cells[k][i].view(result.answer_scores.shape[1:])[:rows, :fields].numpy(),
                    none[i],
                    weights[:, :fields].numpy(),
                    marks[k][i, :, :rows].numpy(),
                )
            )
        links, looks = _links(output, i, asked), _looks(output, i, asked)
        predictions.append(SeveralPrediction(tuple(own), none[i], links, looks))
    return predictions


def _marks(output: MultiOutput, mentioned: Sequence[Tensor]) -> list[Float[Tensor, "batch executor _"]]:
    """Says which rows of each table each executor marked.

    In a table without the answer, it was after the rows that are linked to the answer's.
    """
    best = torch.stack([own.answer_scores.flatten(1).amax(dim=1) for own in output.tables], dim=1)
    holder = best.argmax(dim=1)
    marks = []
    for k, own in enumerate(output.tables):
        wanted = torch.nn.functional.one_hot(
            own.answer_scores.amax(dim=2).argmax(dim=1), own.answer_scores.shape[1]
        ).float()
        for j, other in enumerate(output.tables):
            if j == k or (j, k) not in output.links:
                continue
            row = other.answer_scores.amax(dim=2).argmax(dim=1)
            strength = output.links[j, k].rows[torch.arange(len(row)), row]
            wanted = torch.where(
                (holder == j)[:, None] & (strength.amax(dim=1) > 0)[:, None], strength, wanted
            )
        marks.append(row_marks(own, mentioned[k], wanted))
    return marks


def _links(output: MultiOutput, i: int, tables: Tables) -> tuple[FieldLink, ...]:
    """The fields that link each pair of tables: the strongest pair, and others that come close."""
    links = []
    for (k, j), link in output.links.items():
        if k < j:
            weights = link.fields[i, : len(tables[k].fields), : len(tables[j].fields)]
            for place in weights.flatten().topk(min(3, weights.numel())).indices.tolist():
                fields = divmod(place, weights.shape[1])
                links.append(FieldLink((k, j), fields, float(weights[fields])))
    return tuple(sorted((link for link in links if link.weight > 0.01), key=lambda link: -link.weight))


def _looks(output: MultiOutput, i: int, tables: Tables) -> tuple[Mapping[Pair, Looks], ...]:
    """What rows of each table looked at in the others: where tables are linked, through the link."""
    looks: list[dict[Pair, Looks]] = []
    for asked in output.asked:
        looks.append({})
        for (k, j), weights in (asked.linked or asked.weights).items():
            own = weights[i, : tables[k].row_count, : tables[j].row_count]
            places = (own >= WORTH_TELLING).nonzero()
            found = own[places[:, 0], places[:, 1]]
            looks[-1][k, j] = Looks(places[:, 0].numpy(), places[:, 1].numpy(), found.numpy())
    return tuple(looks)
