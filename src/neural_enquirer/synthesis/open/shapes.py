"""What questions and values are put together from: the lists of `data/vocabulary` by their names.

Each file explains the slots of its phrases.
"""

from typing import Final

from neural_enquirer.synthesis.word_files import DATA, read_lists

_FOLDER: Final = DATA / "vocabulary"
_FILES: Final = (
    "amounts", "choices", "conditions", "everyday", "headers", "questions", "row_order", "unanswerable",
)  # fmt: skip

SHAPES: Final = read_lists(*(_FOLDER / "sentences" / f"{file}.toml" for file in _FILES))
"""All words of questions about one table but values and those of families and topics."""
JOINS: Final = read_lists(_FOLDER / "sentences" / "joins.toml")
"""What leads from one table to another."""
LINKED_HEADERS: Final = read_lists(_FOLDER / "sentences" / "linked_headers.toml")
"""Headers and titles of tables that belong together."""
VALUES: Final = read_lists(_FOLDER / "values.toml")
"""What made-up values are put together from."""
KINDS: Final = {name: frozenset(words) for name, words in read_lists(_FOLDER / "kinds.toml").items()}
"""Words that are told apart."""
