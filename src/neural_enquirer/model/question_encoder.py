"""Question encoder of the open model: a bidirectional GRU with a state for every word, beside q."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn


class QuestionEncoder(nn.Module):
    """h_t for every word and q, the last states of both directions, as in the paper's query encoder."""

    def __init__(self, input_size: int, state_size: int) -> None:
        """Makes an encoder for word vectors of a size."""
        super().__init__()
        self.forwards = nn.GRU(input_size, state_size, batch_first=True)
        self.backwards = nn.GRU(input_size, state_size, batch_first=True)
        for recurrence in (self.forwards, self.backwards):
            for name, weight in recurrence.named_parameters():
                (nn.init.zeros_ if "bias" in name else _gates)(weight)

    def forward(
        self, vectors: Float[Tensor, "batch token input"], lengths: Int[Tensor, "batch"]
    ) -> tuple[Float[Tensor, "batch token states"], Float[Tensor, "batch query"]]:
        """Encodes questions that are padded at the end.

        Each direction starts at a real word, so padding never reaches one: the backward GRU reads every
        question turned round within its own length.
        """
        place = torch.arange(vectors.shape[1], device=vectors.device)
        there = place < lengths[:, None]
        turned = torch.where(there, lengths[:, None] - 1 - place, place)[..., None]
        onward, _ = self.forwards(vectors)
        backward, _ = self.backwards(vectors.gather(1, turned.expand_as(vectors)))
        backward = backward.gather(1, turned.expand_as(backward))
        last = (lengths - 1).clamp(min=0)[:, None, None].expand(-1, 1, onward.shape[2])
        query = torch.cat((onward.gather(1, last)[:, 0], backward[:, 0]), dim=1)
        return torch.cat((onward, backward), dim=2) * there[..., None], query


def _gates(weight: Float[Tensor, "gates size"]) -> None:
    """Initialises the three gates one by one."""
    with torch.no_grad():
        for gate in weight.chunk(3):
            (nn.init.orthogonal_ if gate.shape[0] == gate.shape[1] else nn.init.xavier_uniform_)(gate)
