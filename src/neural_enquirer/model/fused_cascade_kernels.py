"""The Triton kernels of the cascade: one program takes one question through all executors, or back.

Arguments are pointers to the tensors of `fused_cascade`'s tuples, in their order. Imported only where Triton
is there.
"""

import triton
import triton.language as tl

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
def forward_kernel(  # type: ignore[no-untyped-def]
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
    """Runs a question through all executors and the answer layer, keeping what the way back needs."""
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
def backward_kernel(  # type: ignore[no-untyped-def]
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
    d_name_terms,
    d_query_terms,
    d_firsts,
    d_seconds,
    d_notes,
    d_answer_rows,
    d_score,
    d_answer_weights,
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
    """Takes the gradients of a question's scores back through the answer layer and all executors."""
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
    d_name_terms += b * FIELDS * EXECUTORS * HIDDEN
    query_terms += b * (2 * EXECUTORS + 1) * HIDDEN
    d_query_terms += b * (2 * EXECUTORS + 1) * HIDDEN
    d_answer_weights += b * (HIDDEN * HIDDEN + HIDDEN * CELL + 2 * HIDDEN)
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
    _put(d_answer_weights, d_w, h, h, HIDDEN, HIDDEN)
    _put(d_answer_weights + HIDDEN * HIDDEN, d_w_e, h, c, HIDDEN, CELL)
    tl.store(d_answer_weights + HIDDEN * HIDDEN + HIDDEN * CELL + h, d_bias, mask=h < HIDDEN)
    tl.store(d_answer_weights + HIDDEN * HIDDEN + HIDDEN * CELL + HIDDEN + h, d_w_s, mask=h < HIDDEN)
    _put(d_answer_rows + b * ROWS * HIDDEN, d_per_row, m, h, ROWS, HIDDEN)
    d_once = tl.sum(d_per_row, axis=0)
    tl.store(d_query_terms + 2 * EXECUTORS * HIDDEN + h, d_once, mask=h < HIDDEN)
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
        tl.store(d_query_terms + (EXECUTORS + layer) * HIDDEN + h, d_once, mask=h < HIDDEN)
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
        tl.store(d_name_terms + at, d_hidden, mask=inside)
        d_once = tl.sum(d_hidden, axis=0)
        tl.store(d_query_terms + layer * HIDDEN + h, d_once, mask=h < HIDDEN)
        d_g += tl.sum(w_g * d_once[:, None], axis=0)
