"""Words that nobody taught: does a word find the header that it speaks of?

`python -m benchmarks.word_pairs make WORDNET EVERYDAY/train WIKISQL WIKITABLEQUESTIONS` writes
datasets/words/pairs.jsonl: the words of chosen.txt beside it, each with a real table whose headers have the
right one and 7 to 14 others. It drops a word that a training question or a template has, or that WordNet does
not relate to its header, and never takes a table where WordNet relates the word to another header, too.

`python -m benchmarks.word_pairs score` says how many words are closest to the right header, by vectors alone.
"""

import argparse
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from neural_enquirer.encoding.text import STOP_WORDS, header_words, words_of
from neural_enquirer.encoding.word_vectors import word_vector
from neural_enquirer.real_questions import read_real
from neural_enquirer.real_questions.everyday import read_everyday, read_tables
from neural_enquirer.tables import Table
from neural_enquirer.training.open_data import open_vocabulary
from neural_enquirer.word_building.relations import relations
from neural_enquirer.word_building.wordnet import WordNet, read_folder

FOLDER: Final = Path("datasets/words")
FEWEST, MOST = 8, 15
_FORMS: Final = (("", "est"), ("", "er"), ("e", "est"), ("e", "er"), ("y", "iest"), ("y", "ier"))


@dataclass(frozen=True)
class Pair:
    """A word, the header that it speaks of, and the table that the header is of."""

    word: str
    header: str
    table: str
    headers: tuple[str, ...]


def read_pairs() -> list[Pair]:
    """The pairs of the data set."""
    lines = (FOLDER / "pairs.jsonl").read_text(encoding="utf-8").splitlines()
    return [Pair(**json.loads(line) | {"headers": tuple(json.loads(line)["headers"])}) for line in lines]


def telling(header: str) -> tuple[str, ...]:
    """The words of a header that say what it is."""
    main, _ = header_words(header)
    return tuple(word for word in main if word not in STOP_WORDS)


def make(wordnet: WordNet, everyday: Path, sets: Sequence[Path]) -> list[Pair]:
    """Finds a table for each word that was chosen and is not known from training."""
    seen = set(open_vocabulary().words)
    tables: dict[str, Table] = {}
    questions = read_everyday(everyday)
    for question in questions:
        seen.update(words_of(question.question))
    tables |= read_tables(everyday, questions)
    for folder in sets:
        for example in read_real(folder, "train"):
            seen.update(words_of(example.question))
            tables[example.table.name] = example.table
    related = _related(wordnet)
    wide = {name: table.field_names for name, table in tables.items() if FEWEST <= len(table.fields) <= MOST}
    return list(_pairs(wide, related, seen))


def _pairs(
    tables: Mapping[str, Sequence[str]], related: Mapping[str, set[str]], seen: set[str]
) -> Iterator[Pair]:
    for word, right in chosen():
        own = _all_related(word, related)
        if word in seen or right not in own:
            print(f"dropped: {word} for {right}")
            continue
        fits = [(name, header) for name, headers in tables.items() if (header := _only(headers, right, own))]
        if not fits:
            print(f"no table: {word} for {right}")
            continue
        name, header = min(fits, key=lambda fit: hashlib.sha256(f"{word} {fit[0]}".encode()).digest())
        yield Pair(word, header, name, tuple(tables[name]))


def chosen() -> Iterator[tuple[str, str]]:
    """The words that were picked by hand, each with its header's."""
    for line in (FOLDER / "chosen.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            right, _, words = line.partition(": ")
            yield from ((word, right) for word in words.split())


def _only(headers: Iterable[str], right: str, related: set[str]) -> str | None:
    """The header that is the right word, if no other has a word that is related."""
    found = [header for header in headers if related & set(map(_singular, telling(header)))]
    whole = [
        header
        for header in found
        if tuple(map(_singular, telling(header))) in ((right,), (_singular(right),))
    ]
    return whole[0] if len(found) == 1 and whole else None


def _singular(word: str) -> str:
    return word.removesuffix("s") if len(word) > 3 else word


def _related(wordnet: WordNet) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for one, other, _, _ in relations(wordnet):
        found.setdefault(one, set()).update((other, _singular(other)))
        found.setdefault(other, set()).update((one, _singular(one)))
    return found


def _all_related(word: str, related: Mapping[str, set[str]]) -> set[str]:
    """What a word or its base form is related to, with one step between: weighty, heavy, weight."""
    bases = [word, *(word.removesuffix(new) + old for old, new in _FORMS if word.endswith(new))]
    near = {other for base in bases for other in related.get(base, ())}
    return near | {_singular(word)}


def score(pairs: Sequence[Pair]) -> tuple[float, float]:
    """How often the right header is the closest, and its mean rank."""
    ranks = [_rank(pair) for pair in pairs]
    return sum(rank == 1 for rank in ranks) / len(ranks), sum(ranks) / len(ranks)


def _rank(pair: Pair) -> float:
    """The place of the right header by the closest of its words; headers that are as close share places."""
    own = word_vector(pair.word)
    closeness = [
        max((float(own @ word_vector(word)) for word in telling(header)), default=-1.0)
        for header in pair.headers
    ]
    right = closeness[pair.headers.index(pair.header)]
    above, level = sum(one > right for one in closeness), sum(one == right for one in closeness)
    return above + (level + 1) / 2


def main() -> None:
    """Makes the pairs, or scores them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("action", choices=("make", "score"))
    parser.add_argument("folders", nargs="*", type=Path, metavar="DIR")
    given = parser.parse_args()
    if given.action == "make":
        wordnet, everyday, *sets = given.folders
        pairs = make(read_folder(wordnet), everyday, sets)
        lines = [json.dumps(asdict(pair), ensure_ascii=False) + "\n" for pair in pairs]
        (FOLDER / "pairs.jsonl").write_text("".join(lines), encoding="utf-8")
    pairs = read_pairs()
    first, mean = score(pairs)
    print(f"{len(pairs)} words: {first:.1%} closest to the right header; mean rank {mean:.2f}")


if __name__ == "__main__":
    main()
