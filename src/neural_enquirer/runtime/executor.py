"""Executors: each reads a field of every row and notes what it found; the last says which cell answers."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from neural_enquirer.encoding.table_index import MISSING
from neural_enquirer.runtime.cells import Cells
from neural_enquirer.runtime.layers import Array, Linear, Weights, by_columns, linear, softmax, tanh

FAINTEST = 1e-7
"""A field with less weight is not looked at where rows are many: it would change nothing."""
RELEVANT_ROWS, RELEVANT_TABLE, LINKED_ROWS = "relevant_rows", "relevant_table", "linked_rows"
"""What an annotator gets from other tables: â and ĝ of the paper, and â of the rows that share a value."""
_OF_ROWS = ("read", "rows", RELEVANT_ROWS, LINKED_ROWS)
"""What an annotator sees of each row."""


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
    """Executor-ℓ of the paper (section "Executor").

    The first layers of its reader and of its annotator see much in common. What is the same for all rows goes
    through both of them at once.

    Attributes:
        query: what both make of q, the annotator's bias included.
        field: what the reader makes of f_n, its bias included.
    """

    def __init__(self, weights: Weights) -> None:
        """Takes the weights of one of a model's executors."""
        reader, annotator = weights.part("reader"), weights.part("annotator")
        hidden, first = reader.part("hidden.weight"), annotator.part("first.weight")
        biases = np.concatenate((np.zeros_like(reader["hidden.bias"]), annotator["first.bias"]))
        self.query = Linear(_below(hidden["query"], first["query"]), biases)
        self.field, self._score = Linear(hidden["field"], reader["hidden.bias"]), reader["score.weight"][0]
        self._table = _below(hidden["table"], first["table"]) if "table" in first else None
        self._relevant_table = first.get(RELEVANT_TABLE)
        seen = [first[name] for name in _OF_ROWS if name in first]
        self._rows = by_columns(np.concatenate(seen, axis=1))
        self._reads = len(self._score)
        self._hidden = [annotator.linear(f"hidden.{n}") for n in range(annotator.count("hidden"))]
        self._last = annotator.linear("last")

    def told(self, query: Array, memory: Memory | None) -> tuple[Array, Array]:
        """What the reader and the annotator hear alike for all fields and rows: of q and of g^{ℓ-1}."""
        if memory is not None and self._table is not None:
            query = query + linear(memory.table, self._table)
        return query[: self._reads], query[self._reads :]

    def scores(self, fields: Array, told: Array) -> Array:
        """ω(f_n, q, g) = DNN_1([f_n; q; g]), section "Reader"; their softmax ω̃ are the field weights."""
        return np.asarray(tanh(fields + told) @ self._score)

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
        told: Array,
        before: Memory | None,
        relevant: Relevant | None,
        parts: Sequence[slice],
    ) -> Memory:
        """a_m = DNN_2([r_m; q; a_m^{ℓ-1}; g^{ℓ-1}]), and g, their maximum (section "Annotator").

        The annotations take the place of what was read, which nobody needs any more, if they are as large.
        """
        seen = [read] if before is None else [read, before.rows]
        if relevant is not None and self._relevant_table is not None:
            told = told + linear(relevant.table, self._relevant_table)
            seen += [relevant.rows, relevant.linked]
        weight = self._rows[:, : sum(own.shape[1] for own in seen)]
        size = len(self._last.weight)
        rows = read if read.shape[1] == size else np.empty((len(read), size), np.float32)

        def annotate_some(some: slice) -> None:
            local = np.concatenate([own[some] for own in seen], axis=1) if len(seen) > 1 else read[some]
            hidden = linear(local, weight, told)
            rows[some] = tanh(self._last(through(self._hidden, tanh(hidden))))

        on_all_cores(annotate_some, parts)
        return Memory(rows, np.maximum.reduce(rows, axis=0))


class AnswerExecutor:
    """f_ANS([e_mn; q; a_m; g; f_n]), a DNN whose softmax over all cells is p(w_mn | Q, T).

    Attributes:
        query: what its first layer makes of q.
        field: what it makes of f_n, the bias included.
    """

    def __init__(self, weights: Weights) -> None:
        """Takes the weights of a model's last executor."""
        self._first = weights.part("first.weight")
        bias = weights["first.bias"]
        self.query = Linear(self._first["query"], np.zeros_like(bias))
        self.field = Linear(self._first["field"], bias)
        self._hidden = [weights.linear(f"hidden.{n}") for n in range(weights.count("hidden"))]
        self._score = weights["score.weight"][0]

    def scores(self, cells: Cells, fields: Array, query: Array, memory: Memory) -> Array:
        """The scores of all cells, row by row; missing ones never answer.

        Args:
            cells: of a table.
            fields: what the first layer makes of each f_n.
            query: what it makes of q.
            memory: what the executors before left behind.
        """
        weight = self._first
        per_field = fields + (query + linear(memory.table, weight["table"]))
        scores = np.empty(cells.shape, np.float32)

        def score_some(some: slice) -> None:
            hidden = linear(cells.vectors(some), weight["cell"])
            hidden += linear(memory.rows[some], weight["rows"])
            hidden += per_field[:, None]
            scores[some] = (through(self._hidden, tanh(hidden)) @ self._score).T

        on_all_cores(score_some, cells.slices())
        scores[(cells.table.index.flags & MISSING) > 0] = -np.inf
        return scores


def _below(*matrices: Array) -> Array:
    """Matrices that the same is multiplied with, one below the other."""
    return by_columns(np.concatenate(matrices))


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
