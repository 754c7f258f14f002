"""Renaming: another example with the same answer, made of one that is there.

An answer does not change when cities trade their names, in the question and in the table alike, nor when
numbers are replaced by others in the same order. Seeing examples in ever new names, a model cannot learn them
by heart; it has to learn what to do with names and numbers.

New names make another logical form, which may be one that is kept for validation or testing. Such names are
not used (see `forms`): they are drawn again, and where no draw is good an example keeps its own.
"""

import math
from dataclasses import dataclass, replace

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from neural_enquirer.encoding.batch import Batch
from neural_enquirer.encoding.words import Vocabulary

WITHIN_TRAINING = "within training forms"
"""What a run says of its renaming. Runs of before it kept to the split say nothing."""
DRAWS = 4
"""Names are drawn so often at once: a fifth of all forms is not for training, but hardly ever all draws."""


@dataclass(frozen=True)
class Renaming:
    """Draws new names for each example of a batch, from words of the same kind.

    Attributes:
        entities: the codes of each kind of entity.
        numbers: the codes of numbers, in rising order.
        allowed: which values make which patterns of logical forms ones of training.
    """

    entities: tuple[Int[Tensor, "_"], ...]
    numbers: Int[Tensor, "number"]
    allowed: Bool[Tensor, "pattern code"]

    @classmethod
    def of(cls, vocabulary: Vocabulary, batch: Batch, allowed: Bool[Tensor, "pattern code"]) -> "Renaming":
        """Finds the kinds of entities (those that share a field of the tables) and the numbers."""
        values = {word: number for word in vocabulary.words if (number := as_number(word)) is not None}
        device = batch.words.device
        numbers = [vocabulary.codes[word] for word in sorted(values, key=values.__getitem__)]
        coded = {vocabulary.codes[word] for word in vocabulary.entities}
        kinds = []
        table = batch.table
        for field in table.fields.unique().tolist():
            found = table.cells.transpose(1, 2)[table.fields == field].unique().tolist()
            if coded.issuperset(found):
                kinds.append(torch.tensor(found, device=device))
        return cls(tuple(kinds), torch.tensor(numbers, device=device), allowed.to(device))

    def __call__(self, batch: Batch) -> Batch:
        """Returns the batch with other names; what is mentioned and what is the answer stays where it is."""
        names = self._names(batch)
        words = names.gather(1, batch.words.long()).to(batch.words.dtype)
        own = batch.table.cells
        cells = names.gather(1, own.flatten(1).long()).view_as(own).to(own.dtype)
        return replace(batch, words=words, tables=(replace(batch.table, cells=cells),))

    def _names(self, batch: Batch) -> Int[Tensor, "batch code"]:
        """Returns what each code becomes: the first draw whose question is of training, else itself.

        Nothing here depends on what is drawn but the numbers themselves, so that a graph can hold it.
        """
        if batch.forms is None:
            raise ValueError("only questions whose logical forms are known can be renamed")
        pattern, value = batch.forms.unbind(dim=1)
        drawn = self._draws(batch)
        each = torch.arange(len(batch), device=drawn.device)
        trains = self.allowed[pattern, drawn[:, each, value]]
        first = trains.to(torch.uint8).argmax(dim=0)
        own = torch.arange(drawn.shape[2], device=drawn.device)
        return torch.where(trains.any(dim=0)[:, None], drawn[first, each], own)

    def _draws(self, batch: Batch) -> Int[Tensor, "draw batch code"]:
        """Draws names for all codes: entities trade places with their kind, numbers keep their order."""
        device, count = batch.words.device, len(batch)
        drawn = torch.arange(self.allowed.shape[1], device=device).repeat(DRAWS, count, 1)
        for kind in self.entities:
            order = torch.rand(DRAWS, count, len(kind), device=device).argsort(dim=2)
            drawn[:, :, kind] = kind[order]
        there = self._numbers_there(batch).repeat(DRAWS, 1)
        chance = torch.rand(there.shape, device=device)
        numbers = self.numbers[order_preserving(there, chance)]
        drawn[:, :, self.numbers] = numbers.view(DRAWS, count, len(self.numbers))
        return drawn

    def _numbers_there(self, batch: Batch) -> Bool[Tensor, "batch number"]:
        """Returns which numbers stand in each question or its table."""
        there = torch.zeros(len(batch), self.allowed.shape[1], device=batch.words.device)
        there.scatter_(1, batch.words.long(), 1.0).scatter_(1, batch.table.cells.flatten(1).long(), 1.0)
        return there[:, self.numbers] > 0


def order_preserving(
    there: Bool[Tensor, "batch number"], chance: Float[Tensor, "batch number"]
) -> Int[Tensor, "batch number"]:
    """Maps the i-th number that is there to the i-th of as many numbers, those of the lowest chance."""
    count = there.sum(dim=1, keepdim=True)
    place = chance.argsort(dim=1).argsort(dim=1)
    size = there.shape[1]
    position = torch.arange(size, device=there.device).expand_as(place)
    chosen = torch.where(place < count, position, size).sort(dim=1).values  # the new numbers, then nothing
    index = (there.cumsum(dim=1) - 1).clamp(min=0)
    return torch.where(there, chosen.gather(1, index), position)


def as_number(word: str) -> float | None:
    """Returns the number that a word spells, if it does."""
    try:
        number = float(word.replace(",", ""))
    except ValueError:
        return None
    return number if math.isfinite(number) else None
