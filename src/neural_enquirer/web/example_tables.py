"""The example tables that come with the package."""

from pathlib import Path

from neural_enquirer.tables import Table

_SUFFIXES = (".csv", ".tsv", ".jsonl", ".parquet", ".db")
_NO_TABLE = "questions.jsonl"


def example_tables() -> list[tuple[str, Table]]:
    """The examples, each with its file's name; none where they were not installed."""
    return [
        (path.name, Table.read(path))
        for path in sorted(_folder().glob("*"))
        if path.suffix in _SUFFIXES and path.name != _NO_TABLE
    ]


def _folder() -> Path:
    """In an installed package, beside this module; in the repository, where people find them."""
    installed = Path(__file__).parent / "examples"
    return installed if installed.is_dir() else Path(__file__).parents[3] / "examples"
