"""Learning to judge: from questions about tables that nothing else was learned from.

The judge sees what the decoder wrote and the cascade voted for, and which of it was right by the rules of the
question's set. What it says is set right at last by one temperature, found on questions kept apart.
"""

import hashlib
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from neural_enquirer.judge.verdict import Judge

HIDDEN: Final = (64, 32)
DROPOUT: Final = 0.25
UNANSWERED: Final = 2.0
"""How much more a question that nothing answers counts: they are rare, and an answer to one misleads."""
EPOCHS: Final = 24
BATCH: Final = 64
RATE: Final = 2e-3
DECAY: Final = 0.3
FURTHER_EPOCHS: Final = 6
FURTHER_RATE: Final = 3e-4
"""Where a judge goes on learning from where another one was."""
_APART: Final = 5
"""One table in so many is kept apart to set the temperature."""


@dataclass(frozen=True)
class Case:
    """One question as the judge sees it.

    Attributes:
        rows: the features of each candidate, of refusing, and of the right answer not being there.
        right: which of them are right.
        table: the name of its first table, by which questions are kept apart.
        source: the set of questions that it is of.
        weight: how much it counts.
    """

    rows: npt.NDArray[np.float32]
    right: npt.NDArray[np.bool_]
    table: str
    source: str
    weight: float = 1.0

    @property
    def is_refused(self) -> bool:
        """Whether refusing is right."""
        return bool(self.right[-2])


def is_apart(case: Case) -> bool:
    """Whether a case is kept apart, to set the temperature by."""
    return int(hashlib.sha256(case.table.encode("utf-8")).hexdigest()[8:16], 16) % _APART == 0


class Network(nn.Module):
    """The network of a judge, with what features are scaled by."""

    def __init__(
        self, cases: Sequence[Case], hidden: Sequence[int] = HIDDEN, dropout: float = DROPOUT
    ) -> None:
        """Makes a network for the features of some cases."""
        super().__init__()
        everything = np.concatenate([case.rows for case in cases])
        self.mean, self.scale = everything.mean(axis=0), everything.std(axis=0) + 0.1
        sizes = (len(self.mean), *hidden)
        layers: list[nn.Module] = []
        for size, following in itertools.pairwise(sizes):
            layers += [nn.Linear(size, following), nn.ReLU(), nn.Dropout(dropout)]
        self.layers = nn.Sequential(*layers, nn.Linear(sizes[-1], 1))

    def begin_with(self, judge: Judge) -> None:
        """Takes the weights of a judge, whose features were scaled otherwise.

        Raises:
            ValueError: if the judge is of another size.
        """
        factor, shift = self.scale / judge.scale, (self.mean - judge.mean) / judge.scale
        first, *others = judge.weights
        weights = (first * factor, *others)
        biases = (judge.biases[0] + first @ shift, *judge.biases[1:])
        if [one.shape for one in weights] != [tuple(layer.weight.shape) for layer in self.linear]:
            raise ValueError("a judge to begin with has the size of those that are learned")
        with torch.no_grad():
            for layer, weight, bias in zip(self.linear, weights, biases, strict=True):
                layer.weight.copy_(torch.from_numpy(np.asarray(weight, np.float32)))
                layer.bias.copy_(torch.from_numpy(np.asarray(bias, np.float32)))

    @property
    def linear(self) -> list[nn.Linear]:
        """Its layers with weights."""
        return [layer for layer in self.layers if isinstance(layer, nn.Linear)]

    def judge(self, temperature: float = 1.0) -> Judge:
        """The judge, whose scores are divided by a temperature."""
        weights = [layer.weight.detach().numpy().copy() for layer in self.linear]
        biases = [layer.bias.detach().numpy().copy() for layer in self.linear]
        weights[-1], biases[-1] = weights[-1] / np.float32(temperature), biases[-1] / np.float32(temperature)
        mean, scale = self.mean.astype(np.float32), self.scale.astype(np.float32)
        return Judge(mean, scale, tuple(weights), tuple(biases))

    def forward(
        self, cases: Sequence[Case]
    ) -> tuple[Float[Tensor, "case candidate"], Bool[Tensor, "case candidate"]]:
        """The score of each candidate, minus infinity where there is none, and which are right."""
        most = max(len(case.rows) for case in cases)
        rows = np.zeros((len(cases), most, len(self.mean)), np.float32)
        right = np.zeros((len(cases), most), np.bool_)
        there = np.zeros((len(cases), most), np.bool_)
        for i, case in enumerate(cases):
            rows[i, : len(case.rows)] = (case.rows - self.mean) / self.scale
            right[i, : len(case.rows)] = case.right
            there[i, : len(case.rows)] = True
        scores = self.layers(torch.from_numpy(rows)).squeeze(2)
        return scores.masked_fill(~torch.from_numpy(there), -torch.inf), torch.from_numpy(right)

    def loss(self, cases: Sequence[Case], unanswered: float = 1.0) -> Float[Tensor, ""]:
        """How surprising what is right is, by the weights of cases; refusing counts for so much more."""
        weights = _weights(cases) * torch.tensor([unanswered if one.is_refused else 1.0 for one in cases])
        return _surprise(*self(cases)).mul(weights).sum() / weights.sum()

    @torch.no_grad()
    def temperature(self, cases: Sequence[Case]) -> float:
        """What scores are divided by so that what is right is least surprising."""
        scores, right = self(cases)
        weights, choices = _weights(cases), np.geomspace(0.5, 4.0, 60)
        return float(min(choices, key=lambda one: float(_surprise(scores / float(one), right) @ weights)))


def _weights(cases: Sequence[Case]) -> Float[Tensor, "case"]:
    return torch.tensor([case.weight for case in cases])


def _surprise(
    scores: Float[Tensor, "case candidate"], right: Bool[Tensor, "case candidate"]
) -> Float[Tensor, "case"]:
    """-log of the probability of what is right."""
    return scores.logsumexp(dim=1) - scores.masked_fill(~right, -torch.inf).logsumexp(dim=1)


def learn(cases: Sequence[Case], seed: int = 0, start: Judge | None = None) -> Judge:
    """Trains a judge, anew or from another one's weights; the same cases and seed give the same."""
    torch.manual_seed(seed)
    apart = [case for case in cases if is_apart(case)]
    taught = [case for case in cases if not is_apart(case)]
    network = Network(taught)
    epochs, rate = EPOCHS, RATE
    if start is not None:
        network.begin_with(start)
        epochs, rate = FURTHER_EPOCHS, FURTHER_RATE
    optimizer = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, rate, total_steps=epochs * (1 + len(taught) // BATCH)
    )
    rng = np.random.default_rng(seed)
    for _ in range(epochs):
        order = rng.permutation(len(taught))
        for first in range(0, len(order), BATCH):
            optimizer.zero_grad()
            network.loss([taught[i] for i in order[first : first + BATCH]], UNANSWERED).backward()
            optimizer.step()
            schedule.step()
    network.eval()
    return network.judge(network.temperature(apart or taught))
