"""Other names for the fields of tables: what other people, in other files, call the same column."""

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from neural_enquirer.real_questions.files import json_lines
from neural_enquirer.tables import Table

FILE: Final = "names.jsonl.xz"
OtherNames: TypeAlias = Mapping[str, Sequence[str]]
"""Of each header, the names that mean the same."""
_KEPT: Final = 0.25
"""How often a field keeps its own name: real questions say some names as they stand."""


def read_other_names(folder: Path) -> OtherNames:
    """Reads the other names that are kept beside the questions of a part; none where it has no such file.

    Raises:
        RealDataError: if the file is damaged.
    """
    path = folder / FILE
    records = json_lines(path, ("header", "names")) if path.is_file() else ()
    return {record["header"]: tuple(record["names"]) for record in records}


def draw_names(tables: Sequence[Table], names: OtherNames, rng: random.Random) -> dict[str, str]:
    """Draws other names for fields of tables; no two fields of all tables come to have the same one.

    Returns:
        The new name of each field that gets one, by its own.
    """
    own = list(dict.fromkeys(name for table in tables for name in table.field_names))
    taken = {_folded(name) for name in own}
    drawn = {}
    for name in own:
        free = [other for other in names.get(" ".join(name.split()), ()) if _folded(other) not in taken]
        if free and rng.random() >= _KEPT:
            drawn[name] = rng.choice(free)
            taken.add(_folded(drawn[name]))
    return drawn


def _folded(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())
