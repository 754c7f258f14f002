"""Executors: each reads a field of every row and notes what it found; the last says which cell answers."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from neural_enquirer.encoding.table_index import MISSING
from neural_enquirer.runtime.cells import Cells
from neural_enquirer.runtime.layers import Array, Linear, Weights, linear, softmax, tanh

FAINTEST = 1e-7
"""A field with less weight is not looked at where rows are many: it would change nothing."""
RELEVANT_ROWS, RELEVANT_TABLE, LINKED_ROWS = "relevant_rows", "relevant_table", "linked_rows"
"""What an annotator gets from other tables: â and ĝ of the paper, and â of the rows that share a value."""


@dataclass(frozen=True)
class Memory:
    """M^ℓ, what an executor left behind: the row annotations a_m and the table annotation g."""

    rows: Array
    table: Array


@dataclass(frozen=True)
class Relevant:
    """What other tables tell: â of each row, ĝ, and what the rows tell that share a value with a row."""

    rows: Array
    table: Array
    linked: Array


class Executor:
    """Executor-ℓ of the paper (section "Executor")."""

    def __init__(self, weights: Weights) -> None:
        """Takes the weights of one of a model's executors."""
        reader, annotator = weights.part("reader"), weights.part("annotator")
        self._reader, self._reader_bias = reader.part("hidden.weight"), reader["hidden.bias"]
        self._score = reader["score.weight"][0]
        self._annotator, self._annotator_bias = annotator.part("first.weight"), annotator["first.bias"]
        self._hidden = [annotator.linear(f"hidden.{n}") for n in range(annotator.count("hidden"))]
        self._last = annotator.linear("last")

    def scores(self, names: Array, query: Array, memory: Memory | None) -> Array:
        """ω(f_n, q, g) = DNN_1([f_n; q; g]), section "Reader"; their softmax ω̃ are the field weights."""
        weight = self._reader
        hidden = linear(names, weight["field"]) + linear(query, weight["query"], self._reader_bias)
        if memory is not None:
            hidden += linear(memory.table, weight["table"])
        return np.asarray(tanh(hidden) @ self._score)

    def read(self, cells: Cells, scores: Array) -> Array:
        """r_m = Σ_n ω̃_n e_mn: the same field of every row, since the weights never see a cell's value."""
        weights = softmax(scores)
        if cells.kept is not None:
            return _read(weights, cells.kept)
        fields = np.flatnonzero(weights > FAINTEST)
        read = np.empty((cells.shape[0], cells.omega.shape[1]), np.float32)

        def read_some(some: slice) -> None:
            read[some] = _read(weights[fields], cells.vectors(some, fields))

        on_all_cores(read_some, cells.slices())
        return read

    def annotate(
        self,
        read: Array,
        query: Array,
        before: Memory | None,
        relevant: Relevant | None,
        parts: Sequence[slice],
    ) -> Memory:
        """a_m = DNN_2([r_m; q; a_m^{ℓ-1}; g^{ℓ-1}]), and g, their maximum (section "Annotator").

        The annotations take the place of what was read, which nobody needs any more, if they are as large.
        """
        weight = self._annotator
        once = linear(query, weight["query"], self._annotator_bias)
        if before is not None:
            once += linear(before.table, weight["table"])
        if relevant is not None:
            once += linear(relevant.table, weight[RELEVANT_TABLE])
        size = len(self._last.weight)
        rows = read if read.shape[1] == size else np.empty((len(read), size), np.float32)

        def annotate_some(some: slice) -> None:
            local = linear(read[some], weight["read"])
            if before is not None:
                local += linear(before.rows[some], weight["rows"])
            if relevant is not None:
                local += linear(relevant.rows[some], weight[RELEVANT_ROWS])
                local += linear(relevant.linked[some], weight[LINKED_ROWS])
            local += once
            rows[some] = tanh(self._last(through(self._hidden, tanh(local))))

        on_all_cores(annotate_some, parts)
        return Memory(rows, rows.max(axis=0))


class AnswerExecutor:
    """f_ANS([e_mn; q; a_m; g; f_n]), a DNN whose softmax over all cells is p(w_mn | Q, T)."""

    def __init__(self, weights: Weights) -> None:
        """Takes the weights of a model's last executor."""
        self._first, self._bias = weights.part("first.weight"), weights["first.bias"]
        self._hidden = [weights.linear(f"hidden.{n}") for n in range(weights.count("hidden"))]
        self._score = weights["score.weight"][0]

    def scores(self, cells: Cells, names: Array, query: Array, memory: Memory) -> Array:
        """The scores of all cells, row by row; missing ones never answer."""
        weight = self._first
        once = linear(query, weight["query"], self._bias) + linear(memory.table, weight["table"])
        per_field = linear(names, weight["field"]) + once
        scores = np.empty(cells.shape, np.float32)

        def score_some(some: slice) -> None:
            hidden = linear(cells.vectors(some), weight["cell"])
            hidden += linear(memory.rows[some], weight["rows"])
            hidden += per_field[:, None]
            scores[some] = (through(self._hidden, tanh(hidden)) @ self._score).T

        on_all_cores(score_some, cells.slices())
        scores[(cells.table.index.flags & MISSING) > 0] = -np.inf
        return scores


def _read(weights: Array, vectors: Array) -> Array:
    return np.asarray((weights @ vectors.reshape(len(vectors), -1)).reshape(vectors.shape[1:]))


def through(layers: Sequence[Linear], hidden: Array) -> Array:
    """Passes through further hidden layers, each with tanh."""
    for layer in layers:
        hidden = tanh(layer(hidden))
    return hidden


def on_all_cores(function: Callable[[slice], None], parts: Sequence[slice]) -> None:
    """Does the work on some rows after the other, or at once where there is more to do than for one core."""
    workers = 1 if len(parts) == 1 else min(len(parts), cores())
    if workers == 1:
        for part in parts:
            function(part)
        return
    from concurrent.futures import ThreadPoolExecutor  # which the many short tables do without

    with ThreadPoolExecutor(workers) as pool:
        for done in [pool.submit(function, part) for part in parts]:
            done.result()


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
