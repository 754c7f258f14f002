"""Table encoder: every cell becomes an embedding of its value and its field."""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn import functional

from neural_enquirer.model.layers import FactoredLinear, tanh


class TableEncoder(nn.Module):
    """e_mn = tanh(W [L[w_mn]; f_n] + b), section "Table Encoder".

    Grounded, beyond the paper: e_mn = tanh(W [L[w_mn]; f_n] + b + v · [w_mn is mentioned in the question]).
    """

    def __init__(self, embedding_size: int, cell_size: int, *, grounded: bool) -> None:
        """Makes an encoder; `grounded` adds the learned vector v."""
        super().__init__()
        self.compose = FactoredLinear(cell_size, value=embedding_size, field=embedding_size)
        self.mention = nn.Parameter(torch.empty(cell_size).uniform_(-1, 1)) if grounded else None

    def forward(
        self,
        cells: Int[Tensor, "batch row field"],
        fields: Int[Tensor, "batch field"],
        mentions: Bool[Tensor, "batch row field"],
        embedding: Float[Tensor, "word embedding"],
    ) -> Float[Tensor, "batch field row cell"]:
        """Returns the cells' embeddings, field by field: the order in which readers weigh them.

        W_L L[w] and W_f f_n depend on a word alone, so they are computed per word and looked up per cell.
        """
        weight, bias = self.compose.weight, self.compose.bias
        values = functional.embedding(cells.transpose(1, 2), embedding @ weight["value"].T)
        names = functional.embedding(fields, functional.linear(embedding, weight["field"], bias))
        total = values + names[:, :, None]
        if self.mention is not None:
            total = torch.addcmul(total, mentions.transpose(1, 2)[..., None].to(total.dtype), self.mention)
        return tanh(total)
