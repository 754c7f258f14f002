"""Neural Enquirer as the paper writes it, in one file to be read beside it; the fast model is held to it.

Every DNN gets its inputs concatenated, the GRU takes word after word, and nothing is looked up ahead, shared
or fused. `NeuralEnquirer` computes the same, faster: tests compare scores, annotations and
gradients, given the same weights (`reference_weights`). Numbers of equations and titles are the paper's.

What the paper leaves open: annotations end in tanh, scores have no bias (their softmax would not show it),
the memory before the first layer is empty, and f̂_POOL takes the maximum, as f_POOL does.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from neural_enquirer.encoding.batch import Batch, TableCodes
from neural_enquirer.encoding.words import PADDING
from neural_enquirer.model.enquirer import ModelConfig
from neural_enquirer.model.executor import Memory
from neural_enquirer.model.layers import TypedList
from neural_enquirer.model.output import Asked, Output, TableOutput
from neural_enquirer.model.query_encoder import reversed_words


def dnn(inputs: int, hidden: int, outputs: int, depth: int, *, bias: bool = True) -> nn.Sequential:
    """A DNN of `depth` layers with tanh between them."""
    layers: list[nn.Module] = []
    for before, after in itertools.pairwise([inputs, *[hidden] * (depth - 1)]):
        layers += [nn.Linear(before, after), nn.Tanh()]
    return nn.Sequential(*layers, nn.Linear(hidden, outputs, bias=bias))


def side_by_side(*parts: Float[Tensor, "..."]) -> Float[Tensor, "..."]:
    """The concatenation [x; y; …]; a part of size 1 is repeated where others are larger."""
    sizes = torch.broadcast_shapes(*(part.shape[:-1] for part in parts))
    return torch.cat([part.expand(*sizes, part.shape[-1]) for part in parts], dim=-1)


def hide(scores: Float[Tensor, "..."], there: Bool[Tensor, "..."] | None) -> Float[Tensor, "..."]:
    """Takes what is only padding out of a softmax or a maximum; `there` is None where nothing is."""
    return scores if there is None else scores.masked_fill(~there, -torch.inf)


class GRU(nn.Module):
    """The last state of a gated recurrent unit (appendix "Computation of Query Encoder").

    It has no bias: a zero vector leaves a zero state at zero, so padding before a question does nothing.
    """

    def __init__(self, embedding_size: int, state_size: int, *, reset_after: bool) -> None:
        """Makes a unit; `reset_after` chooses the variant of cuDNN, which is not the paper's."""
        super().__init__()
        self.state_size, self.reset_after = state_size, reset_after
        self.w_z, self.w_r, self.w = (nn.Linear(embedding_size, state_size, bias=False) for _ in range(3))
        self.u_z, self.u_r, self.u = (nn.Linear(state_size, state_size, bias=False) for _ in range(3))

    def forward(self, x: Float[Tensor, "batch token embedding"]) -> Float[Tensor, "batch state"]:
        """Reads the word embeddings x_1 to x_T."""
        h = x.new_zeros(len(x), self.state_size)  # h_0
        for x_t in x.unbind(dim=1):
            z = torch.sigmoid(self.w_z(x_t) + self.u_z(h))  # z_t = σ(W_z x_t + U_z h_{t-1})
            r = torch.sigmoid(self.w_r(x_t) + self.u_r(h))  # r_t = σ(W_r x_t + U_r h_{t-1})
            kept = r * self.u(h) if self.reset_after else self.u(r * h)  # U (r_t ∘ h_{t-1})
            new = torch.tanh(self.w(x_t) + kept)  # h̃_t = tanh(W x_t + U (r_t ∘ h_{t-1}))
            h = z * h + (1 - z) * new  # h_t = z_t h_{t-1} + (1 - z_t) h̃_t
        return h


@dataclass(frozen=True)
class EncodedTable:
    """A table T of M rows and N fields; the masks say what is not padding, None where all is there.

    Attributes:
        f: the embeddings f_n of the field names.
        e: the embeddings e_mn of the entries.
        field_mask: which fields are there.
        row_mask: which rows are there.
    """

    f: Float[Tensor, "batch field embedding"]
    e: Float[Tensor, "batch row field cell"]
    field_mask: Bool[Tensor, "batch field"] | None
    row_mask: Bool[Tensor, "batch row"] | None

    def empty_memory(self) -> Memory:
        """M^0: annotations without a number in them."""
        batch, rows = self.e.shape[:2]
        return Memory(rows=self.e.new_zeros(batch, rows, 0), table=self.e.new_zeros(batch, 0))


class Encoders(nn.Module):
    """Query Encoder and Table Encoder (sections of these names)."""

    def __init__(self, config: ModelConfig, words: int) -> None:
        """Makes the encoders for a vocabulary of so many words."""
        super().__init__()
        if config.linked:
            raise ValueError("the reference is the paper's model: without links between tables")
        d, state = config.embedding_size, config.state_size
        self.embedding = nn.Embedding(words, d, padding_idx=PADDING)  # L
        self.ahead: nn.Module = GRU(d, state, reset_after=config.reset_after)
        self.back: nn.Module = GRU(d, state, reset_after=config.reset_after)
        self.dnn_0 = nn.Linear(2 * d, config.cell_size)
        self.mention = nn.Parameter(torch.zeros(config.cell_size)) if config.grounded else None

    def encode_query(self, words: Int[Tensor, "batch token"]) -> Float[Tensor, "batch query"]:
        """Returns q, the last states of the forward and the backward GRU."""
        ahead = self.ahead(self.embedding(words))  # x_t = L[w_t]
        back = self.back(self.embedding(reversed_words(words)))
        return torch.cat((ahead, back), dim=1)

    def encode_table(self, table: TableCodes) -> EncodedTable:
        """Returns e_mn = DNN_0([L[w_mn]; f_n]) = tanh(W [L[w_mn]; f_n] + b), and f_n."""
        f = self.embedding(table.fields)  # f_n
        total = self.dnn_0(side_by_side(self.embedding(table.cells), f[:, None]))  # W [L[w_mn]; f_n] + b
        if self.mention is not None:  # beyond the paper: the cell is mentioned in the question
            total = total + table.mentions[..., None] * self.mention
        return EncodedTable(f, torch.tanh(total), table.field_mask, table.row_mask)


class Executor(nn.Module):
    """Executor-ℓ but the last: a Reader and an Annotator (section "Executor")."""

    def __init__(self, config: ModelConfig, *, before: int, relevant: int = 0) -> None:
        """Makes an executor.

        Args:
            config: sizes and choices.
            before: the length of the annotations in memory, zero before the first executor.
            relevant: the length of those that come from other tables, zero where there are none.
        """
        super().__init__()
        d, cell, query = config.embedding_size, config.cell_size, 2 * config.state_size
        inputs = cell + query + 2 * before + 2 * relevant
        self.dnn_1 = dnn(d + query + before, config.hidden_size, 1, 2, bias=False)
        self.dnn_2 = dnn(inputs, config.hidden_size, config.annotation_size, config.annotator_depth)

    def read(
        self, table: EncodedTable, q: Float[Tensor, "batch query"], memory: Memory
    ) -> tuple[Float[Tensor, "batch row cell"], Float[Tensor, "batch field"]]:
        """Returns the read vectors r_m (equation 1), and the scores ω of the fields."""
        g = memory.table  # g^{ℓ-1}
        scores = self.dnn_1(side_by_side(table.f, q[:, None], g[:, None])).squeeze(2)  # ω(f_n, q, g)
        scores = hide(scores, table.field_mask)
        weights = scores.softmax(dim=1)  # ω̃(f_n, q, g), equation 3
        return (weights[:, None, :, None] * table.e).sum(dim=2), scores  # r_m = Σ_n ω̃ e_mn

    def annotate(
        self,
        r: Float[Tensor, "batch row cell"],
        q: Float[Tensor, "batch query"],
        memory: Memory,
        row_mask: Bool[Tensor, "batch row"] | None,
        relevant: Sequence[Float[Tensor, "batch _ annotation"]] = (),
    ) -> Memory:
        """Returns M^ℓ; `relevant` is what comes from other tables, â_m and ĝ."""
        a, g = memory.rows, memory.table  # a_m^{ℓ-1}, g^{ℓ-1}
        inputs = side_by_side(r, q[:, None], a, g[:, None], *relevant)
        a = torch.tanh(self.dnn_2(inputs))  # a_m = DNN_2([r_m; q; a_m; g]), equation 4
        g = hide(a, None if row_mask is None else row_mask[..., None]).max(dim=1).values  # equation 5
        return Memory(rows=a, table=g)


class AnswerExecutor(nn.Module):
    """The last executor (section "Last Layer of Executor")."""

    def __init__(self, config: ModelConfig) -> None:
        """Makes the DNN f_ANS."""
        super().__init__()
        inputs = config.cell_size + 2 * config.state_size + 2 * config.annotation_size
        self.f_ans = dnn(inputs, config.hidden_size, 1, config.answer_depth, bias=False)

    def forward(
        self, table: EncodedTable, q: Float[Tensor, "batch query"], memory: Memory
    ) -> Float[Tensor, "batch row field"]:
        """Returns f_ANS(e_mn, q, a_m, g), whose softmax over all entries is p(w_mn | Q, T), equation 6."""
        a, g = memory.rows, memory.table
        inputs = side_by_side(table.e, q[:, None, None], a[:, :, None], g[:, None, None])
        scores: Tensor = self.f_ans(inputs).squeeze(3)
        if table.row_mask is None or table.field_mask is None:
            return scores
        return hide(scores, table.row_mask[:, :, None] & table.field_mask[:, None])


class ReferenceEnquirer(Encoders):
    """Neural Enquirer on one table (section "Model")."""

    def __init__(self, config: ModelConfig, words: int) -> None:
        """Makes a model for a vocabulary of so many words."""
        super().__init__(config, words)
        lengths = [0, *[config.annotation_size] * (config.executors - 2)]
        self.executors = TypedList[Executor](Executor(config, before=length) for length in lengths)
        self.answer = AnswerExecutor(config)

    def forward(self, batch: Batch) -> Output:
        """Answers a batch of questions."""
        q, table = self.encode_query(batch.words), self.encode_table(batch.table)
        memory = table.empty_memory()  # M^0
        memories, field_scores = [], []
        for executor in self.executors:
            r, scores = executor.read(table, q, memory)
            memory = executor.annotate(r, q, memory, table.row_mask)  # M^ℓ
            memories.append(memory)
            field_scores.append(scores)
        answer = self.answer(table, q, memory)
        return Output.of_one(TableOutput(answer, tuple(field_scores), tuple(memories)))


class JoiningExecutor(Executor):
    """Executor-(ℓ, k) but the first: it also sees what was found in other tables."""

    def __init__(self, config: ModelConfig) -> None:
        """Makes an executor with its attention γ, a DNN of two layers."""
        annotation = config.annotation_size
        super().__init__(config, before=annotation, relevant=annotation)
        inputs = config.cell_size + 2 * config.state_size + 4 * annotation
        self.gamma = dnn(inputs, config.hidden_size, 1, 2, bias=False)

    def attend(
        self,
        r: Float[Tensor, "batch row cell"],
        q: Float[Tensor, "batch query"],
        own: Memory,
        other: Memory,
        other_mask: Bool[Tensor, "batch other"] | None,
    ) -> Float[Tensor, "batch row other"]:
        """Returns the softmax of γ: how much each row of a table asks of each row of another one."""
        inputs = side_by_side(
            r[:, :, None],  # r_km
            q[:, None, None],
            own.rows[:, :, None],  # a_km
            other.rows[:, None],  # a_k'm'
            own.table[:, None, None],  # g_k
            other.table[:, None, None],  # g_k'
        )
        scores = self.gamma(inputs).squeeze(3)  # γ(r_km, q, a_km, a_k'm', g_k, g_k')
        return hide(scores, None if other_mask is None else other_mask[:, None]).softmax(dim=2)


@dataclass(frozen=True)
class Step:
    """What Executor-(ℓ, k) did.

    Attributes:
        memory: M_k^ℓ.
        field_scores: ω.
        weights: by table k', the softmax of γ over its rows.
    """

    memory: Memory
    field_scores: Float[Tensor, "batch field"]
    weights: Mapping[int, Float[Tensor, "batch row _"]]


class ReferenceEnquirerM(Encoders):
    """Neural Enquirer-M on two tables or more (appendix "Handling Multiple Tables").

    A layer has one executor for each table, or, with one set of executors, the same one for all.
    """

    def __init__(self, config: ModelConfig, words: int) -> None:
        """Makes a model for a vocabulary of so many words."""
        super().__init__(config, words)
        sets, later = range(config.executor_sets), range(config.executors - 2)
        self.first = TypedList[Executor](Executor(config, before=0) for _ in sets)
        self.later = TypedList[TypedList[JoiningExecutor]](
            TypedList[JoiningExecutor](JoiningExecutor(config) for _ in sets) for _ in later
        )
        self.answer = TypedList[AnswerExecutor](AnswerExecutor(config) for _ in sets)

    def forward(self, batch: Batch) -> Output:
        """Answers a batch of questions."""
        q, tables = self.encode_query(batch.words), [self.encode_table(table) for table in batch.tables]
        layers = [[self._first_step(k, table, q) for k, table in enumerate(tables)]]
        for executors in self.later:
            before = [step.memory for step in layers[-1]]  # M_k^{ℓ-1}
            layers.append(
                [self._step(executors[k % len(executors)], k, q, tables, before) for k in range(len(tables))]
            )
        outputs = []
        for k, (table, steps) in enumerate(zip(tables, zip(*layers, strict=True), strict=True)):
            answer = self.answer[k % len(self.answer)]
            memories = tuple(step.memory for step in steps)
            field_scores = tuple(step.field_scores for step in steps)
            outputs.append(TableOutput(answer(table, q, memories[-1]), field_scores, memories))
        asked = (
            {(k, j): own for k, step in enumerate(layer) for j, own in step.weights.items()}
            for layer in layers
        )
        return Output(tuple(outputs), tuple(map(Asked, asked)))

    def _first_step(self, k: int, table: EncodedTable, q: Float[Tensor, "batch query"]) -> Step:
        """Executor-(1, k): nothing was found yet in any table."""
        executor, memory = self.first[k % len(self.first)], table.empty_memory()
        r, scores = executor.read(table, q, memory)
        return Step(executor.annotate(r, q, memory, table.row_mask), scores, weights={})

    def _step(
        self,
        executor: JoiningExecutor,
        k: int,
        q: Float[Tensor, "batch query"],
        tables: Sequence[EncodedTable],
        before: Sequence[Memory],
    ) -> Step:
        """Executor-(ℓ, k): reads table k, asks the others k', and annotates."""
        others = [j for j in range(len(tables)) if j != k]
        r, scores = executor.read(tables[k], q, before[k])  # r_km
        weights = {j: executor.attend(r, q, before[k], before[j], tables[j].row_mask) for j in others}
        fetched = [weights[j] @ before[j].rows for j in others]  # ā_kk'm
        a_hat = torch.stack(fetched).amax(dim=0)  # â_km = f̂_POOL of all ā_kk'm
        g_hat = torch.stack([before[j].table for j in others]).amax(dim=0)  # ĝ_k = f̂_POOL of all g_k'
        memory = executor.annotate(r, q, before[k], tables[k].row_mask, (a_hat, g_hat[:, None]))
        return Step(memory, scores, weights)
