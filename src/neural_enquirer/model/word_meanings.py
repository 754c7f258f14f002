"""Word meanings: what fixed word vectors say of words, beside what was learned of them."""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn import functional

from neural_enquirer.encoding.word_vectors import SIZE, count, vectors
from neural_enquirer.model.layers import linear

SCALE = 2.4
"""Of the matrix at first: what vectors say is then about as long as the words' own vectors are."""
CLOSE = 4.0
"""How much a word speaks of a header of the same meaning, at first."""


class WordMeanings(nn.Module):
    """x_t = own_t + W v_t, where v_t is the fixed vector of a word; zero where there is none."""

    rows: Int[Tensor, "code"]
    vectors: Float[Tensor, "row vector"]

    def __init__(self, rows: Int[Tensor, "code"], embedding_size: int) -> None:
        """Makes a layer; `rows` says which vector each code has."""
        super().__init__()
        self.register_buffer("rows", rows, persistent=False)
        self.register_buffer("vectors", torch.from_numpy(vectors(range(count()))), persistent=False)
        self.project = linear(SIZE, embedding_size, bias=False)
        nn.init.orthogonal_(self.project.weight, SCALE)
        self.close = nn.Parameter(torch.tensor(CLOSE))

    def forward(self, codes: Int[Tensor, "*shape"]) -> Float[Tensor, "*shape vector"]:
        """Returns the vectors of words, by their codes."""
        return functional.embedding(self.rows[codes], self.vectors)

    def closeness(
        self, said: Float[Tensor, "batch token vector"], written: Float[Tensor, "batch field header vector"]
    ) -> Float[Tensor, "batch token field"]:
        """Returns how close each word is to the closest word of each header, by their vectors."""
        batch, fields, headers, _ = written.shape
        cosines = torch.bmm(said, written.flatten(1, 2).transpose(1, 2))
        return self.close * cosines.view(batch, -1, fields, headers).amax(dim=3).relu()

    def forgotten(self, codes: int, share: float) -> Bool[Tensor, "known"]:
        """Draws a share of the first codes, of those with a vector, to be read as if they were not known."""
        drawn = torch.rand(codes, device=self.rows.device) < share
        return drawn & (self.rows[:codes] > 0)
