"""The cascade of executors on a GPU: all of them, for one question, in one kernel (Triton).

At the paper's sizes a question's whole table fits into one multiprocessor, and what takes the time is
starting the hundreds of small kernels of the executors. Here one program takes one question through all
executors, forward in one launch and back in another; only the gradients of the weights, which sum over
questions, are left to matrix products. `Cascade` without it is the plain fallback and says what is
computed; a test holds the two against each other.
"""

import math
from collections.abc import Iterable
from itertools import islice
from typing import Any, NamedTuple

import torch
from jaxtyping import Bool, Float, UInt8
from torch import Tensor

from neural_enquirer.model.executor_set import ExecutorSet

try:
    import triton
except ImportError:
    triton = None
else:
    from neural_enquirer.model.fused_cascade_kernels import backward_kernel, forward_kernel

LARGEST = 128
"""The largest hidden layer, cell, annotation or side of a table that a program takes."""

SMALL_BATCH = 264
"""Up to two questions a multiprocessor, more threads for each are faster; beyond, more questions at once."""


class Inputs(NamedTuple):
    """What the executors work on. Without padding there are no masks: anything stands there, and is not read.

    The kernels take these fields, and those of the tuples below, in their order.
    """

    cells: Float[Tensor, "batch field row cell"]
    name_terms: Float[Tensor, "batch field name_terms"]
    query_terms: Float[Tensor, "batch terms"]
    field_mask: UInt8[Tensor, "batch field"] | Tensor
    row_mask: UInt8[Tensor, "batch row"] | Tensor


class CascadeWeights(NamedTuple):
    """The weights of all executors but those of the question and of field names, stacked over executors.

    The first executor has no memory: `row_weight` and the `*_table_weight`s have one entry less.
    """

    score: Float[Tensor, "executor hidden"]
    reader_table_weight: Float[Tensor, "later hidden annotation"]
    read_weight: Float[Tensor, "executor hidden cell"]
    row_weight: Float[Tensor, "later hidden annotation"]
    table_weight: Float[Tensor, "later hidden annotation"]
    hidden_weight: Float[Tensor, "executor hidden hidden"]
    hidden_bias: Float[Tensor, "executor hidden"]
    last_weight: Float[Tensor, "executor annotation hidden"]
    last_bias: Float[Tensor, "executor annotation"]
    answer_cell_weight: Float[Tensor, "hidden cell"]
    answer_row_weight: Float[Tensor, "hidden annotation"]
    answer_table_weight: Float[Tensor, "hidden annotation"]
    answer_hidden_weight: Float[Tensor, "hidden hidden"]
    answer_hidden_bias: Float[Tensor, "hidden"]
    answer_score: Float[Tensor, "hidden"]

    @classmethod
    def of(cls, cascade: ExecutorSet) -> "CascadeWeights":
        """Stacks the weights of a cascade's executors."""
        readers = [executor.reader for executor in cascade.executors]
        annotators = [executor.annotator for executor in cascade.executors]
        answer = cascade.answer_executor
        return cls(
            score=torch.cat([reader.score.weight for reader in readers]),
            reader_table_weight=torch.stack([reader.hidden.weight["table"] for reader in readers[1:]]),
            read_weight=torch.stack([annotator.first.weight["read"] for annotator in annotators]),
            row_weight=torch.stack([annotator.first.weight["rows"] for annotator in annotators[1:]]),
            table_weight=torch.stack([annotator.first.weight["table"] for annotator in annotators[1:]]),
            hidden_weight=torch.stack([annotator.hidden[0].weight for annotator in annotators]),
            hidden_bias=torch.stack([annotator.hidden[0].bias for annotator in annotators]),
            last_weight=torch.stack([annotator.last.weight for annotator in annotators]),
            last_bias=torch.stack([annotator.last.bias for annotator in annotators]),
            answer_cell_weight=answer.first.weight["cell"],
            answer_row_weight=answer.first.weight["rows"],
            answer_table_weight=answer.first.weight["table"],
            answer_hidden_weight=answer.hidden[0].weight,
            answer_hidden_bias=answer.hidden[0].bias,
            answer_score=answer.score.weight[0],
        )


class Steps(NamedTuple):
    """What the executors computed on the way forward, and need on the way back.

    Attributes:
        field_scores: ω.
        reads: the read vectors r_m.
        firsts: the first hidden layer of the annotators.
        seconds: the second one.
        notes: the row annotations a_m.
        tables: the table annotations g.
    """

    field_scores: Float[Tensor, "executor batch field"]
    reads: Float[Tensor, "executor batch row cell"]
    firsts: Float[Tensor, "executor batch row hidden"]
    seconds: Float[Tensor, "executor batch row hidden"]
    notes: Float[Tensor, "executor batch row annotation"]
    tables: Float[Tensor, "executor batch annotation"]

    @classmethod
    def empty(cls, cells: Float[Tensor, "batch field row cell"], weights: CascadeWeights) -> "Steps":
        """Makes room for what the kernel will write."""
        batch, fields, rows, cell = cells.shape
        executors, annotation, hidden = weights.last_weight.shape
        return cls(
            field_scores=cells.new_empty(executors, batch, fields),
            reads=cells.new_empty(executors, batch, rows, cell),
            firsts=cells.new_empty(executors, batch, rows, hidden),
            seconds=cells.new_empty(executors, batch, rows, hidden),
            notes=cells.new_empty(executors, batch, rows, annotation),
            tables=cells.new_empty(executors, batch, annotation),
        )


class Gradients(NamedTuple):
    """What the way back computes for each question, of what goes into the tanh where a layer is named.

    Attributes:
        cells: of `Inputs.cells`.
        name_terms: of `Inputs.name_terms`.
        query_terms: of `Inputs.query_terms`.
        firsts: of the first hidden layer of the annotators.
        seconds: of the second one.
        notes: of the row annotations.
        answer_rows: of what the rows add to the answer layer.
        score: of `CascadeWeights.score`.
        answer_weights: of the answer layer's weights of its own, one after the other.
    """

    cells: Float[Tensor, "batch field row cell"]
    name_terms: Float[Tensor, "batch field name_terms"]
    query_terms: Float[Tensor, "batch terms"]
    firsts: Float[Tensor, "executor batch row hidden"]
    seconds: Float[Tensor, "executor batch row hidden"]
    notes: Float[Tensor, "executor batch row annotation"]
    answer_rows: Float[Tensor, "batch row hidden"]
    score: Float[Tensor, "executor batch hidden"]
    answer_weights: Float[Tensor, "batch answer_weights"]

    @classmethod
    def empty(cls, inputs: Inputs, steps: Steps) -> "Gradients":
        """Makes room for what the kernel will write."""
        executors, batch, _, hidden = steps.firsts.shape
        cell = inputs.cells.shape[3]
        return cls(
            cells=torch.empty_like(inputs.cells),
            name_terms=torch.empty_like(inputs.name_terms),
            query_terms=torch.empty_like(inputs.query_terms),
            firsts=torch.empty_like(steps.firsts),
            seconds=torch.empty_like(steps.seconds),
            notes=torch.empty_like(steps.notes),
            answer_rows=torch.empty_like(steps.firsts[0]),
            score=inputs.cells.new_empty(executors, batch, hidden),
            answer_weights=inputs.cells.new_empty(batch, hidden * hidden + hidden * cell + 2 * hidden),
        )


def usable(cascade: ExecutorSet, cells: Tensor) -> bool:
    """Whether the kernels can run here: on a GPU, for the paper's depths and small tables."""
    own = cascade.sizes
    sizes = (own.hidden_size, own.cell_size, own.annotation_size, *cells.shape[1:3])
    usual = own.annotator_depth == own.answer_depth == 3
    several = len(cascade.executors) > 1 and not cascade.answer_sees_fields
    return triton is not None and cells.is_cuda and max(sizes) <= LARGEST and usual and several


def run(
    cascade: ExecutorSet,
    cells: Float[Tensor, "batch field row cell"],
    name_terms: Float[Tensor, "batch field terms"],
    query_terms: Float[Tensor, "batch terms"],
    field_mask: Bool[Tensor, "batch field"] | None,
    row_mask: Bool[Tensor, "batch row"] | None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Runs all executors.

    Args:
        cascade: whose executors.
        cells: the cells' embeddings e_mn.
        name_terms: W_f f_n of every reader, side by side.
        query_terms: W_q q + b of every reader, every annotator and the answer layer, side by side.
        field_mask: which fields are there.
        row_mask: which rows are there.

    Returns:
        The answer's scores [batch, field, row], the readers' scores [executor, batch, field], and, for the
        trace, the row annotations [executor, batch, row, annotation] and the table annotations
        [executor, batch, annotation].
    """
    weights = CascadeWeights.of(cascade)
    result: tuple[Tensor, Tensor, Tensor, Tensor] = _FusedCascade.apply(  # type: ignore[no-untyped-call]
        cells, name_terms, query_terms, field_mask, row_mask, *weights
    )
    return result


class _FusedCascade(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        cells: Tensor,
        name_terms: Tensor,
        query_terms: Tensor,
        field_mask: Tensor | None,
        row_mask: Tensor | None,
        *own: Tensor,
    ) -> tuple[Tensor, ...]:
        inputs = Inputs(
            cells.contiguous(),
            name_terms.contiguous(),
            query_terms.contiguous(),
            _mask(field_mask, cells),
            _mask(row_mask, cells),
        )
        weights = CascadeWeights(*(weight.contiguous() for weight in own))
        batch, fields, rows, _ = cells.shape
        answer_scores = cells.new_empty(batch, fields, rows)
        steps = Steps.empty(cells, weights)
        settings = _settings(inputs, weights, masked=field_mask is not None)
        forward_kernel[(batch,)](*inputs, *weights, answer_scores, *steps, batch, **settings)
        ctx.save_for_backward(*inputs, *weights, *steps)
        ctx.settings = settings
        ctx.mark_non_differentiable(steps.notes, steps.tables)
        return answer_scores, steps.field_scores, steps.notes, steps.tables

    @staticmethod
    def backward(
        ctx: Any, d_answer: Tensor, d_fields: Tensor, _notes: Tensor, _tables: Tensor
    ) -> tuple[Tensor | None, ...]:
        inputs, weights, steps = _named(ctx.saved_tensors)
        gradients = Gradients.empty(inputs, steps)
        batch = len(inputs.cells)
        backward_kernel[(batch,)](
            *inputs,
            *weights,
            d_answer.contiguous(),
            d_fields.contiguous(),
            *steps,
            *gradients,
            batch,
            **ctx.settings,
        )
        of_inputs = (gradients.cells, gradients.name_terms, gradients.query_terms, None, None)
        return *of_inputs, *_weight_gradients(steps, gradients)


def _named(saved: Iterable[Tensor]) -> tuple[Inputs, CascadeWeights, Steps]:
    """Gives back their names to tensors saved one after the other."""
    tensors = iter(saved)
    inputs = Inputs(*islice(tensors, len(Inputs._fields)))
    weights = CascadeWeights(*islice(tensors, len(CascadeWeights._fields)))
    return inputs, weights, Steps(*tensors)


def _weight_gradients(steps: Steps, gradients: Gradients) -> CascadeWeights:
    """Sums the gradients of the weights over questions and rows."""
    executors, batch, _, hidden = steps.firsts.shape
    cell = steps.reads.shape[3]

    shares = math.gcd(batch, 20)  # sums in shares of the batch, so that all of the GPU has work

    def product(delta: Tensor, value: Tensor) -> Tensor:
        delta, value = (t.reshape(len(t), shares, -1, t.shape[-1]) for t in (delta, value))
        return torch.matmul(delta.transpose(2, 3), value).sum(dim=1)

    d_terms = gradients.query_terms.view(batch, 2 * executors + 1, hidden).transpose(0, 1)
    d_reader, d_annotator, d_answer = d_terms[1:executors], d_terms[executors + 1 : -1], d_terms[-1]
    answer_hidden, answer_cell, answer_bias, answer_score = gradients.answer_weights.sum(dim=0).split(
        [hidden * hidden, hidden * cell, hidden, hidden]
    )
    return CascadeWeights(
        score=gradients.score.sum(dim=1),
        reader_table_weight=product(d_reader, steps.tables[:-1]),
        read_weight=product(gradients.firsts, steps.reads),
        row_weight=product(gradients.firsts[1:], steps.notes[:-1]),
        table_weight=product(d_annotator, steps.tables[:-1]),
        hidden_weight=product(gradients.seconds, steps.firsts),
        hidden_bias=gradients.seconds.sum(dim=(1, 2)),
        last_weight=product(gradients.notes, steps.seconds),
        last_bias=gradients.notes.sum(dim=(1, 2)),
        answer_cell_weight=answer_cell.view(hidden, cell),
        answer_row_weight=product(gradients.answer_rows[None], steps.notes[-1:])[0],
        answer_table_weight=d_answer.T @ steps.tables[-1],
        answer_hidden_weight=answer_hidden.view(hidden, hidden),
        answer_hidden_bias=answer_bias,
        answer_score=answer_score,
    )


def _mask(mask: Tensor | None, cells: Tensor) -> Tensor:
    """Returns the mask as bytes; something of the right kind, never read, where there is none."""
    return cells if mask is None else mask.to(torch.uint8).contiguous()


def _settings(inputs: Inputs, weights: CascadeWeights, *, masked: bool) -> dict[str, Any]:
    """Returns the compile-time arguments of the kernels."""
    batch, fields, rows, cell = inputs.cells.shape
    executors, annotation, hidden = weights.last_weight.shape

    def width(size: int) -> int:
        return max(16, int(triton.next_power_of_2(size)))

    exact = torch.get_float32_matmul_precision() == "highest"
    return {
        "EXECUTORS": executors,
        "FIELDS": fields,
        "ROWS": rows,
        "CELL": cell,
        "HIDDEN": hidden,
        "NOTES": annotation,
        "FIELD_WIDTH": width(fields),
        "ROW_WIDTH": width(rows),
        "CELL_WIDTH": width(cell),
        "HIDDEN_WIDTH": width(hidden),
        "NOTES_WIDTH": width(annotation),
        "MASKED": masked,
        "PRECISION": "tf32x3" if exact else "tf32",
        "num_warps": 4 if batch <= SMALL_BATCH else 2,
    }
