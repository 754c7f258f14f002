"""Table linker: by which fields the rows of two tables belong together."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn import functional

from neural_enquirer.model.layers import FactoredLinear, linear, tanh

FEATURES = 5
"""What the linker knows of a pair of fields beside their names; see `TableLinker`."""


@dataclass(frozen=True)
class Link:
    """How two tables are linked.

    Attributes:
        fields: the weight of each pair of fields, one from either table; with "no pair" they sum to one.
        rows: the strength of the link of each pair of rows: the weight of all fields whose values they share.
    """

    fields: Float[Tensor, "batch field other_field"]
    rows: Float[Tensor, "batch row other"]

    def reversed(self) -> "Link":
        """Returns the same link seen from the other table."""
        return Link(self.fields.transpose(1, 2), self.rows.transpose(1, 2))


class TableLinker(nn.Module):
    """w_nn' = softmax over pairs of fields, and "no pair", of DNN([f_n + f_n'; q; features of the pair]).

    The features need no vocabulary: the share of rows that find their value in the other table, taken both
    ways, the greater and the lesser; the same where the values found are distinct, as those of a key are; and
    how alike the names are. Fields that share no value are no pair. The link is the same seen from either
    table. It is learned from answers alone.
    """

    def __init__(self, field_size: int, query_size: int, hidden_size: int) -> None:
        """Makes a linker with one hidden layer."""
        super().__init__()
        self.likeness = linear(field_size, hidden_size, bias=False)
        self.hidden = FactoredLinear(hidden_size, field=field_size, query=query_size, features=FEATURES)
        self.score = linear(hidden_size, 1)

    def forward(
        self,
        query: Float[Tensor, "batch query"],
        names: Float[Tensor, "batch field embedding"],
        other_names: Float[Tensor, "batch other_field embedding"],
        values: Int[Tensor, "batch row field"],
        other_values: Int[Tensor, "batch other other_field"],
    ) -> Link:
        """Links two tables.

        Args:
            query: the query embeddings q.
            names: the field names f_n of one table.
            other_names: those of the other one.
            values: codes of the cells' values; equal codes are equal values, 0 is nothing to compare.
            other_values: those of the other table.
        """
        equal = same_values(values, other_values)
        known = pair_features(equal.any(dim=2), equal.any(dim=1), values, other_values)
        weights = self._weights(query, names, other_names, known, equal.flatten(1, 2).any(dim=1))
        flat = equal.flatten(3).flatten(1, 2).to(weights.dtype)
        return Link(weights, torch.bmm(flat, weights.flatten(1)[..., None]).view(equal.shape[:3]))

    def _weights(
        self,
        query: Float[Tensor, "batch query"],
        names: Float[Tensor, "batch field embedding"],
        other_names: Float[Tensor, "batch other_field embedding"],
        known: Float[Tensor, "batch field other_field 4"],
        is_pair: Bool[Tensor, "batch field other_field"],
    ) -> Float[Tensor, "batch field other_field"]:
        """Weighs the pairs of fields."""
        features = torch.cat((known, self._alike(names, other_names)), dim=3)
        weight = self.hidden.weight
        fields = names @ weight["field"].T
        others = other_names @ weight["field"].T
        agenda = functional.linear(query, weight["query"], self.hidden.bias)
        hidden = (
            fields[:, :, None] + others[:, None] + agenda[:, None, None] + features @ weight["features"].T
        )
        scores: Tensor = self.score(tanh(hidden, spent=True)).squeeze(3)
        pairs = scores.masked_fill(~is_pair, -torch.inf).flatten(1)
        weights = torch.cat((pairs, pairs.new_zeros(len(pairs), 1)), dim=1).softmax(dim=1)[:, :-1]
        return weights.view_as(scores)

    def _alike(
        self,
        names: Float[Tensor, "batch field embedding"],
        other_names: Float[Tensor, "batch other_field embedding"],
    ) -> Float[Tensor, "batch field other_field 1"]:
        ours, theirs = (functional.normalize(self.likeness(some), dim=2) for some in (names, other_names))
        return torch.bmm(ours, theirs.transpose(1, 2))[..., None]


def same_values(
    values: Int[Tensor, "batch row field"], other_values: Int[Tensor, "batch other other_field"]
) -> Bool[Tensor, "batch row other field other_field"]:
    """Returns which cells of two tables hold the same value."""
    ours = values[:, :, None, :, None]
    return (ours == other_values[:, None, :, None, :]) & (ours != 0)


def pair_features(
    found: Bool[Tensor, "batch row field other_field"],
    found_back: Bool[Tensor, "batch other field other_field"],
    values: Int[Tensor, "batch row field"],
    other_values: Int[Tensor, "batch other other_field"],
) -> Float[Tensor, "batch field other_field 4"]:
    """Returns what values tell of each pair of fields, whichever of the tables comes first.

    Args:
        found: which rows find the value of a field in a field of the other table.
        found_back: the same seen from the other table.
        values: codes of the cells' values.
        other_values: those of the other table.
    """
    share = _share(found, values)
    share_back = _share(found_back, other_values, own_is_last=True)
    as_key = share * _distinct(other_values)[:, None, :]
    as_key_back = share_back * _distinct(values)[:, :, None]
    features = [
        torch.maximum(share, share_back),
        torch.minimum(share, share_back),
        torch.maximum(as_key, as_key_back),
        torch.minimum(as_key, as_key_back),
    ]
    return torch.stack(features, dim=3)


def _share(
    found: Bool[Tensor, "batch some field other_field"],
    values: Int[Tensor, "batch some own_field"],
    *,
    own_is_last: bool = False,
) -> Float[Tensor, "batch field other_field"]:
    """Returns the share of the values of each field that are found."""
    count = (values != 0).sum(dim=1).clamp(min=1)
    return found.sum(dim=1) / (count[:, None, :] if own_is_last else count[:, :, None])


def _distinct(values: Int[Tensor, "batch row field"]) -> Float[Tensor, "batch field"]:
    """Returns for each field how many distinct values there are to a value."""
    same = (values[:, :, None] == values[:, None]) & (values[:, None] != 0)
    place = torch.arange(values.shape[1], device=values.device)
    earlier = (place < place[:, None])[:, :, None]
    repeated = (same & earlier).any(dim=2)  # held by a row above, too
    there = values != 0
    return (there & ~repeated).sum(dim=1) / there.sum(dim=1).clamp(min=1)
