"""What enumeration is given: what a question's words may stand for, and the answer that is wanted."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass

from neural_enquirer.programs import language as lang
from neural_enquirer.programs.language import Aggregation, Operation
from neural_enquirer.programs.trees import field_of

NamedOperation = Aggregation | Operation


@dataclass(frozen=True)
class LinkedCondition:
    """A comparison with values of the question, and the places of the words that it is made of.

    No program uses a word twice.
    """

    condition: lang.Compare | lang.Between
    words: frozenset[int]


@dataclass(frozen=True)
class LinkedNumber:
    """A number of the question, and the places of its words."""

    value: int | float
    words: frozenset[int]


@dataclass(frozen=True)
class Candidates:
    """What the words of a question may stand for in one table.

    Attributes:
        conditions: comparisons of fields with values of the question.
        numbers: for "the n largest", "the n-th", "more than n times" and differences from a number.
        fields: the names of the fields that the question mentions; differences within a row are made of them.
        operations: what the question has a word of its own for. Without one, averages, medians, ratios and
            percentages are not looked for, nor are sums and extremes of a single row: nearly all that are
            right without their word are right by chance.
    """

    conditions: tuple[LinkedCondition, ...] = ()
    numbers: tuple[LinkedNumber, ...] = ()
    fields: frozenset[str] = frozenset()
    operations: frozenset[NamedOperation] = frozenset()

    def strangeness(self, term: lang.Term) -> int:
        """What it costs more to use a term: 1 where the question does not mention its field.

        Two fields taken together are rarely meant, even where both are mentioned.
        """
        if isinstance(term, lang.Arithmetic):
            return 2
        field = field_of(term)
        return 0 if field is not None and field.name in self.fields else 1

    def with_those_of(self, other: "Candidates") -> "Candidates":
        """What the words may stand for in two tables that are joined."""
        return Candidates(
            tuple(dict.fromkeys(self.conditions + other.conditions)),
            tuple(dict.fromkeys(self.numbers + other.numbers)),
            self.fields | other.fields,
            self.operations | other.operations,
        )


def as_bits(words: frozenset[int]) -> int:
    """Places of words as the bits of an integer."""
    return sum(1 << word for word in words)


@dataclass(frozen=True)
class Wanted:
    """The answer that programs shall give, by the rules of whoever asks.

    Attributes:
        counts: how often each part of the answer comes, by its key; once where that does not count.
        key: what all spellings of one answer have in common; ("number", n) for a number.
        counted: whether an answer that comes twice counts twice.
    """

    counts: Mapping[Hashable, int]
    key: Callable[[str], Hashable]
    counted: bool

    @classmethod
    def of(cls, answers: Iterable[str], key: Callable[[str], Hashable], *, counted: bool) -> "Wanted":
        """The answer that some texts are."""
        keys = [key(text) for text in answers]
        return cls(Counter(keys if counted else set(keys)), key, counted)

    @property
    def number(self) -> float | None:
        """The number that is wanted, if it is one number."""
        match list(self.counts.items()):
            case [(("number", float(number)), 1)]:
                return number
        return None

    @property
    def truth(self) -> bool | None:
        """Whether yes or no is wanted, if it is one of them."""
        match list(self.counts.items()):
            case [(only, 1)] if only in (self.key("yes"), self.key("no")):
                return only == self.key("yes")
        return None
