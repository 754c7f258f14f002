"""Open table encoder: fields and cells as the question sees them, whatever their words are."""

import torch
from jaxtyping import Float, UInt8
from torch import Tensor, nn
from torch.nn import functional

from neural_enquirer.encoding.linking import FOUND, INSIDE
from neural_enquirer.encoding.open_batch import OpenTable
from neural_enquirer.encoding.program_batch import Schema
from neural_enquirer.model.layers import FactoredLinear, bits_of, linear, tanh
from neural_enquirer.model.reading import Evidence

RELATIONS = 3
"""Less, equal, more."""
CELL_FLAGS = 4
WAVES = 5
RANK_FEATURES = 2 + 2 * WAVES


class FieldEncoder(nn.Module):
    """f_n = tanh(W [name; mention; equal; inside; header; feature]).

    What the question says of the field's name and of its cells, the numbers that are equal to one of its
    cells or lie among them, the words of its header, and what it is.
    """

    def __init__(self, states_size: int, embedding_size: int, feature_size: int, field_size: int) -> None:
        """Makes an encoder."""
        super().__init__()
        self.compose = FactoredLinear(
            field_size,
            name=states_size,
            mention=states_size,
            equal=states_size,
            inside=states_size,
            header=embedding_size,
            feature=feature_size,
        )

    def forward(
        self,
        evidence: Evidence,
        table: OpenTable | Schema,
        alpha: Float[Tensor, "batch token field"],
        written: Float[Tensor, "batch field header embedding"],
    ) -> Float[Tensor, "batch field size"]:
        """Returns the fields' vectors f_n.

        Args:
            evidence: what the words say of each field.
            table: how mentions and quantities lie to the fields, and what these are.
            alpha: how much each word speaks of each field.
            written: the vectors of the words of headers; padding's are zero.
        """
        weight, kind = self.compose.weight, alpha.dtype
        headers = written.sum(dim=2) / (table.headers > 0).sum(dim=2).clamp(min=1)[..., None]
        features = torch.cat((table.features, table.coverage[..., None], alpha.amax(dim=1)[..., None]), dim=2)
        mentioned = table.mention_fields.to(kind)
        equal = (table.quantity_fields == FOUND).to(kind)
        inside = (table.quantity_fields >= INSIDE).to(kind)
        # A sum over mentions or quantities comes after the matrix: there are fewer of them than states.
        of_mentions = torch.bmm(mentioned.transpose(1, 2), evidence.mentions @ weight["mention"].T)
        of_equals = torch.bmm(equal.transpose(1, 2), evidence.quantities @ weight["equal"].T)
        of_insides = torch.bmm(inside.transpose(1, 2), evidence.quantities @ weight["inside"].T)
        own = functional.linear(features, weight["feature"], self.compose.bias)
        total = evidence.names @ weight["name"].T + headers @ weight["header"].T + own
        return tanh(total + of_mentions + of_equals + of_insides, spent=True)


class CellEncoder(nn.Module):
    """e_mn = tanh(W f_n + Φ_mn Ω).

    Φ_mn says which mention and relations a cell has and where it ranks, Ω what these mean in this question.
    Ω has a row for each mention k, V h_k + v; for each quantity j and relation ρ, U_ρ h_j + u_ρ; and one for
    every feature of the rank and every flag.
    """

    def __init__(self, states_size: int, field_size: int, cell_size: int) -> None:
        """Makes an encoder."""
        super().__init__()
        self.field = linear(field_size, cell_size)
        self.mention = linear(states_size, cell_size)
        self.relation = linear(states_size, RELATIONS * cell_size)
        for layer in (self.mention, self.relation):
            nn.init.uniform_(layer.bias, -0.5, 0.5)
        self.own = nn.Parameter(nn.init.xavier_uniform_(torch.empty(RANK_FEATURES + CELL_FLAGS, cell_size)))

    def meanings(
        self, names: Float[Tensor, "batch field size"], evidence: Evidence
    ) -> tuple[Float[Tensor, "batch field cell"], Float[Tensor, "batch feature cell"]]:
        """Returns W f_n + b and Ω, which all rows share."""
        batch, _, _ = names.shape
        size = self.own.shape[1]
        relations = self.relation(evidence.quantities).view(batch, -1, size)
        own = self.own.expand(batch, -1, -1)
        return self.field(names), torch.cat((self.mention(evidence.mentions), relations, own), dim=1)

    def forward(
        self,
        meanings: tuple[Float[Tensor, "batch field cell"], Float[Tensor, "batch feature cell"]],
        table: OpenTable,
    ) -> Float[Tensor, "batch field row cell"]:
        """Returns the cells' vectors e_mn, field by field: the order in which readers weigh them."""
        fields, omega = meanings
        ranks = table.ranks
        batch, rows, columns = ranks.shape
        quantities = table.relations.shape[1]
        mentions = omega.shape[1] - RELATIONS * quantities - len(self.own)
        numbers = torch.arange(1, mentions + 1, device=ranks.device)
        kinds = torch.arange(1, RELATIONS + 1, device=ranks.device)
        mentioned = table.cell_mentions.transpose(1, 2)[..., None] == numbers
        related = table.relations.permute(0, 3, 2, 1)[..., None] == kinds  # batch field row quantity relation
        bits = bits_of(table.cell_flags.transpose(1, 2), CELL_FLAGS)
        phi = torch.cat(
            (
                mentioned.to(ranks.dtype),
                related.flatten(3).to(ranks.dtype),
                rank_features(ranks.transpose(1, 2), bits[..., 1]),
                bits.to(ranks.dtype),
            ),
            dim=3,
        )
        total = torch.bmm(phi.flatten(1, 2), omega).view(batch, columns, rows, -1)
        return tanh(total.add_(fields[:, :, None]), spent=True)


def rank_features(
    ranks: Float[Tensor, "batch field row"], ranked: UInt8[Tensor, "batch field row"]
) -> Float[Tensor, "batch field row feature"]:
    """Returns a rank and its opposite, and waves of it from half a period up; zero where there is no rank."""
    periods = torch.pi * 2.0 ** torch.arange(WAVES, device=ranks.device)
    phases = ranks[..., None] * periods
    features = torch.cat((ranks[..., None], 1 - ranks[..., None], phases.sin(), phases.cos()), dim=3)
    return features * ranked[..., None]
