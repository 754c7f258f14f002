"""Query encoder: a bidirectional GRU turns the words of a question into the query embedding q."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from neural_enquirer.encoding.words import PADDING
from neural_enquirer.model import fused_recurrence
from neural_enquirer.model.recurrence import recur


class QueryEncoder(nn.Module):
    """q: the last states of a forward and a backward GRU, side by side (appendix on the query encoder).

    Both directions run at once. Each reads its words padded at the beginning; W x_t is looked up rather than
    computed, since it depends on the word alone.
    """

    def __init__(self, embedding_size: int, state_size: int, *, reset_after: bool = False) -> None:
        """Makes an encoder; `reset_after` chooses the variant of the update rule (see `recurrence`)."""
        super().__init__()
        self.state_size = state_size
        self.reset_after = reset_after
        self.input_weight = nn.Parameter(torch.empty(2, 3 * state_size, embedding_size))
        self.gate_weight = nn.Parameter(torch.empty(2, 2 * state_size, state_size))
        self.candidate_weight = nn.Parameter(torch.empty(2, state_size, state_size))
        with torch.no_grad():
            for matrix in self.input_weight.view(6, state_size, embedding_size):
                nn.init.xavier_uniform_(matrix)
            for matrix in (*self.gate_weight.view(4, state_size, state_size), *self.candidate_weight):
                nn.init.orthogonal_(matrix)

    def forward(
        self, words: Int[Tensor, "batch token"], embedding: Float[Tensor, "word embedding"]
    ) -> Float[Tensor, "batch query"]:
        """Encodes questions.

        Args:
            words: the questions' words, padded at the beginning.
            embedding: L; the row of `PADDING` is zero.
        """
        terms = embedding @ self.input_weight.flatten(0, 1).T  # W_z x, W_r x and W x, both ways, per word
        terms = terms.view(len(embedding), 2, -1)
        if fused_recurrence.usable(words, self.state_size):
            last = fused_recurrence.recur(
                terms, words, self.gate_weight, self.candidate_weight, reset_after=self.reset_after
            )
        else:
            last = self._plain(terms, words)
        return torch.cat((last[0], last[1]), dim=1)

    def _plain(
        self, terms: Float[Tensor, "word 2 gates"], words: Int[Tensor, "batch token"]
    ) -> Float[Tensor, "2 batch state"]:
        """Runs the recurrence over the words that are there, the longest questions first."""
        lengths = (words != PADDING).sum(dim=1).clamp(min=1)  # without words: one of padding, which is inert
        order = lengths.argsort(descending=True, stable=True)
        words = words[order]
        # Rows of `terms` for both directions, step by step.
        codes = torch.stack((2 * words, 2 * reversed_words(words) + 1)).unbind(dim=2)
        if not words.is_cuda:  # there, reading the lengths would wait for the device
            begun = torch.bincount(words.shape[1] - lengths, minlength=words.shape[1]).cumsum(0).tolist()
            codes = tuple(step[:, :n] for step, n in zip(codes, begun, strict=False) if n)
        if not codes:  # no questions
            return terms.new_zeros(2, len(words), self.state_size)
        last = recur(
            terms.flatten(0, 1),
            codes,
            self.gate_weight.transpose(1, 2),
            self.candidate_weight.transpose(1, 2),
            reset_after=self.reset_after,
        )
        return last[:, order.argsort()]


def reversed_words(words: Int[Tensor, "batch token"]) -> Int[Tensor, "batch token"]:
    """Returns each question read backwards, again padded at the beginning."""
    length = words.shape[1]
    padding = (words == PADDING).sum(dim=1, keepdim=True)
    position = torch.arange(length, device=words.device).expand_as(words)
    source = torch.where(position < padding, position, length - 1 - (position - padding))
    return words.gather(1, source)
