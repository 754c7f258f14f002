"""Neural Enquirer written down as plainly as the paper does: the yardstick and the check of the fast model.

Every DNN gets its inputs concatenated, the GRU is `nn.GRU` over questions padded to one size, nothing is
looked up ahead or shared between executors.
"""

import itertools
from collections.abc import Mapping

import torch
from torch import Tensor, nn

from neural_enquirer.encoding.batch import Batch
from neural_enquirer.model.cascade import Output
from neural_enquirer.model.enquirer import ModelConfig, NeuralEnquirer
from neural_enquirer.model.executor import Memory
from neural_enquirer.model.query_encoder import reversed_words
from neural_enquirer.model.typed_list import TypedList


class PaperGRU(nn.Module):
    """The appendix's update rule, word by word; `nn.GRU` resets after the product, the appendix before it."""

    def __init__(self, input_size: int, state_size: int) -> None:
        super().__init__()
        self.weight_ih_l0 = nn.Parameter(torch.empty(3 * state_size, input_size))
        self.weight_hh_l0 = nn.Parameter(torch.empty(3 * state_size, state_size))

    def forward(self, inputs: Tensor) -> tuple[None, Tensor]:
        """Returns what `nn.GRU` does, but only the last state."""
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
    for before, after in itertools.pairwise(sizes):
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
        self.readers = TypedList[nn.Sequential](dnn(d + query + m, hidden, 1, 2, bias=False) for m in memory)
        self.annotators = TypedList[nn.Sequential](
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
        """Runs both GRUs over the padded questions; without bias, padding before a question does nothing."""
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
    plain = PlainEnquirer(model.config, len(model.word_vectors())).to(model.embedding)
    plain.load_state_dict(as_plain(model.config, model.state_dict()))
    return plain


def as_plain(config: ModelConfig, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Turns named weights of a `NeuralEnquirer`, or their gradients, into those of a `PlainEnquirer`."""
    words = tensors["embedding"]
    padding, fixed = words.new_zeros(1, words.shape[1]), tensors.get("fixed_embedding", words[:0])
    result = {"embedding.weight": torch.cat((padding, words, fixed))}
    for direction, name in enumerate(("forward_gru", "backward_gru")):  # whose rows are in the order r, z, h
        z, r, new = tensors["query_encoder.input_weight"][direction].chunk(3)
        u_z, u_r = tensors["query_encoder.gate_weight"][direction].chunk(2)
        u = tensors["query_encoder.candidate_weight"][direction]
        result[f"{name}.weight_ih_l0"] = torch.cat((r, z, new))
        result[f"{name}.weight_hh_l0"] = torch.cat((u_r, u_z, u))
    for ours, theirs in layer_names(config).items():
        parts = [tensor for name, tensor in tensors.items() if name.startswith(f"{ours}.weight")]
        result[f"{theirs}.weight"] = torch.cat(parts, dim=1)
        if f"{ours}.bias" in tensors:
            result[f"{theirs}.bias"] = tensors[f"{ours}.bias"]
    if config.grounded:
        result["mention"] = tensors["table_encoder.mention"]
    return result


def layer_names(config: ModelConfig) -> dict[str, str]:
    """Returns the plain model's name of each linear layer."""
    names = {"table_encoder.compose": "compose"}
    for i in range(config.executors - 1):
        names |= {f"cascade.executors.{i}.reader.hidden": f"readers.{i}.0"}
        names |= {f"cascade.executors.{i}.reader.score": f"readers.{i}.2"}
        names |= dnn_names(
            f"cascade.executors.{i}.annotator", f"annotators.{i}", config.annotator_depth, "last"
        )
    return names | dnn_names("cascade.answer_executor", "answer", config.answer_depth, "score")


def dnn_names(ours: str, theirs: str, depth: int, last: str) -> dict[str, str]:
    """Returns the plain model's name of each layer of a DNN; every second one is the tanh between two."""
    layers = ["first", *(f"hidden.{i}" for i in range(depth - 2)), last]
    return {f"{ours}.{layer}": f"{theirs}.{2 * position}" for position, layer in enumerate(layers)}
