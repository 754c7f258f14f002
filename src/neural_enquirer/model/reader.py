"""Reader: which field an executor reads, the same for every row."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from neural_enquirer.model.layers import FactoredLinear, linear, tanh


class Reader(nn.Module):
    """ω̃(f_n, q, g) = softmax over fields of DNN_1([f_n; q; g]); r_m = Σ_n ω̃_n e_mn, section "Reader".

    DNN_1 has two layers. The weights never see a cell's value, so all rows share them.
    """

    def __init__(
        self, embedding_size: int, query_size: int, annotation_size: int, hidden_size: int, *, first: bool
    ) -> None:
        """Makes a reader; the `first` one has no table annotation to look at."""
        super().__init__()
        memory = {} if first else {"table": annotation_size}
        self.hidden = FactoredLinear(hidden_size, field=embedding_size, query=query_size, **memory)
        self.score = linear(hidden_size, 1, bias=False)  # a bias would not change the softmax

    def forward(
        self,
        cells: Float[Tensor, "batch field row cell"],
        agenda: Float[Tensor, "batch field hidden"],
        table_term: Float[Tensor, "batch hidden"] | None,
        field_mask: Bool[Tensor, "batch field"] | None,
    ) -> tuple[Float[Tensor, "batch row cell"], Float[Tensor, "batch field"]]:
        """Reads one field of every row.

        Args:
            cells: the cells' embeddings e_mn.
            agenda: W_f f_n + W_q q + b of the hidden layer.
            table_term: W_g g^{ℓ-1}; None at the first executor, where g is zero.
            field_mask: which fields are there.

        Returns:
            The read vectors r_m, and the scores ω whose softmax are the field weights.
        """
        hidden = tanh(agenda if table_term is None else agenda + table_term[:, None])
        scores = self.score(hidden).squeeze(2)  # ω
        if field_mask is not None:
            scores = scores.masked_fill(~field_mask, -torch.inf)
        weights = scores.softmax(dim=1)  # ω̃
        batch, fields, rows, size = cells.shape
        read = torch.bmm(weights[:, None], cells.reshape(batch, fields, rows * size))  # r_m
        return read.view(batch, rows, size), scores
