"""Neural Enquirer written down as plainly as the paper does: the yardstick for speed and the check for the fast model.

Every DNN gets its inputs concatenated, the GRU is `nn.GRU` over questions padded to one size, nothing is looked up
ahead or shared between executors.
"""

import torch
from torch import Tensor, nn

from neural_enquirer.encoding.batch import Batch
from neural_enquirer.model.enquirer import ModelConfig, NeuralEnquirer, Output
from neural_enquirer.model.executor import Memory
from neural_enquirer.model.factored_linear import FactoredLinear
from neural_enquirer.model.query_encoder import reversed_words


class PaperGRU(nn.Module):
    """The appendix's update rule, word by word; `nn.GRU` has only the variant that resets after the product."""

    def __init__(self, input_size: int, state_size: int) -> None:
        super().__init__()
        self.weight_ih_l0 = nn.Parameter(torch.empty(3 * state_size, input_size))
        self.weight_hh_l0 = nn.Parameter(torch.empty(3 * state_size, state_size))

    def forward(self, inputs: Tensor) -> tuple[None, Tensor]:
        size = self.weight_hh_l0.shape[1]
        w_r, w_z, w = self.weight_ih_l0.split(size)
        u_r, u_z, u = self.weight_hh_l0.split(size)
        state = inputs.new_zeros(len(inputs), size)
        for x in inputs.unbind(1):
            z = torch.sigmoid(x @ w_z.T + state @ u_z.T)
            r = torch.sigmoid(x @ w_r.T + state @ u_r.T)
            candidate = torch.tanh(x @ w.T + (r * state) @ u.T)
            state = z * state + (1 - z) * candidate
        return None, state[None]


def dnn(inputs: int, hidden: int, outputs: int, depth: int, *, bias: bool = True) -> nn.Sequential:
    """A DNN of `depth` layers with tanh between them."""
    sizes = [inputs, *[hidden] * (depth - 1)]
    layers: list[nn.Module] = []
    for before, after in zip(sizes[:-1], sizes[1:], strict=True):
        layers += [nn.Linear(before, after), nn.Tanh()]
    return nn.Sequential(*layers, nn.Linear(hidden, outputs, bias=bias))


class PlainEnquirer(nn.Module):
    """The same function as `NeuralEnquirer` for tables without padding and max pooling."""

    def __init__(self, config: ModelConfig, words: int) -> None:
        super().__init__()
        d, query, notes = config.embedding_size, 2 * config.state_size, config.annotation_size
        hidden, cell = config.hidden_size, config.cell_size
        self.config = config
        self.embedding = nn.Embedding(words, d, padding_idx=0)
        if config.reset_after:
            self.forward_gru: nn.Module = nn.GRU(d, config.state_size, bias=False, batch_first=True)
            self.backward_gru: nn.Module = nn.GRU(d, config.state_size, bias=False, batch_first=True)
        else:
            self.forward_gru = PaperGRU(d, config.state_size)
            self.backward_gru = PaperGRU(d, config.state_size)
        self.compose = nn.Linear(2 * d, cell)
        self.mention = nn.Parameter(torch.zeros(cell)) if config.grounded else None
        memory = [0] + [notes] * (config.executors - 2)
        self.readers = nn.ModuleList(dnn(d + query + m, hidden, 1, 2, bias=False) for m in memory)
        self.annotators = nn.ModuleList(
            dnn(cell + query + 2 * m, hidden, notes, config.annotator_depth) for m in memory
        )
        self.answer = dnn(cell + query + 2 * notes, hidden, 1, config.answer_depth, bias=False)

    def forward(self, batch: Batch) -> Output:
        """Answers a batch of questions."""
        rows, fields = batch.cells.shape[1:]
        q = self.encode_query(batch.words)
        f = self.embedding(batch.fields)
        e = self.encode_table(batch, f)
        memory: Memory | None = None
        memories, field_scores = [], []
        for reader, annotator in zip(self.readers, self.annotators, strict=True):
            per_field = [f, q[:, None].expand(-1, fields, -1)]
            if memory is not None:
                per_field.append(memory.table[:, None].expand(-1, fields, -1))
            scores = reader(torch.cat(per_field, dim=2)).squeeze(2)
            weights = torch.softmax(scores, dim=1)
            r = (weights[:, None, :, None] * e).sum(dim=2)
            per_row = [r, q[:, None].expand(-1, rows, -1)]
            if memory is not None:
                per_row += [memory.rows, memory.table[:, None].expand(-1, rows, -1)]
            a = torch.tanh(annotator(torch.cat(per_row, dim=2)))
            memory = Memory(a, a.max(dim=1).values)
            memories.append(memory)
            field_scores.append(scores)
        assert memory is not None
        per_cell = [
            e,
            q[:, None, None].expand(-1, rows, fields, -1),
            memory.rows[:, :, None].expand(-1, -1, fields, -1),
            memory.table[:, None, None].expand(-1, rows, fields, -1),
        ]
        answer_scores = self.answer(torch.cat(per_cell, dim=3)).squeeze(3)
        return Output(answer_scores, tuple(field_scores), tuple(memories))

    def encode_query(self, words: Tensor) -> Tensor:
        """Runs both GRUs over the padded questions; without bias the padding before a question does nothing."""
        _, ahead = self.forward_gru(self.embedding(words))
        _, back = self.backward_gru(self.embedding(reversed_words(words)))
        return torch.cat((ahead[0], back[0]), dim=1)

    def encode_table(self, batch: Batch, f: Tensor) -> Tensor:
        """Composes every cell's embedding from its value and its field."""
        values = self.embedding(batch.cells)
        total = self.compose(torch.cat((values, f[:, None].expand_as(values)), dim=3))
        if self.mention is not None:
            total = total + batch.mentions[..., None] * self.mention
        return torch.tanh(total)


def same_weights(model: NeuralEnquirer) -> PlainEnquirer:
    """Returns a plain model that computes the same function."""
    plain = PlainEnquirer(model.config, len(model.word_vectors())).to(model.embedding.device)
    with torch.no_grad():
        for ours, theirs in paired(model, plain):
            theirs.copy_(joined(ours))
    return plain


def joined(parts: list[Tensor]) -> Tensor:
    """Puts the parts of a weight side by side; the rows of a GRU's are in `nn.GRU`'s order: r, z, h."""
    return parts[0] if len(parts) == 1 else torch.cat(parts, dim=1)


def paired(model: NeuralEnquirer, plain: PlainEnquirer, *, grad: bool = False) -> list[tuple[list[Tensor], Tensor]]:
    """Returns the parameters (or gradients) of both models that correspond to each other."""

    def of(parameter: Tensor) -> Tensor:
        return parameter if not grad else parameter.grad  # type: ignore[return-value]

    def linear(ours: nn.Linear, theirs: nn.Linear) -> list[tuple[list[Tensor], Tensor]]:
        pairs = [([of(ours.weight)], of(theirs.weight))]
        return pairs if ours.bias is None else [*pairs, ([of(ours.bias)], of(theirs.bias))]

    def factored(ours: FactoredLinear, theirs: nn.Linear) -> list[tuple[list[Tensor], Tensor]]:
        return [([of(w) for w in ours.weight.values()], of(theirs.weight)), ([of(ours.bias)], of(theirs.bias))]

    pairs: list[tuple[list[Tensor], Tensor]] = [
        ([of(model.embedding)], of(plain.embedding.weight)[1 : 1 + len(model.embedding)])
    ]
    encoder, size = model.query_encoder, model.config.state_size
    for d, gru in enumerate((plain.forward_gru, plain.backward_gru)):
        z, r, new = of(encoder.input_weight)[d].split(size)
        pairs.append(([torch.cat((r, z, new))], of(gru.weight_ih_l0)))
        u_z, u_r = of(encoder.gate_weight)[d].split(size)
        pairs.append(([torch.cat((u_r, u_z, of(encoder.candidate_weight)[d]))], of(gru.weight_hh_l0)))
    pairs += factored(model.table_encoder.compose, plain.compose)
    if plain.mention is not None:
        pairs.append(([of(model.table_encoder.mention)], of(plain.mention)))
    for executor, reader, annotator in zip(model.executors, plain.readers, plain.annotators, strict=True):
        pairs += factored(executor.reader.hidden, reader[0])
        pairs += linear(executor.reader.score, reader[-1])
        pairs += factored(executor.annotator.first, annotator[0])
        ours = [*executor.annotator.hidden, executor.annotator.last]
        for ours_layer, theirs_layer in zip(ours, annotator[2::2], strict=True):
            pairs += linear(ours_layer, theirs_layer)
    pairs += factored(model.answer_executor.first, plain.answer[0])
    ours = [*model.answer_executor.hidden, model.answer_executor.score]
    for ours_layer, theirs_layer in zip(ours, plain.answer[2::2], strict=True):
        pairs += linear(ours_layer, theirs_layer)
    return pairs
