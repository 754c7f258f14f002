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
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from jaxtyping import Bool, Float, UInt8
from torch import Tensor

if TYPE_CHECKING:
    from neural_enquirer.model.cascade import Cascade

try:
    import triton
    import triton.language as tl
except ImportError:
    triton = None

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
    def of(cls, cascade: "Cascade") -> "CascadeWeights":
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


def usable(cascade: "Cascade", cells: Tensor) -> bool:
    """Whether the kernels can run here: on a GPU, for the paper's depths, max pooling and small tables."""
    sizes = (cascade.hidden_size, cascade.cell_size, cascade.annotation_size, *cells.shape[1:3])
    usual = (cascade.annotator_depth, cascade.answer_depth, cascade.pooling) == (3, 3, "max")
    several = len(cascade.executors) > 1 and not cascade.answer_sees_fields
    return triton is not None and cells.is_cuda and max(sizes) <= LARGEST and usual and several


def run(
    cascade: "Cascade",
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
        _forward_kernel[(batch,)](*inputs, *weights, answer_scores, *steps, batch, **settings)
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
        _backward_kernel[(batch,)](
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


if triton is not None:
    from neural_enquirer.model.fused_recurrence import _tanh

    @triton.jit
    def _tile(start, rows, columns, row_count, column_count):  # type: ignore[no-untyped-def]
        """Loads a row-major matrix into a larger tile, zeros around it."""
        inside = (rows < row_count)[:, None] & (columns < column_count)[None, :]
        return tl.load(start + rows[:, None] * column_count + columns[None, :], mask=inside, other=0.0)

    @triton.jit
    def _put(start, value, rows, columns, row_count, column_count):  # type: ignore[no-untyped-def]
        """Stores the part of a tile that is inside a row-major matrix."""
        inside = (rows < row_count)[:, None] & (columns < column_count)[None, :]
        tl.store(start + rows[:, None] * column_count + columns[None, :], value, mask=inside)

    @triton.jit
    def _line(start, columns, count):  # type: ignore[no-untyped-def]
        return tl.load(start + columns, mask=columns < count, other=0.0)

    @triton.jit
    def _field_weights(scores, there):  # type: ignore[no-untyped-def]
        scores = tl.where(there, scores, -float("inf"))
        weights = tl.exp(scores - tl.max(scores, axis=0))
        return weights / tl.sum(weights, axis=0)

    @triton.jit
    def _forward_kernel(  # type: ignore[no-untyped-def]
        cells,
        name_terms,
        query_terms,
        field_mask,
        row_mask,
        score,
        reader_table_weight,
        read_weight,
        row_weight,
        table_weight,
        hidden_weight,
        hidden_bias,
        last_weight,
        last_bias,
        answer_cell_weight,
        answer_row_weight,
        answer_table_weight,
        answer_hidden_weight,
        answer_hidden_bias,
        answer_score,
        answer_scores,
        field_scores,
        reads,
        firsts,
        seconds,
        notes,
        tables,
        batch,
        EXECUTORS: tl.constexpr,
        FIELDS: tl.constexpr,
        ROWS: tl.constexpr,
        CELL: tl.constexpr,
        HIDDEN: tl.constexpr,
        NOTES: tl.constexpr,
        FIELD_WIDTH: tl.constexpr,
        ROW_WIDTH: tl.constexpr,
        CELL_WIDTH: tl.constexpr,
        HIDDEN_WIDTH: tl.constexpr,
        NOTES_WIDTH: tl.constexpr,
        MASKED: tl.constexpr,
        PRECISION: tl.constexpr,
    ):
        b = tl.program_id(0).to(tl.int64)
        n, m = tl.arange(0, FIELD_WIDTH), tl.arange(0, ROW_WIDTH)
        c, h, k = tl.arange(0, CELL_WIDTH), tl.arange(0, HIDDEN_WIDTH), tl.arange(0, NOTES_WIDTH)
        field_there, row_there = n < FIELDS, m < ROWS
        if MASKED:
            field_there &= tl.load(field_mask + b * FIELDS + n, mask=n < FIELDS, other=0) != 0
            row_there &= tl.load(row_mask + b * ROWS + m, mask=m < ROWS, other=0) != 0
        cells += b * FIELDS * ROWS * CELL
        name_terms += b * FIELDS * EXECUTORS * HIDDEN
        query_terms += b * (2 * EXECUTORS + 1) * HIDDEN
        a = tl.zeros([ROW_WIDTH, NOTES_WIDTH], dtype=tl.float32)  # a_m
        g = tl.zeros([NOTES_WIDTH], dtype=tl.float32)
        for layer in range(EXECUTORS):
            here = layer * batch + b
            later = tl.maximum(layer - 1, 0)  # the first executor multiplies zeros by the second's weights
            # Reader
            w_g = _tile(reader_table_weight + later * HIDDEN * NOTES, h, k, HIDDEN, NOTES)
            once = _line(query_terms + layer * HIDDEN, h, HIDDEN) + tl.sum(w_g * g[None, :], axis=1)
            inside = (n < FIELDS)[:, None] & (h < HIDDEN)[None, :]
            names = tl.load(
                name_terms + n[:, None] * (EXECUTORS * HIDDEN) + layer * HIDDEN + h[None, :],
                mask=inside,
                other=0.0,
            )
            hidden = _tanh(names + once[None, :])
            scores = tl.sum(hidden * _line(score + layer * HIDDEN, h, HIDDEN)[None, :], axis=1)  # ω
            tl.store(field_scores + here * FIELDS + n, scores, mask=n < FIELDS)
            weights = _field_weights(scores, field_there)  # ω̃
            r = tl.zeros([ROW_WIDTH, CELL_WIDTH], dtype=tl.float32)  # r_m
            for field in range(FIELDS):
                weight = tl.sum(tl.where(n == field, weights, 0.0), axis=0)
                r += weight * _tile(cells + field * ROWS * CELL, m, c, ROWS, CELL)
            _put(reads + here * ROWS * CELL, r, m, c, ROWS, CELL)
            # Annotator
            w_g = _tile(table_weight + later * HIDDEN * NOTES, h, k, HIDDEN, NOTES)
            once = _line(query_terms + (EXECUTORS + layer) * HIDDEN, h, HIDDEN)
            once += tl.sum(w_g * g[None, :], axis=1)
            w_r = tl.trans(_tile(read_weight + layer * HIDDEN * CELL, h, c, HIDDEN, CELL))
            w_a = tl.trans(_tile(row_weight + later * HIDDEN * NOTES, h, k, HIDDEN, NOTES))
            first = tl.dot(r, w_r, input_precision=PRECISION) + tl.dot(a, w_a, input_precision=PRECISION)
            first = _tanh(first + once[None, :])
            _put(firsts + here * ROWS * HIDDEN, first, m, h, ROWS, HIDDEN)
            w = tl.trans(_tile(hidden_weight + layer * HIDDEN * HIDDEN, h, h, HIDDEN, HIDDEN))
            bias = _line(hidden_bias + layer * HIDDEN, h, HIDDEN)
            second = _tanh(tl.dot(first, w, input_precision=PRECISION) + bias[None, :])
            _put(seconds + here * ROWS * HIDDEN, second, m, h, ROWS, HIDDEN)
            w = tl.trans(_tile(last_weight + layer * NOTES * HIDDEN, k, h, NOTES, HIDDEN))
            bias = _line(last_bias + layer * NOTES, k, NOTES)
            a = _tanh(tl.dot(second, w, input_precision=PRECISION) + bias[None, :])
            _put(notes + here * ROWS * NOTES, a, m, k, ROWS, NOTES)
            g = tl.max(tl.where(row_there[:, None], a, -float("inf")), axis=0)
            tl.store(tables + here * NOTES + k, g, mask=k < NOTES)
        # Answer
        w_g = _tile(answer_table_weight, h, k, HIDDEN, NOTES)
        once = _line(query_terms + 2 * EXECUTORS * HIDDEN, h, HIDDEN) + tl.sum(w_g * g[None, :], axis=1)
        w_a = tl.trans(_tile(answer_row_weight, h, k, HIDDEN, NOTES))
        per_row = tl.dot(a, w_a, input_precision=PRECISION) + once[None, :]
        w_e = tl.trans(_tile(answer_cell_weight, h, c, HIDDEN, CELL))
        w = tl.trans(_tile(answer_hidden_weight, h, h, HIDDEN, HIDDEN))
        bias = _line(answer_hidden_bias, h, HIDDEN)
        w_s = _line(answer_score, h, HIDDEN)
        for field in range(FIELDS):
            e = _tile(cells + field * ROWS * CELL, m, c, ROWS, CELL)
            first = _tanh(tl.dot(e, w_e, input_precision=PRECISION) + per_row)
            second = _tanh(tl.dot(first, w, input_precision=PRECISION) + bias[None, :])
            scores = tl.sum(second * w_s[None, :], axis=1)
            tl.store(answer_scores + (b * FIELDS + field) * ROWS + m, scores, mask=m < ROWS)

    @triton.jit
    def _backward_kernel(  # type: ignore[no-untyped-def]
        cells,
        name_terms,
        query_terms,
        field_mask,
        row_mask,
        score,
        reader_table_weight,
        read_weight,
        row_weight,
        table_weight,
        hidden_weight,
        hidden_bias,
        last_weight,
        last_bias,
        answer_cell_weight,
        answer_row_weight,
        answer_table_weight,
        answer_hidden_weight,
        answer_hidden_bias,
        answer_score,
        d_answer,
        d_fields,
        field_scores,
        reads,
        firsts,
        seconds,
        notes,
        tables,
        d_cells,
        d_names,
        d_query,
        d_firsts,
        d_seconds,
        d_notes,
        d_rows,
        d_score,
        partial,
        batch,
        EXECUTORS: tl.constexpr,
        FIELDS: tl.constexpr,
        ROWS: tl.constexpr,
        CELL: tl.constexpr,
        HIDDEN: tl.constexpr,
        NOTES: tl.constexpr,
        FIELD_WIDTH: tl.constexpr,
        ROW_WIDTH: tl.constexpr,
        CELL_WIDTH: tl.constexpr,
        HIDDEN_WIDTH: tl.constexpr,
        NOTES_WIDTH: tl.constexpr,
        MASKED: tl.constexpr,
        PRECISION: tl.constexpr,
    ):
        b = tl.program_id(0).to(tl.int64)
        n, m = tl.arange(0, FIELD_WIDTH), tl.arange(0, ROW_WIDTH)
        c, h, k = tl.arange(0, CELL_WIDTH), tl.arange(0, HIDDEN_WIDTH), tl.arange(0, NOTES_WIDTH)
        field_there, row_there = n < FIELDS, m < ROWS
        if MASKED:
            field_there &= tl.load(field_mask + b * FIELDS + n, mask=n < FIELDS, other=0) != 0
            row_there &= tl.load(row_mask + b * ROWS + m, mask=m < ROWS, other=0) != 0
        cells += b * FIELDS * ROWS * CELL
        d_cells += b * FIELDS * ROWS * CELL
        name_terms += b * FIELDS * EXECUTORS * HIDDEN
        d_names += b * FIELDS * EXECUTORS * HIDDEN
        query_terms += b * (2 * EXECUTORS + 1) * HIDDEN
        d_query += b * (2 * EXECUTORS + 1) * HIDDEN
        partial += b * (HIDDEN * HIDDEN + HIDDEN * CELL + 2 * HIDDEN)
        # Answer
        here = (EXECUTORS - 1) * batch + b
        a = _tile(notes + here * ROWS * NOTES, m, k, ROWS, NOTES)
        g = _line(tables + here * NOTES, k, NOTES)
        w_g = _tile(answer_table_weight, h, k, HIDDEN, NOTES)
        once = _line(query_terms + 2 * EXECUTORS * HIDDEN, h, HIDDEN) + tl.sum(w_g * g[None, :], axis=1)
        w_a = _tile(answer_row_weight, h, k, HIDDEN, NOTES)
        per_row = tl.dot(a, tl.trans(w_a), input_precision=PRECISION) + once[None, :]
        w_e = _tile(answer_cell_weight, h, c, HIDDEN, CELL)
        w = _tile(answer_hidden_weight, h, h, HIDDEN, HIDDEN)
        bias = _line(answer_hidden_bias, h, HIDDEN)
        w_s = _line(answer_score, h, HIDDEN)
        d_per_row = tl.zeros([ROW_WIDTH, HIDDEN_WIDTH], dtype=tl.float32)
        d_w = tl.zeros([HIDDEN_WIDTH, HIDDEN_WIDTH], dtype=tl.float32)
        d_w_e = tl.zeros([HIDDEN_WIDTH, CELL_WIDTH], dtype=tl.float32)
        d_bias = tl.zeros([HIDDEN_WIDTH], dtype=tl.float32)
        d_w_s = tl.zeros([HIDDEN_WIDTH], dtype=tl.float32)
        for field in range(FIELDS):
            e = _tile(cells + field * ROWS * CELL, m, c, ROWS, CELL)
            first = _tanh(tl.dot(e, tl.trans(w_e), input_precision=PRECISION) + per_row)
            second = _tanh(tl.dot(first, tl.trans(w), input_precision=PRECISION) + bias[None, :])
            d_s = tl.load(d_answer + (b * FIELDS + field) * ROWS + m, mask=m < ROWS, other=0.0)
            d_w_s += tl.sum(second * d_s[:, None], axis=0)
            d_second = d_s[:, None] * w_s[None, :] * (1 - second * second)
            d_bias += tl.sum(d_second, axis=0)
            d_w += tl.dot(tl.trans(d_second), first, input_precision=PRECISION)
            d_first = tl.dot(d_second, w, input_precision=PRECISION) * (1 - first * first)
            d_per_row += d_first
            d_w_e += tl.dot(tl.trans(d_first), e, input_precision=PRECISION)
            d_e = tl.dot(d_first, w_e, input_precision=PRECISION)
            _put(d_cells + field * ROWS * CELL, d_e, m, c, ROWS, CELL)
        tl.debug_barrier()  # other threads of the program add to these gradients next
        _put(partial, d_w, h, h, HIDDEN, HIDDEN)
        _put(partial + HIDDEN * HIDDEN, d_w_e, h, c, HIDDEN, CELL)
        tl.store(partial + HIDDEN * HIDDEN + HIDDEN * CELL + h, d_bias, mask=h < HIDDEN)
        tl.store(partial + HIDDEN * HIDDEN + HIDDEN * CELL + HIDDEN + h, d_w_s, mask=h < HIDDEN)
        _put(d_rows + b * ROWS * HIDDEN, d_per_row, m, h, ROWS, HIDDEN)
        d_once = tl.sum(d_per_row, axis=0)
        tl.store(d_query + 2 * EXECUTORS * HIDDEN + h, d_once, mask=h < HIDDEN)
        d_a = tl.dot(d_per_row, w_a, input_precision=PRECISION)
        d_g = tl.sum(w_g * d_once[:, None], axis=0)
        for back in range(EXECUTORS):
            layer = EXECUTORS - 1 - back
            here = layer * batch + b
            later = tl.maximum(layer - 1, 0)
            before = later * batch + b
            # Pooling: a maximum passes its gradient to the first row that attains it
            a = _tile(notes + here * ROWS * NOTES, m, k, ROWS, NOTES)
            top = tl.argmax(tl.where(row_there[:, None], a, -float("inf")), axis=0, tie_break_left=True)
            d_a += tl.where(m[:, None] == top[None, :], d_g[None, :], 0.0)
            # Annotator
            d_a = d_a * (1 - a * a)
            _put(d_notes + here * ROWS * NOTES, d_a, m, k, ROWS, NOTES)
            second = _tile(seconds + here * ROWS * HIDDEN, m, h, ROWS, HIDDEN)
            w = _tile(last_weight + layer * NOTES * HIDDEN, k, h, NOTES, HIDDEN)
            d_second = tl.dot(d_a, w, input_precision=PRECISION) * (1 - second * second)
            _put(d_seconds + here * ROWS * HIDDEN, d_second, m, h, ROWS, HIDDEN)
            first = _tile(firsts + here * ROWS * HIDDEN, m, h, ROWS, HIDDEN)
            w = _tile(hidden_weight + layer * HIDDEN * HIDDEN, h, h, HIDDEN, HIDDEN)
            d_first = tl.dot(d_second, w, input_precision=PRECISION) * (1 - first * first)
            _put(d_firsts + here * ROWS * HIDDEN, d_first, m, h, ROWS, HIDDEN)
            w_r = _tile(read_weight + layer * HIDDEN * CELL, h, c, HIDDEN, CELL)
            d_r = tl.dot(d_first, w_r, input_precision=PRECISION)
            w_a = _tile(row_weight + later * HIDDEN * NOTES, h, k, HIDDEN, NOTES)
            d_a = tl.dot(d_first, w_a, input_precision=PRECISION)
            d_once = tl.sum(d_first, axis=0)
            tl.store(d_query + (EXECUTORS + layer) * HIDDEN + h, d_once, mask=h < HIDDEN)
            w_g = _tile(table_weight + later * HIDDEN * NOTES, h, k, HIDDEN, NOTES)
            d_g = tl.sum(w_g * d_once[:, None], axis=0)
            # Reader
            scores = tl.load(field_scores + here * FIELDS + n, mask=n < FIELDS, other=0.0)
            weights = _field_weights(scores, field_there)
            d_weights = tl.zeros([FIELD_WIDTH], dtype=tl.float32)
            for field in range(FIELDS):
                e = _tile(cells + field * ROWS * CELL, m, c, ROWS, CELL)
                d_weights += tl.where(n == field, tl.sum(tl.sum(d_r * e, axis=1), axis=0), 0.0)
                weight = tl.sum(tl.where(n == field, weights, 0.0), axis=0)
                d_e = _tile(d_cells + field * ROWS * CELL, m, c, ROWS, CELL) + weight * d_r
                _put(d_cells + field * ROWS * CELL, d_e, m, c, ROWS, CELL)
            tl.debug_barrier()
            d_s = weights * (d_weights - tl.sum(weights * d_weights, axis=0))
            d_s += tl.load(d_fields + here * FIELDS + n, mask=n < FIELDS, other=0.0)
            g = _line(tables + before * NOTES, k, NOTES) * tl.where(layer > 0, 1.0, 0.0)
            w_g = _tile(reader_table_weight + later * HIDDEN * NOTES, h, k, HIDDEN, NOTES)
            once = _line(query_terms + layer * HIDDEN, h, HIDDEN) + tl.sum(w_g * g[None, :], axis=1)
            inside = (n < FIELDS)[:, None] & (h < HIDDEN)[None, :]
            at = n[:, None] * (EXECUTORS * HIDDEN) + layer * HIDDEN + h[None, :]
            names = tl.load(name_terms + at, mask=inside, other=0.0)
            hidden = _tanh(names + once[None, :])
            tl.store(d_score + here * HIDDEN + h, tl.sum(hidden * d_s[:, None], axis=0), mask=h < HIDDEN)
            w_s = _line(score + layer * HIDDEN, h, HIDDEN)
            d_hidden = d_s[:, None] * w_s[None, :] * (1 - hidden * hidden)
            tl.store(d_names + at, d_hidden, mask=inside)
            d_once = tl.sum(d_hidden, axis=0)
            tl.store(d_query + layer * HIDDEN + h, d_once, mask=h < HIDDEN)
            d_g += tl.sum(w_g * d_once[:, None], axis=0)
