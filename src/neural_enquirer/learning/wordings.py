"""Learning which words make questions the same: from questions in several wordings.

Of all other questions about its tables a question should be most like those that ask the same.
"""

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor, nn

from neural_enquirer.encoding.text import stem, words_of
from neural_enquirer.encoding.word_vectors import SIZE
from neural_enquirer.prediction.wordings import Wordings, meaning_of

_COMMON: Final = 2000
"""So many stems have a direction of their own."""
_WIDTH: Final = 32
_FORGOTTEN: Final = 0.1
"""How often it is taken away in learning: what words mean should do as well."""
_MOST: Final = 150
"""Questions about the same tables that are compared."""
_EPOCHS: Final = 4
_TOGETHER: Final = 4
_RATE: Final = 4e-3
_DECAY: Final = 0.01


@dataclass(frozen=True, eq=False)
class Subject:
    """The questions about some tables: the row, meaning and question of each word, and which ask the same."""

    rows: Tensor
    means: Tensor
    owners: Tensor
    same: Tensor


class _Network(nn.Module):
    def __init__(self, common: int) -> None:
        super().__init__()
        self.meaning = nn.Linear(SIZE, _WIDTH, bias=False)
        self.weights = nn.Embedding.from_pretrained(torch.ones(common + 1, 1), freeze=False)
        self.own = nn.Embedding.from_pretrained(torch.randn(common + 1, _WIDTH) / 20, freeze=False)
        self.sharpness = nn.Parameter(torch.tensor(2.3))

    def forward(self, subject: Subject) -> Float[Tensor, ""]:
        """How surprising it is which of the other questions ask the same; summed."""
        kept = torch.rand(len(subject.rows), 1) > _FORGOTTEN
        words = self.meaning(subject.means) * self.weights(subject.rows) + self.own(subject.rows) * kept
        count = len(subject.same)
        found = torch.zeros(count, _WIDTH).index_add(0, subject.owners, words)
        directions = nn.functional.normalize(found, dim=1)
        alike = directions @ directions.T * self.sharpness.exp()
        itself = torch.eye(count, dtype=torch.bool)
        others = alike.masked_fill(itself, -torch.inf)
        right = subject.same & ~itself
        surprise = others.logsumexp(dim=1) - others.masked_fill(~right, -torch.inf).logsumexp(dim=1)
        return surprise[right.any(dim=1)].sum()


def learned(subjects: Sequence[Sequence[tuple[str, str]]], seed: int = 0) -> Wordings:
    """Where words point.

    Args:
        subjects: for each subject its questions: what is asked, in whatever words, and the words.
        seed: the same subjects and seed give the same.
    """
    torch.manual_seed(seed)
    said = Counter(
        one for own in subjects for _, text in own for one in dict.fromkeys(map(stem, words_of(text)))
    )
    stems = [one for one, _ in said.most_common(_COMMON)]
    places = {one: place for place, one in enumerate(stems, start=1)}
    heard = [_subject(own[:_MOST], places) for own in subjects]
    network = _Network(len(stems))
    optimizer = torch.optim.AdamW(network.parameters(), lr=_RATE, weight_decay=_DECAY)
    steps = _EPOCHS * (1 + len(heard) // _TOGETHER)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, _RATE, total_steps=steps + 1)
    for _ in range(_EPOCHS):
        for some in torch.randperm(len(heard)).split(_TOGETHER):
            optimizer.zero_grad()
            asked = sum(len(heard[one].same) for one in some.tolist())
            (torch.stack([network(heard[one]) for one in some.tolist()]).sum() / asked).backward()
            optimizer.step()
            schedule.step()
    weights = [network.meaning.weight.T, network.weights.weight[:, 0], network.own.weight]
    return Wordings(stems, *(one.detach().contiguous().numpy() for one in weights))


def _subject(questions: Sequence[tuple[str, str]], places: dict[str, int]) -> Subject:
    texts = [words_of(text) for _, text in questions]
    words = list(itertools.chain(*texts))
    names = np.array([name for name, _ in questions])
    return Subject(
        torch.tensor([places.get(stem(word), 0) for word in words], dtype=torch.long),
        torch.from_numpy(np.array([meaning_of(word) for word in words], np.float32).reshape(-1, SIZE)),
        torch.repeat_interleave(torch.arange(len(texts)), torch.tensor(list(map(len, texts)))),
        torch.from_numpy(names[:, None] == names[None, :]),
    )
