"""Relational encoder: words, fields, mentions and quantities look at each other along their links.

What a field means depends on the fields beside it, and which of two fields a word speaks of depends on the
rest of the question. Each attends to all, in a few layers of self-attention; a link adds to the score of the
pair that it joins, by a weight that each head learns.
"""

import math
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn import functional

from neural_enquirer.model.layers import linear

RELATIONS = 15
"""Word and field, word and mention, word and quantity, mention and field, quantity and field that compares
with it, quantity and field that has it, word and next word, all in both directions; fields of one table."""


@dataclass(frozen=True)
class Linked:
    """What is linked with what, and how strongly: the blocks of one large matrix.

    Attributes:
        word_fields: how much each word speaks of each field.
        word_mentions: which words are of which mention.
        word_quantities: which words are of which quantity.
        mention_fields: which fields have which mention.
        compared_fields: which fields compare with which quantity.
        equal_fields: which fields have which quantity.
        owners: the table of each field, from 1; 0 for padding.
    """

    word_fields: Float[Tensor, "batch token field"]
    word_mentions: Float[Tensor, "batch token mention"]
    word_quantities: Float[Tensor, "batch token quantity"]
    mention_fields: Float[Tensor, "batch mention field"]
    compared_fields: Float[Tensor, "batch quantity field"]
    equal_fields: Float[Tensor, "batch quantity field"]
    owners: Float[Tensor, "batch field"]

    def matrices(self) -> Float[Tensor, "batch item item relation"]:
        """One matrix over all items for each relation."""
        tokens, fields = self.word_fields.shape[1:]
        mentions, quantities = self.word_mentions.shape[2], self.word_quantities.shape[2]
        starts = (0, tokens, tokens + fields, tokens + fields + mentions)
        size = starts[3] + quantities
        place = torch.arange(tokens, device=self.owners.device)
        follows = (place[:, None] == place - 1).to(self.owners.dtype).expand(len(self.owners), -1, -1)
        same = (self.owners[:, None] == self.owners[:, :, None]).to(self.owners.dtype)
        blocks = (
            (0, 1, self.word_fields),
            (0, 2, self.word_mentions),
            (0, 3, self.word_quantities),
            (2, 1, self.mention_fields),
            (3, 1, self.compared_fields),
            (3, 1, self.equal_fields),
            (0, 0, follows),
        )
        padded = []
        for row, column, block in blocks:
            one = _padded(block, starts[row], starts[column], size)
            padded += [one, one.transpose(1, 2)]
        padded.append(_padded(same, starts[1], starts[1], size))
        return torch.stack(padded, dim=3)


def _padded(
    block: Float[Tensor, "batch _ _"], row: int, column: int, size: int
) -> Float[Tensor, "batch item item"]:
    """Puts a block into its place in a matrix of zeros."""
    rows, columns = block.shape[1:]
    return functional.pad(block, (column, size - column - columns, row, size - row - rows))


class _Layer(nn.Module):
    """x + attention(norm x), then x + DNN(norm x)."""

    def __init__(self, size: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.heads, self.dropout = heads, dropout
        self.attention_norm = nn.LayerNorm(size)
        self.attended = linear(size, 3 * size)
        self.gathered = linear(size, size)
        self.thought_norm = nn.LayerNorm(size)
        self.hidden = linear(size, 2 * size)
        self.thought = linear(2 * size, size)
        self.relation = nn.Parameter(torch.zeros(RELATIONS, heads))

    def forward(
        self,
        items: Float[Tensor, "batch item size"],
        relations: Float[Tensor, "batch item item relation"],
        there: Bool[Tensor, "batch item"],
    ) -> Float[Tensor, "batch item size"]:
        batch, count, size = items.shape
        parts = self.attended(self.attention_norm(items)).view(batch, count, 3, self.heads, -1)
        queries, keys, values = parts.permute(2, 0, 3, 1, 4)
        scores = queries @ keys.transpose(2, 3) / math.sqrt(size / self.heads)
        scores = scores + (relations @ self.relation).permute(0, 3, 1, 2)
        weights = scores.masked_fill(~there[:, None, None], -1e9).softmax(dim=3)
        gathered = self.gathered((weights @ values).transpose(1, 2).flatten(2))
        items = items + functional.dropout(gathered, self.dropout, self.training)
        thought = self.thought(functional.relu(self.hidden(self.thought_norm(items))))
        return items + functional.dropout(thought, self.dropout, self.training)


class RelationalEncoder(nn.Module):
    """Changes the vectors of words, fields, mentions and quantities by what the others are."""

    def __init__(
        self, states_size: int, field_size: int, size: int, heads: int, layers: int, dropout: float
    ) -> None:
        """Makes an encoder; at first it changes nothing."""
        super().__init__()
        sizes = (states_size, field_size, states_size, states_size)
        self.into = nn.ModuleList(linear(own, size) for own in sizes)
        self.layers = nn.ModuleList(_Layer(size, heads, dropout) for _ in range(layers))
        self.norm = nn.LayerNorm(size)
        out = [linear(size, own) for own in sizes]
        for layer in out:
            nn.init.zeros_(layer.weight)
        self.out = nn.ModuleList(out)

    def forward(
        self,
        vectors: tuple[Float[Tensor, "batch _ _"], ...],
        there: tuple[Bool[Tensor, "batch _"], ...],
        linked: Linked,
    ) -> tuple[Float[Tensor, "batch _ _"], ...]:
        """Returns the vectors of words, fields, mentions and quantities anew."""
        items = torch.cat([into(own) for into, own in zip(self.into, vectors, strict=True)], dim=1)
        relations, mask = linked.matrices(), torch.cat(there, dim=1)
        for layer in self.layers:
            items = layer(items, relations, mask)
        parts = self.norm(items).split([own.shape[1] for own in vectors], dim=1)
        return tuple(own + out(part) for own, out, part in zip(vectors, self.out, parts, strict=True))
