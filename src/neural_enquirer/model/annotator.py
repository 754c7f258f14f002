"""Annotator: what an executor notes on each row, and on the table as a whole."""

from collections.abc import Sequence

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from neural_enquirer.model.layers import FactoredLinear, TypedList, linear, tanh, through


class Annotator(nn.Module):
    """a_m = DNN_2([r_m; q; a_m^{ℓ-1}; g^{ℓ-1}]), g = max_m a_m (equations for row and table annotations).

    DNN_2 has three layers in the paper; all end in tanh. Among several tables it has further inputs, which
    tell what was found in the other ones (appendix "Handling Multiple Tables").
    """

    def __init__(
        self,
        cell_size: int,
        query_size: int,
        annotation_size: int,
        hidden_size: int,
        *,
        depth: int,
        first: bool,
        relevant: Sequence[str] = (),
    ) -> None:
        """Makes an annotator.

        Args:
            cell_size: of the read vectors.
            query_size: of the query embedding.
            annotation_size: of the annotations.
            hidden_size: of the hidden layers.
            depth: layers of the DNN.
            first: whether there is no memory to look at.
            relevant: names of the annotations that come from other tables.
        """
        super().__init__()
        memory = {} if first else dict.fromkeys(("rows", "table", *relevant), annotation_size)
        self.first = FactoredLinear(hidden_size, read=cell_size, query=query_size, **memory)
        self.hidden = TypedList[nn.Linear](linear(hidden_size, hidden_size) for _ in range(depth - 2))
        self.last = linear(hidden_size, annotation_size)

    def forward(
        self,
        read: Float[Tensor, "batch row cell"],
        agenda: Float[Tensor, "batch hidden"],
        table_term: Float[Tensor, "batch hidden"] | None,
        before: Float[Tensor, "batch row annotation"] | None,
        row_mask: Bool[Tensor, "batch row"] | None,
        relevant_term: Float[Tensor, "batch #row hidden"] | None = None,
    ) -> tuple[Float[Tensor, "batch row annotation"], Float[Tensor, "batch annotation"]]:
        """Annotates every row and pools the annotations.

        Args:
            read: the read vectors r_m.
            agenda: W_q q + b of the first layer.
            table_term: W_g g^{ℓ-1}; None at the first executor.
            before: the row annotations a_m^{ℓ-1}; None at the first executor, where they are zero.
            row_mask: which rows are there.
            relevant_term: W_â â_m + W_ĝ ĝ, what other tables add; None where there are none.
        """
        weight = self.first.weight
        once = agenda if table_term is None else agenda + table_term  # what depends on the question alone
        if before is None:
            local = read @ weight["read"].T
        else:
            local = torch.cat((read, before), dim=2) @ torch.cat((weight["read"], weight["rows"]), dim=1).T
        if relevant_term is not None:
            local = local + relevant_term
        rows = through(self.hidden, tanh(local.add_(once[:, None]), spent=True))
        rows = tanh(self.last(rows), spent=True)  # a_m
        return rows, pooled(rows, row_mask)  # g


def pooled(
    rows: Float[Tensor, "batch row annotation"], row_mask: Bool[Tensor, "batch row"] | None
) -> Float[Tensor, "batch annotation"]:
    """g_k = max over rows of a_m(k), section "Table annotations"; of the rows that are there."""
    if row_mask is not None:
        rows = rows.masked_fill(~row_mask[..., None], -torch.inf)
    return rows.max(dim=1).values
