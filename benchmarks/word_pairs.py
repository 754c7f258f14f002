"""Words that nobody taught: does a word find the header that it speaks of?

`python -m benchmarks.word_pairs make WORDNET EVERYDAY/train WIKISQL WIKITABLEQUESTIONS` writes
datasets/words/pairs.jsonl: the words of chosen.txt beside it, each with a real table whose headers have the
right one and 7 to 14 others. It drops a word that a training question or a template has, or that WordNet does
not relate to its header, and never takes a table where WordNet relates the word to another header, too.

`python -m benchmarks.word_pairs score` says how many words are closest to the right header, by vectors alone,
and `python -m benchmarks.word_pairs ask MODEL EVERYDAY/train WIKISQL WIKITABLEQUESTIONS` in how many of its
questions the likeliest program that a model writes reads the right field.
"""

import argparse
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

from neural_enquirer.encoding.actions import Derivation, Pool
from neural_enquirer.encoding.text import STOP_WORDS, header_words, words_of
from neural_enquirer.encoding.word_vectors import bases_of, word_vector
from neural_enquirer.prediction.loading import load_predictor
from neural_enquirer.prediction.predictors import OpenPredictor
from neural_enquirer.real_questions import read_real
from neural_enquirer.real_questions.everyday import read_everyday, read_tables
from neural_enquirer.tables import Table
from neural_enquirer.training.open_words import open_vocabulary
from neural_enquirer.word_building.relations import Relation, relations
from neural_enquirer.word_building.wordnet import WordNet, read_folder

FOLDER: Final = Path("datasets/words")
FEWEST, MOST = 8, 15


@dataclass(frozen=True)
class Pair:
    """A word, the header that it speaks of, and the table that the header is of."""

    word: str
    question: str
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
    questions, tables = read_training(everyday, sets)
    seen = {word for question in questions for word in words_of(question)}.union(open_vocabulary().words)
    wide = {name: table.field_names for name, table in tables.items() if FEWEST <= len(table.fields) <= MOST}
    known = list(relations(wordnet))
    attributes = {word for pair in known if pair.kind == "attribute" for word in pair[:2]}
    return [replace(pair, question=_question(pair.word, attributes)) for pair in _pairs(wide, known, seen)]


def read_training(everyday: Path, sets: Sequence[Path]) -> tuple[list[str], dict[str, Table]]:
    """All training questions, and their tables by name."""
    asked = read_everyday(everyday)
    questions, tables = [one.question for one in asked], read_tables(everyday, asked)
    for folder in sets:
        for example in read_real(folder, "train"):
            questions.append(example.question)
            tables[example.table.name] = example.table
    return questions, tables


def _question(word: str, attributes: set[str]) -> str:
    """A question that a word could come in: most of those that say what something is like are adjectives."""
    bases = _bases(word)
    if attributes.isdisjoint(bases):
        return f"what is the {word}"
    return f"which one is the {word}" if word.endswith("est") else f"which one is the most {word}"


def _pairs(tables: Mapping[str, Sequence[str]], known: Iterable[Relation], seen: set[str]) -> Iterator[Pair]:
    related = _related(known)
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
        yield Pair(word, "", header, name, tuple(tables[name]))


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


def _related(known: Iterable[Relation]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for one, other, _, _ in known:
        found.setdefault(one, set()).update((other, _singular(other)))
        found.setdefault(other, set()).update((one, _singular(one)))
    return found


def _all_related(word: str, related: Mapping[str, set[str]]) -> set[str]:
    """What a word or its base form is related to, with one step between: weighty, heavy, weight."""
    near = {other for base in _bases(word) for other in related.get(base, ())}
    return near | {_singular(word)}


def _bases(word: str) -> list[str]:
    return [word, *bases_of(word)]


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


def ask(pairs: Sequence[Pair], model: str, tables: Mapping[str, Table]) -> float:
    """In how many questions the likeliest program that reads any field reads the right one."""
    predictor = load_predictor(model)
    assert isinstance(predictor, OpenPredictor)
    right = 0
    for pair in pairs:
        (evidence,) = predictor.evidence([((tables[pair.table],), pair.question)])
        read = next(filter(None, (_fields(way.derivation) for way in evidence.ways)), set())
        right += pair.headers.index(pair.header) in read
    return right / len(pairs)


def _fields(derivation: Derivation) -> set[int]:
    return {action.number for action in derivation if action.pool == Pool.FIELD}


def main() -> None:
    """Makes the pairs, or scores them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("action", choices=("make", "score", "ask"))
    parser.add_argument("folders", nargs="*", type=Path, metavar="DIR")
    given = parser.parse_args()
    if given.action == "make":
        wordnet, everyday, *sets = given.folders
        pairs = make(read_folder(wordnet), everyday, sets)
        lines = [json.dumps(asdict(pair), ensure_ascii=False) + "\n" for pair in pairs]
        (FOLDER / "pairs.jsonl").write_text("".join(lines), encoding="utf-8")
    pairs = read_pairs()
    if given.action == "ask":
        model, everyday, *sets = given.folders
        share = ask(pairs, str(model), read_training(everyday, sets)[1])
        print(f"{len(pairs)} questions: {share:.1%} read the right field")
        return
    first, mean = score(pairs)
    print(f"{len(pairs)} words: {first:.1%} closest to the right header; mean rank {mean:.2f}")


if __name__ == "__main__":
    main()
