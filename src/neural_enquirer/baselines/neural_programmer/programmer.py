"""Neural Programmer: a question is turned into a program of a few steps, and the program selects the answer.

After "Neural Programmer: Inducing Latent Programs with Gradient Descent" (Neelakantan, Le, Sutskever, 2015).
At each step, a controller that knows the question and what was done so far selects, softly, one of the
predefined operations and a field; the operation moves the row selector on. The last step looks the answer up:
the probability of a cell is that of its row times that of its field.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn import functional

from neural_enquirer.baselines.neural_programmer.operations import (
    NESTED,
    OPERATIONS,
    Facts,
    advance,
    look_up,
)
from neural_enquirer.encoding.batch import Batch, TableCodes
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.model.layers import TypedList, linear
from neural_enquirer.model.network import Beginning, Network, check_config
from neural_enquirer.model.output import Output, TableOutput
from neural_enquirer.model.query_encoder import QueryEncoder
from neural_enquirer.training.renaming import as_number

_LEAST = 1e-9
"""Of a weight whose logarithm is taken."""


@dataclass(frozen=True)
class ProgrammerConfig:
    """How programs are written.

    Attributes:
        steps: operations in a program, the lookup of the answer included.
        embedding_size: of words, field names and operations.
        state_size: of the question RNN in each direction.
        history_size: of the history RNN.
        nested: whether there are operations that compare with the row selected so far (not in the original).
        dropout: on the question's representation, while training.
        hard: whether, once trained, each step takes its likeliest operation and field for certain.
    """

    steps: int = 4
    embedding_size: int = 40
    state_size: int = 100
    history_size: int = 100
    nested: bool = True
    dropout: float = 0.0
    hard: bool = False

    def __post_init__(self) -> None:
        if self.steps < 2:
            raise ValueError(
                f"model.steps must be at least 2, to select rows and to answer, not {self.steps}"
            )
        check_config(self)

    def new_network(self, vocabulary: Vocabulary, beginning: Beginning) -> "NeuralProgrammer":
        """Makes an untrained model."""
        words = beginning.word_scale * torch.randn(len(vocabulary) - 1, self.embedding_size)
        numbers = [math.nan if (number := as_number(word)) is None else number for word in vocabulary.words]
        return NeuralProgrammer(self, words, torch.tensor([math.nan, math.nan, *numbers]))


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
        fields = torch.stack(self.table.field_scores[:-1], dim=1)
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
        cls, config: Mapping[str, Any], tensors: Mapping[str, Tensor], vocabulary: Vocabulary
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
        table = batch.table
        names = functional.embedding(table.fields, embedding)  # P
        facts = self._facts(batch.words, table, functional.embedding(words, embedding))
        return self._execute(query, names, facts, table)

    def _without_numbers(self, words: Int[Tensor, "batch token"]) -> Int[Tensor, "batch token"]:
        """Puts one word in the place of all numbers: to the question RNN, any number is a number."""
        spelled = self.values.isnan()
        first = (~spelled).to(torch.int64).argmax().to(words.dtype)
        return torch.where(spelled[words], words, first)

    def _facts(
        self,
        words: Int[Tensor, "batch token"],
        table: TableCodes,
        vectors: Float[Tensor, "batch token embedding"],
    ) -> Facts:
        """Compares cells with each other and with the pivot.

        Which of the question's numbers is the pivot of an operation, the word to its left decides.
        """
        pivots = self.values[words]
        left = functional.pad(vectors, (0, 0, 1, 0))[:, :-1]
        scores = (left @ self.pivot_vectors.T).transpose(1, 2)
        # A question without a number has no pivot; the weights must not be NaN there.
        scores = scores.masked_fill(pivots.isnan()[:, None], torch.finfo(scores.dtype).min)
        there = table.row_mask
        if there is None:
            there = torch.ones_like(table.cells[:, :, 0], dtype=torch.bool)
        values, mentions = self.values[table.cells].transpose(1, 2), table.mentions.transpose(1, 2)
        return Facts.of(there, values, mentions, pivots, scores.softmax(dim=2))

    def _execute(
        self,
        query: Float[Tensor, "batch query"],
        names: Float[Tensor, "batch field embedding"],
        facts: Facts,
        table: TableCodes,
    ) -> Execution:
        """Writes the program step by step and runs it."""
        history = query.new_zeros(len(query), self.config.history_size)
        before, selected, usable = facts.there, facts.there, facts.usable()
        rows, operations, fields, program = [], [], [], []
        for step in range(self.config.steps - 1):
            state = torch.cat((query, history), dim=1)
            fields.append(self._field_scores(self.field_selectors[step](state), names, table))
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
        fields.append(self._field_scores(wanted, names, table))
        return Execution(
            tables=(TableOutput(look_up(facts, selected, fields[-1]), tuple(fields), memories=()),),
            operations=torch.stack(operations, dim=1),
            rows=torch.stack(rows, dim=1),
            program=torch.stack(program, dim=1),
        )

    @staticmethod
    def _field_scores(
        wanted: Float[Tensor, "batch embedding"],
        names: Float[Tensor, "batch field embedding"],
        table: TableCodes,
    ) -> Float[Tensor, "batch field"]:
        """Returns log p of each field: how well its name fits what is wanted."""
        scores = torch.bmm(names, torch.tanh(wanted)[..., None])[..., 0]
        if table.field_mask is not None:
            scores = scores.masked_fill(~table.field_mask, -torch.inf)
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
