"""Neural Programmer: a question is turned into a program of a few steps, and the program selects the answer.

After "Neural Programmer: Inducing Latent Programs with Gradient Descent" (Neelakantan, Le, Sutskever, 2015).
At each step, a controller that knows the question and what was done so far selects, softly, one of the
predefined operations and a field; the operation moves the row selector on. The last step looks the answer up:
the probability of a cell is that of its row times that of its field.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn import functional

from neural_enquirer.baselines.neural_programmer.config import ProgrammerConfig
from neural_enquirer.baselines.neural_programmer.operations import (
    NESTED,
    OPERATIONS,
    Facts,
    advance,
    look_up,
)
from neural_enquirer.encoding.batch import Batch
from neural_enquirer.model.cascade import Output
from neural_enquirer.model.factored_linear import linear
from neural_enquirer.model.network import Network
from neural_enquirer.model.query_encoder import QueryEncoder
from neural_enquirer.model.typed_list import TypedList

_LEAST = 1e-9
"""Of a weight whose logarithm is taken."""


@dataclass(frozen=True, kw_only=True)
class Execution(Output):
    """Programs and what came of them; the scores of answers and fields are logarithms of probabilities.

    Attributes:
        operations: the weight of each operation at each step but the last, which looks up the answer.
        rows: the row selector after each of these steps.
        program: the likeliest operation of each of them, and the likeliest field that it can work with.
    """

    operations: Float[Tensor, "batch step operation"]
    rows: Float[Tensor, "batch step row"]
    program: Int[Tensor, "batch step 2"]

    def entropy(self) -> Float[Tensor, ""]:
        """Returns how open the choices are, of an operation and of a field, in the mean over the steps."""
        fields = torch.stack(self.field_scores[:-1], dim=1)
        negated = (self.operations * (self.operations + _LEAST).log()).sum(dim=2)
        return -(negated + (fields.exp() * fields).sum(dim=2)).mean()


class NeuralProgrammer(Network):
    """Neural Programmer over one table with a closed vocabulary."""

    kind = "neural-programmer"
    config: ProgrammerConfig
    values: Float[Tensor, "code"]

    def __init__(
        self,
        config: ProgrammerConfig,
        embedding: Float[Tensor, "word embedding"],
        values: Float[Tensor, "code"],
    ) -> None:
        """Makes a model.

        Args:
            config: sizes and choices.
            embedding: the initial vectors of all words but padding, which has none.
            values: the number that each code of the vocabulary spells; not a number where it spells none.
        """
        super().__init__()
        self.config = config
        self.embedding = nn.Parameter(embedding.clone())
        self.register_buffer("values", values.clone())
        size, query_size = config.embedding_size, 2 * config.state_size
        self.question_rnn = QueryEncoder(size, config.state_size)
        operations = len(OPERATIONS) if config.nested else len(OPERATIONS) - NESTED
        self.operation_vectors = nn.Parameter(nn.init.xavier_uniform_(torch.empty(operations, size)))  # U
        inputs = query_size + config.history_size
        self.operation_selectors = TypedList[nn.Linear](linear(inputs, size) for _ in range(config.steps - 1))
        self.field_selectors = TypedList[nn.Linear](linear(inputs, size) for _ in range(config.steps))
        for selector in (*self.operation_selectors, *self.field_selectors):
            nn.init.zeros_(selector.weight)  # all operations and fields are tried before any is preferred
        self.history_rnn = linear(2 * size + config.history_size, config.history_size)
        self.pivot_vectors = nn.Parameter(nn.init.xavier_uniform_(torch.empty(2, size)))  # β

    @classmethod
    def restored(
        cls, config: Mapping[str, Any], tensors: Mapping[str, Tensor], _: object
    ) -> "NeuralProgrammer":
        """Makes the model of a checkpoint, whose weights are then loaded into it."""
        return cls(ProgrammerConfig(**config), tensors["embedding"], tensors["values"])

    @property
    def known_codes(self) -> int:
        """How many codes have a vector: the size of the vocabulary."""
        return 1 + len(self.embedding)

    def forward(self, batch: Batch) -> Execution:
        """Answers a batch of questions."""
        embedding = functional.pad(self.embedding, (0, 0, 1, 0))
        words = self._without_numbers(batch.words)
        query = self.question_rnn(words, embedding)  # q
        query = functional.dropout(query, self.config.dropout, self.training)
        names = functional.embedding(batch.fields, embedding)  # P
        facts = self._facts(batch, functional.embedding(words, embedding))
        return self._execute(query, names, facts, batch)

    def _without_numbers(self, words: Int[Tensor, "batch token"]) -> Int[Tensor, "batch token"]:
        """Puts one word in the place of all numbers: to the question RNN, any number is a number."""
        spelled = self.values.isnan()
        first = (~spelled).to(torch.int64).argmax().to(words.dtype)
        return torch.where(spelled[words], words, first)

    def _facts(self, batch: Batch, vectors: Float[Tensor, "batch token embedding"]) -> Facts:
        """Compares cells with each other and with the pivot.

        Which of the question's numbers is the pivot of an operation, the word to its left decides.
        """
        pivots = self.values[batch.words]
        left = functional.pad(vectors, (0, 0, 1, 0))[:, :-1]
        scores = (left @ self.pivot_vectors.T).transpose(1, 2)
        # A question without a number has no pivot; the weights must not be NaN there.
        scores = scores.masked_fill(pivots.isnan()[:, None], torch.finfo(scores.dtype).min)
        there = batch.row_mask
        if there is None:
            there = torch.ones_like(batch.cells[:, :, 0], dtype=torch.bool)
        values, mentions = self.values[batch.cells].transpose(1, 2), batch.mentions.transpose(1, 2)
        return Facts.of(there, values, mentions, pivots, scores.softmax(dim=2))

    def _execute(
        self,
        query: Float[Tensor, "batch query"],
        names: Float[Tensor, "batch field embedding"],
        facts: Facts,
        batch: Batch,
    ) -> Execution:
        """Writes the program step by step and runs it."""
        history = query.new_zeros(len(query), self.config.history_size)
        before, selected, usable = facts.there, facts.there, facts.usable()
        rows, operations, fields, program = [], [], [], []
        for step in range(self.config.steps - 1):
            state = torch.cat((query, history), dim=1)
            fields.append(self._field_scores(self.field_selectors[step](state), names, batch))
            scores = torch.tanh(self.operation_selectors[step](state)) @ self.operation_vectors.T
            program.append(_likeliest(usable, scores, fields[-1]))
            operation = self._weights(scores.log_softmax(dim=1), program[-1][:, 0])
            field = self._weights(fields[-1], program[-1][:, 1])
            before, selected = selected, advance(facts, selected, before, operation, field)
            context = (operation @ self.operation_vectors, torch.bmm(field[:, None], names)[:, 0], history)
            history = torch.tanh(self.history_rnn(torch.cat(context, dim=1)))
            rows.append(selected)
            operations.append(operation)
        wanted = self.field_selectors[-1](torch.cat((query, history), dim=1))
        fields.append(self._field_scores(wanted, names, batch))
        return Execution(
            answer_scores=look_up(facts, selected, fields[-1]),
            field_scores=tuple(fields),
            memories=(),
            operations=torch.stack(operations, dim=1),
            rows=torch.stack(rows, dim=1),
            program=torch.stack(program, dim=1),
        )

    @staticmethod
    def _field_scores(
        wanted: Float[Tensor, "batch embedding"], names: Float[Tensor, "batch field embedding"], batch: Batch
    ) -> Float[Tensor, "batch field"]:
        """Returns log p of each field: how well its name fits what is wanted."""
        scores = torch.bmm(names, torch.tanh(wanted)[..., None])[..., 0]
        if batch.field_mask is not None:
            scores = scores.masked_fill(~batch.field_mask, -torch.inf)
        return scores.log_softmax(dim=1)

    def _weights(
        self, scores: Float[Tensor, "batch choice"], likeliest: Int[Tensor, "batch"]
    ) -> Float[Tensor, "batch choice"]:
        """Returns a soft selection, or a hard one where a trained program is run as it is written."""
        if self.training or not self.config.hard:
            return scores.exp()
        return functional.one_hot(likeliest, scores.shape[1]).to(scores)


def _likeliest(
    usable: Bool[Tensor, "batch all_operations field"],
    operations: Float[Tensor, "batch operation"],
    fields: Float[Tensor, "batch field"],
) -> Int[Tensor, "batch 2"]:
    """Returns the likeliest operation, and the likeliest field that it can work with, if there is any."""
    operation = operations.argmax(dim=1)
    here = usable[torch.arange(len(operation), device=operation.device), operation]
    hidden = ~here & here.any(dim=1, keepdim=True)
    return torch.stack((operation, fields.masked_fill(hidden, -torch.inf).argmax(dim=1)), dim=1)
