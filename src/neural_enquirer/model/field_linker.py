"""Field linker: how much each word of a question speaks of each field."""

import torch
from jaxtyping import Bool, Float, Int, UInt8
from torch import Tensor, nn

from neural_enquirer.model.layers import linear

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
        words: Int[Tensor, "batch token"],
        headers: Int[Tensor, "batch field header"],
        levels: UInt8[Tensor, "batch token field"],
        said: Float[Tensor, "batch token embedding"],
        written: Float[Tensor, "batch field header embedding"],
        known: tuple[Bool[Tensor, "batch token"], Bool[Tensor, "batch field header"]],
        close: Float[Tensor, "batch token field"] | float = 0.0,
    ) -> Float[Tensor, "batch token field"]:
        """Returns α.

        Args:
            words: the codes of the questions' words.
            headers: the codes of the header words.
            levels: the links by text.
            said: the words' vectors x_t.
            written: the header words' vectors x_u.
            known: which words and header words have vectors that mean something; of others the text counts.
            close: how close words and headers are by fixed word vectors.
        """
        batch, fields, size = headers.shape
        of_headers = self.of_header(written).flatten(1, 2)
        products = torch.bmm(self.of_word(said), of_headers.transpose(1, 2)).view(batch, -1, fields, size)
        both = known[0][..., None, None] & known[1][:, None]
        closest = products.masked_fill(~both, -torch.inf).amax(dim=3)
        meaning = torch.where(both.any(dim=3), closest, 0.0)
        # A look-up would do; but then all gradients would meet in four places, which a GPU does one by one.
        level = self.level[0] + sum((levels == at) * self.level[at] for at in range(1, LEVELS))
        alpha = (level + meaning + close).sigmoid()
        return alpha * (words > 0)[..., None]
