"""Renaming: another example with the same answer, made of one that is there.

An answer does not change when cities trade their names, in the question and in the table alike, nor when
numbers are replaced by others in the same order. Seeing examples in ever new names, a model cannot learn them
by heart; it has to learn what to do with names and numbers.
"""

import math
from dataclasses import dataclass, replace

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from neural_enquirer.encoding.batch import Batch
from neural_enquirer.encoding.words import Vocabulary


@dataclass(frozen=True)
class Renaming:
    """Draws new names for each example of a batch, from words of the same kind.

    Attributes:
        entities: the codes of each kind of entity.
        numbers: the codes of numbers, in rising order.
        codes: how many codes the vocabulary has.
    """

    entities: tuple[Int[Tensor, "_"], ...]
    numbers: Int[Tensor, "number"]
    codes: int

    @classmethod
    def of(cls, vocabulary: Vocabulary, batch: Batch) -> "Renaming":
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
        return cls(tuple(kinds), torch.tensor(numbers, device=device), len(vocabulary))

    def __call__(self, batch: Batch) -> Batch:
        """Returns the batch with other names; what is mentioned and what is the answer stays where it is."""
        names = torch.arange(self.codes, device=batch.words.device).repeat(len(batch), 1)
        for kind in self.entities:
            order = torch.rand(len(batch), len(kind), device=kind.device).argsort(dim=1)
            names[:, kind] = kind[order]
        names[:, self.numbers] = self.numbers[self._other_numbers(batch)]
        words = names.gather(1, batch.words.long()).to(batch.words.dtype)
        own = batch.table.cells
        cells = names.gather(1, own.flatten(1).long()).view_as(own).to(own.dtype)
        return replace(batch, words=words, tables=(replace(batch.table, cells=cells),))

    def _other_numbers(self, batch: Batch) -> Int[Tensor, "batch number"]:
        """Draws for each number of an example another one, so that the order among them stays."""
        there = torch.zeros(len(batch), self.codes, device=batch.words.device)
        there.scatter_(1, batch.words.long(), 1.0).scatter_(1, batch.table.cells.flatten(1).long(), 1.0)
        there = there[:, self.numbers] > 0
        chance = torch.rand(there.shape, device=there.device)
        return order_preserving(there, chance)


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
