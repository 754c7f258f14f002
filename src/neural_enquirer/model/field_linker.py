"""Field linker: how much each word of a question speaks of each field."""

import torch
from jaxtyping import Float, UInt8
from torch import Tensor, nn

from neural_enquirer.model.layers import linear
from neural_enquirer.model.reading import Words

LEVELS = 4
"""None, and the three levels of `encoding.linking`."""


class FieldLinker(nn.Module):
    """α_tn = σ(b + level_tn + close_tn + max over the words u of header n of ⟨A x_t, B x_u⟩).

    The level is what linking by text found; the product is what the vectors of known words have learned: that
    `tallest` speaks of a height. How close a word and a header are is what fixed word vectors say, if there
    are any.
    """

    def __init__(self, embedding_size: int, link_size: int) -> None:
        """Makes a linker; at first it goes by the text alone."""
        super().__init__()
        self.of_word = linear(embedding_size, link_size, bias=False)
        self.of_header = linear(embedding_size, link_size, bias=False)
        self.level = nn.Parameter(torch.tensor([-3.0, 3.0, 4.0, 6.0]))  # of none, then what each adds

    def forward(
        self,
        said: Words,
        written: Words,
        levels: UInt8[Tensor, "batch token field"],
        close: Float[Tensor, "batch token field"] | float = 0.0,
    ) -> Float[Tensor, "batch token field"]:
        """Returns α.

        Args:
            said: the questions' words, with their vectors x_t.
            written: the header words, with their vectors x_u.
            levels: the links by text.
            close: how close words and headers are by fixed word vectors.
        """
        batch, fields, size = written.codes.shape
        of_headers = self.of_header(written.vectors).flatten(1, 2)
        products = torch.bmm(self.of_word(said.vectors), of_headers.transpose(1, 2))
        products = products.view(batch, -1, fields, size)
        both = said.known[..., None, None] & written.known[:, None]
        closest = products.masked_fill(~both, -torch.inf).amax(dim=3)
        meaning = torch.where(both.any(dim=3), closest, 0.0)
        # A look-up would do; but then all gradients would meet in four places, which a GPU does one by one.
        level = self.level[0] + sum((levels == at) * self.level[at] for at in range(1, LEVELS))
        alpha = (level + meaning + close).sigmoid()
        return alpha * (said.codes > 0)[..., None]
