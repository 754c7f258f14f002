"""Export: the open model as ONNX graphs, for programs in other languages.

Each graph takes one question. `cells.onnx` scores the cells of its table as answers; its inputs are those of
`OpenBatch` and `OpenTable`. `hear.onnx` says what the decoder hears of a question; its inputs are those of
`Schema`, its outputs those of `Heard`, and the first state of the decoder. `step.onnx` is one step of several
derivations: it takes what was heard, a `Memory` and a `Turn`, and gives the log-probabilities of all choices
and the next memory.
"""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final

import torch
from torch import Tensor, nn

from neural_enquirer.encoding.actions import Asked
from neural_enquirer.encoding.open import prepare_all
from neural_enquirer.encoding.open_batch import OpenBatch, OpenTable
from neural_enquirer.encoding.padding import collate
from neural_enquirer.encoding.program_batch import Schema
from neural_enquirer.encoding.program_batch import collate as collate_schema
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.model.cascade import TableView
from neural_enquirer.model.open_enquirer import OpenEnquirer
from neural_enquirer.model.program_decoder import Heard, Memory, Turn
from neural_enquirer.tables import Table

GRAPHS: Final = ("cells.onnx", "hear.onnx", "step.onnx")
_OPSET: Final = 18
_QUESTION: Final = ("words", "word_flags", "mentions", "quantities")
_TABLE: Final = tuple(item.name for item in fields(OpenTable) if item.name != "values")
_AXES: Final[Mapping[str, str]] = {
    "words": "token", "word_flags": "token", "mentions": "mention", "quantities": "quantity",
    "levels": "token field", "headers": "field header", "features": "field", "coverage": "field",
    "mention_hows": "mention", "mention_fields": "mention field", "quantity_fields": "quantity field",
    "unsaid": "mention", "kinds": "field", "owners": "field", "table_mask": "table",
    "cell_mentions": "row field",
    "relations": "quantity row field", "ranks": "row field", "cell_flags": "row field", "sizes": "",
    "answer_scores": "row field", "none_scores": "",
    "query": "", "states": "token", "spoken": "token", "fields": "field", "pointers": "pointer",
    "mention_states": "mention", "trusted": "mention", "quantity_states": "quantity", "tables": "table",
    "says": "token pointer", "wants": "field", "allowed": "_ pointer", "linked": "mention field",
    "compared": "quantity field", "productions": "", "start": "",
    "hidden": "way", "context": "way", "used": "way token",
    "symbols": "way", "parents": "way", "given": "way", "previous": "way", "scores": "way choice",
}  # fmt: skip
"""The axes that may be of any length, behind that of questions, of which there is one."""
_HEARD: Final = tuple(
    {"mentions": "mention_states", "quantities": "quantity_states"}.get(item.name, item.name)
    for item in fields(Heard)
)
_MEMORY: Final = tuple(item.name for item in fields(Memory))
_TURN: Final = tuple(item.name for item in fields(Turn))


class _Cells(nn.Module):
    def __init__(self, model: OpenEnquirer) -> None:
        super().__init__()
        self.model = model

    def forward(self, *inputs: Tensor) -> tuple[Tensor, Tensor]:
        named = dict(zip((*_QUESTION, *_TABLE), inputs, strict=True))
        table = OpenTable(**{name: named[name] for name in _TABLE})
        unknown = torch.zeros(1, 1, dtype=torch.bool), torch.zeros(1, dtype=torch.int64)
        question = {name: named[name] for name in _QUESTION}
        batch = OpenBatch(**question, tables=(table,), answer_cells=unknown[0], types=unknown[1])
        model, reading = self.model, self.model.read(batch)
        (names,), (evidence,) = reading.names, reading.evidence
        cells = model.cell_encoder(model.cell_encoder.meanings(names, evidence), table)
        view = TableView(names, cells, table.field_mask, table.row_mask)
        output = model.answered(model.cascade(reading.query, [view]), reading.query, batch)
        assert output.none_scores is not None
        return output.tables[0].answer_scores, output.none_scores


class _Hear(nn.Module):
    def __init__(self, model: OpenEnquirer) -> None:
        super().__init__()
        self.model = model

    def forward(self, *inputs: Tensor) -> tuple[Tensor, ...]:
        heard = self.model.hear(Schema(*inputs))
        return *_parts(heard), self.model.decoder.begin(heard, 1).hidden


class _Step(nn.Module):
    def __init__(self, model: OpenEnquirer) -> None:
        super().__init__()
        self.decoder = model.decoder

    def forward(self, *inputs: Tensor) -> tuple[Tensor, ...]:
        heard, rest = inputs[: len(_HEARD)], inputs[len(_HEARD) :]
        memory, turn = Memory(*rest[: len(_MEMORY)]), Turn(*rest[len(_MEMORY) :])
        scores, after = self.decoder.step(Heard(*heard), memory, turn)
        return scores, *_parts(after)


@dataclass(frozen=True)
class _Graph:
    module: nn.Module
    inputs: Mapping[str, Tensor]
    outputs: Sequence[str]

    def write(self, path: Path) -> None:
        """Follows what the module does with its inputs, and writes that."""
        names = (*self.inputs, *self.outputs)
        axes = {name: _axes(name.removeprefix("next_")) for name in names}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of sizes that are the same in every question
            torch.onnx.export(
                self.module.eval(),
                tuple(self.inputs.values()),
                str(path),
                dynamo=False,
                opset_version=_OPSET,
                input_names=list(self.inputs),
                output_names=list(self.outputs),
                dynamic_axes={name: own for name, own in axes.items() if own},
            )


def export(model: OpenEnquirer, vocabulary: Vocabulary, folder: Path) -> None:
    """Writes the graphs of a model into an existing folder."""
    for name, graph in zip(GRAPHS, _graphs(model, vocabulary), strict=True):
        graph.write(folder / name)


def _graphs(model: OpenEnquirer, vocabulary: Vocabulary) -> tuple[_Graph, _Graph, _Graph]:
    """The graphs with the inputs of a question, which show what they do with any other."""
    table = Table.of([{"city": "Oslo", "people": 5}, {"city": "Rome", "people": 7}], "cities")
    text = "how many people in Rome and more than 5"
    (question,) = prepare_all([((table,), text)], vocabulary)
    batch = collate([question])
    asked = Asked(text, (table,), [question.links])
    schema = collate_schema([(asked, [question.tables[0].index])], vocabulary)
    heard = model.hear(schema)
    memory = model.decoder.begin(heard, 3)
    turn = Turn(*(torch.zeros(1, 3, dtype=torch.int64) for _ in _TURN))
    of_cells = {name: getattr(batch, name) for name in _QUESTION}
    of_cells |= {name: getattr(batch.tables[0], name) for name in _TABLE}
    of_hearing = {item.name: getattr(schema, item.name) for item in fields(Schema)}
    parts = (*_parts(heard), *_parts(memory), *_parts(turn))
    of_step = dict(zip((*_HEARD, *_MEMORY, *_TURN), parts, strict=True))
    return (
        _Graph(_Cells(model), of_cells, ("answer_scores", "none_scores")),
        _Graph(_Hear(model), of_hearing, (*_HEARD, "start")),
        _Graph(_Step(model), of_step, ("scores", *(f"next_{name}" for name in _MEMORY))),
    )


def _parts(whole: Heard | Memory | Turn) -> tuple[Tensor, ...]:
    return tuple(getattr(whole, item.name) for item in fields(whole))


def _axes(name: str) -> dict[int, str]:
    """The axes of a tensor that may be of any length."""
    return {place: axis for place, axis in enumerate(_AXES[name].split(), start=1) if axis != "_"}
