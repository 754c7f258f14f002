"""Outputs: what a model says of a batch, taken apart into predictions."""

from collections.abc import Mapping, Sequence

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from neural_enquirer.model.output import Output, TableOutput
from neural_enquirer.prediction.cells import FieldLink, Looks, Pair, Prediction, TablePrediction, Tables

WORTH_TELLING = 0.1
"""A row that got less of another's attention was not looked at."""
FAINTEST_LINK = 0.01
"""Fields that link two tables less do not link them."""
MOST_LINKS = 3
"""Of each pair of tables."""


def predictions_of(
    output: Output,
    mentioned: Sequence[Bool[Tensor, "batch _ _"]],
    temperature: float,
    asked: Sequence[Tables],
) -> list[Prediction]:
    """Takes a batch apart, without its padding.

    Args:
        output: what the model says of the batch.
        mentioned: for each table the cells that the questions mention.
        temperature: what scores are divided by.
        asked: the tables of each question.
    """
    chances = (output.candidates() / temperature).softmax(dim=1)
    sizes = [own.answer_scores[0].numel() for own in output.tables]
    none = chances[:, sum(sizes) :].sum(dim=1).tolist()
    cells = [
        part.view_as(own.answer_scores).numpy()
        for part, own in zip(chances[:, : sum(sizes)].split(sizes, dim=1), output.tables, strict=True)
    ]
    weights = [torch.stack(own.field_scores, dim=1).softmax(dim=2).numpy() for own in output.tables]
    marks = [own.numpy() for own in _marks(output, mentioned)]
    predictions = []
    for i, tables in enumerate(asked):
        own = []
        for k, table in enumerate(tables):
            rows, fields = table.row_count, len(table.fields)
            read, marked = weights[k][i, :, :fields], marks[k][i, :, :rows]
            own.append(TablePrediction(cells[k][i, :rows, :fields], read, marked))
        predictions.append(
            Prediction(tuple(own), none[i], _links(output, i, tables), _looks(output, i, tables))
        )
    return predictions


def _marks(output: Output, mentioned: Sequence[Tensor]) -> list[Float[Tensor, "batch executor _"]]:
    """Says which rows of each table each executor marked.

    It was after the answer's row and, in a table without the answer, after the rows that are linked to it.
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


def row_marks(
    output: TableOutput, mentioned: Bool[Tensor, "batch row field"], after: Float[Tensor, "batch row"]
) -> Float[Tensor, "batch executor row"]:
    """Says which rows each executor marked: those annotated like the rows it was looking for.

    An executor that reads a field with mentioned cells looks for their rows, any other for those that it was
    `after`. The mark is 1 for an annotation equal to theirs, 0 for the one that is farthest away.
    """
    best = output.answer_scores.amax(dim=2)
    rows = best.shape[1]
    field = torch.stack(output.field_scores, dim=1).argmax(dim=2)
    hits = mentioned.transpose(1, 2).gather(1, field[..., None].expand(-1, -1, rows)).float()
    wanted = torch.where(hits.any(dim=2, keepdim=True), hits, after[:, None])
    wanted /= wanted.sum(dim=2, keepdim=True)
    distances = []
    for own, memory in zip(wanted.split(1, dim=1), output.memories, strict=True):
        distances.append((memory.rows - torch.bmm(own, memory.rows)).norm(dim=2))
    distance = torch.stack(distances, dim=1)
    farthest = distance.masked_fill(~best.isfinite()[:, None], 0).amax(dim=2, keepdim=True)
    return (1 - distance / farthest.clamp(min=0.1)).clamp(0, 1)


def _links(output: Output, i: int, tables: Tables) -> tuple[FieldLink, ...]:
    """The fields that link each pair of tables: the strongest pair, and others that come close."""
    links = []
    for (k, j), link in output.links.items():
        if k < j:
            weights = link.fields[i, : len(tables[k].fields), : len(tables[j].fields)]
            for place in weights.flatten().topk(min(MOST_LINKS, weights.numel())).indices.tolist():
                fields = divmod(place, weights.shape[1])
                links.append(FieldLink((k, j), fields, float(weights[fields])))
    worth = (link for link in links if link.weight > FAINTEST_LINK)
    return tuple(sorted(worth, key=lambda link: -link.weight))


def _looks(output: Output, i: int, tables: Tables) -> tuple[Mapping[Pair, Looks], ...]:
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
