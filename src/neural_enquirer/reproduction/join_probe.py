"""Why joins are learned or guessed at: what the first executor hands over to the other table.

"select country_size, where year = 2012" needs the row of 2012 in one table (the meant row), and its country
to find the answer's row in the other one. Both have to be in the meant row's annotation after the first
executor, for only that is fetched by the second one. So it is measured on join questions what the first
executor reads of the meant row, whether that row's annotation stands out from its table's, whether its
country can be read off it by a linear map, and how much of the answer row's attention goes to it. On
questions that need one table alone, either executor may find the row; it is measured which of them does.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from neural_enquirer.checkpoint import Checkpoint
from neural_enquirer.encoding.batch import Batch, TableCodes
from neural_enquirer.model.output import Output
from neural_enquirer.synthesis.examples import ExampleSet
from neural_enquirer.synthesis.tasks import generate
from neural_enquirer.synthesis.two_tables import JOIN_FIELD, joined
from neural_enquirer.training.accuracy import encode_questions

FILE: Final = "join-probe.json"
MODELS: Final = {
    "Neural Enquirer-M": "two-tables-paper",
    "ours: grounded": "two-tables-grounded",
    "ours: grounded, linked": "two-tables-linked",
}
"""The experiments whose models are looked into."""
STARTS: Final = ("games", "countries")
"""The tables that hold a question's condition."""
QUESTIONS: Final = 8_000
"""Validation questions that are drawn; every other one is a join."""


@dataclass(frozen=True)
class JoinProbe:
    """What the first executor hands over, as shares of join questions.

    Attributes:
        alone_first: on questions that need this table alone, the weight with which Executor-1 reads the field
            of the condition …
        alone_second: … and Executor-2.
        right: answered right.
        read_condition: the weight with which the meant row's Executor-1 reads the field of the condition …
        read_country: … and the country.
        marked: the meant row's annotation is the farthest from the mean of its table; a tenth by chance.
        named: its country is what a linear map, learned on other questions, reads off its annotation; a
            sixtieth by chance.
        attended: the attention γ that the answer's row pays to it; a tenth where all rows are alike.
        linked: the same among rows that share a value, where tables are linked.
        key_found: of all pairs of fields the two countries have the greatest weight, where tables are linked.
        key_weight: that weight.
    """

    alone_first: float
    alone_second: float
    right: float
    read_condition: float
    read_country: float
    marked: float
    named: float
    attended: float
    linked: float | None = None
    key_found: float | None = None
    key_weight: float | None = None


def measure(models: Mapping[str, Checkpoint], questions: int = QUESTIONS) -> dict[str, Any]:
    """Looks into models that read two tables."""
    drawn = generate("olympics-two-tables", "validation", examples=questions)
    found = {
        name: {start: asdict(own) for start, own in probe(model, drawn).items()}
        for name, model in models.items()
    }
    return {"questions": int(joined(drawn).sum()), "models": found}


@torch.no_grad()
def probe(trained: Checkpoint, questions: ExampleSet) -> dict[str, JoinProbe]:
    """Measures one model, by the table in which questions have their condition."""
    needs_both = joined(questions)
    joins = questions.select(np.flatnonzero(needs_both))
    others = questions.select(np.flatnonzero(~needs_both))
    probes = {}
    for asked, start in enumerate(STARTS):
        found = {**_probe_alone(trained, others, asked), **_probe_where_asked(trained, joins, asked)}
        probes[start] = JoinProbe(**{name: each.float().mean().item() for name, each in found.items()})
    return probes


def _probe_alone(trained: Checkpoint, others: ExampleSet, asked: int) -> dict[str, Tensor]:
    """Measures which executor reads the condition of questions that need the table `asked` alone."""
    chosen = others.select(np.flatnonzero(others.answers[:, 0] == asked))
    batch = encode_questions(trained, chosen)
    output: Output = trained.model(batch)
    first, second, *_ = output.tables[asked].field_scores
    each, column = torch.arange(len(chosen)), _condition(chosen, batch, asked)
    return {
        "alone_first": first.softmax(dim=1)[each, column],
        "alone_second": second.softmax(dim=1)[each, column],
    }


def _probe_where_asked(trained: Checkpoint, joins: ExampleSet, asked: int) -> dict[str, Tensor]:
    """Measures the questions whose meant rows are in the table `asked`, and whose answers in the other."""
    chosen = joins.select(np.flatnonzero(joins.answers[:, 0] != asked))
    batch = encode_questions(trained, chosen)
    output: Output = trained.model(batch)
    row, each = torch.from_numpy(chosen.answers[:, 1].astype(np.int64)), torch.arange(len(chosen))
    key = trained.vocabulary.codes[JOIN_FIELD]
    country = _column(batch.tables[1 - asked], key)[each, row]
    column = _condition(chosen, batch, asked)
    mentioned = batch.tables[asked].mentions[each, :, column]
    meant = (mentioned & (_column(batch.tables[asked], key) == country[:, None])).int().argmax(dim=1)
    annotations = output.tables[asked].memories[0].rows
    weights = output.tables[asked].field_scores[0].softmax(dim=1)
    found = {
        "right": output.candidates().argmax(dim=1) == batch.answers,
        "read_condition": weights[each, column],
        "read_country": weights[each, _place(batch.tables[asked], key)],
        "marked": _farthest(annotations) == meant,
        "named": _read_off(annotations[each, meant], country),
        "attended": output.asked[1].weights[1 - asked, asked][each, row, meant],
    }
    if output.links:
        found["linked"] = output.asked[1].linked[1 - asked, asked][each, row, meant]
        pairs = output.links[0, 1].fields
        found["key_weight"] = pairs[each, *(_place(table, key) for table in batch.tables)]
        found["key_found"] = found["key_weight"] >= pairs.flatten(1).amax(dim=1)
    return found


def _condition(questions: ExampleSet, batch: Batch, asked: int) -> Int[Tensor, "batch"]:
    """Returns where the fields of the conditions stand, all of which are in one table."""
    column = torch.from_numpy(questions.steps[:, -2].astype(np.int64))
    return column - asked * batch.tables[0].fields.shape[1]


def _place(table: TableCodes, name: int) -> Int[Tensor, "batch"]:
    """Returns where the field of a name stands."""
    return (table.fields == name).int().argmax(dim=1)


def _column(table: TableCodes, name: int) -> Int[Tensor, "batch row"]:
    """Returns the cells of the field of a name."""
    place = _place(table, name)[:, None, None].expand(-1, table.cells.shape[1], 1)
    return table.cells.gather(2, place).squeeze(2)


def _farthest(annotations: Float[Tensor, "batch row annotation"]) -> Int[Tensor, "batch"]:
    distances: Tensor = torch.linalg.vector_norm(annotations - annotations.mean(dim=1, keepdim=True), dim=2)
    return distances.argmax(dim=1)


def _read_off(
    annotations: Float[Tensor, "batch annotation"], country: Int[Tensor, "batch"]
) -> Bool[Tensor, "half"]:
    """Learns a linear map on one half of the rows; returns where it names the country of the other half."""
    codes = country.unique()
    wanted = (country[:, None] == codes).float()
    inputs = torch.cat((annotations, torch.ones_like(annotations[:, :1])), dim=1)
    half = len(inputs) // 2
    weight: Tensor = torch.linalg.lstsq(inputs[:half], wanted[:half]).solution
    named: Tensor = codes[(inputs[half:] @ weight).argmax(dim=1)] == country[half:]
    return named
