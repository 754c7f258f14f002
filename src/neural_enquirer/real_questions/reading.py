"""Reads a folder of real questions, in whichever of the known forms it is."""

from pathlib import Path

from neural_enquirer.real_questions import simple_format, wiki_table_questions, wikisql
from neural_enquirer.real_questions.example import RealDataError, RealExample

SPLITS = ("train", "dev", "test")


def is_real(folder: Path) -> bool:
    """Whether a folder holds real questions in one of the known forms."""
    return any(_form(folder, split) is not None for split in SPLITS)


def read_real(folder: Path, split: str) -> list[RealExample]:
    """Reads the questions of a split.

    Args:
        folder: WikiSQL's or WikiTableQuestions' own files as they are published, or either set in the simple
            format (see `simple_format`).
        split: `train`, `dev` or `test`.

    Raises:
        RealDataError: with one line that says what is wrong with the folder.
    """
    if split not in SPLITS:
        raise RealDataError(f"unknown split '{split}'; the splits are {', '.join(SPLITS)}")
    if not folder.is_dir():
        raise RealDataError(f"{folder} is not a folder; give the one with the questions")
    form = _form(folder, split)
    if form == "simple":
        return simple_format.read(folder, split)
    if form == "wikisql":
        return wikisql.read(folder, split)
    if form == "wiki_table_questions":
        return wiki_table_questions.read(folder, split)
    if there := [other for other in SPLITS if _form(folder, other) is not None]:
        raise RealDataError(f"{folder} has no {split} questions, only {' and '.join(there)}")
    raise RealDataError(
        f"{folder} holds no questions: expected {split}.jsonl of WikiSQL, data/"
        f"{wiki_table_questions.FILES[split]} of WikiTableQuestions, or questions-{split}.jsonl"
    )


def _form(folder: Path, split: str) -> str | None:
    if simple_format.questions_file(folder, split) is not None:
        return "simple"
    if (folder / f"{split}.jsonl").is_file():
        return "wikisql"
    if (folder / "data" / wiki_table_questions.FILES[split]).is_file():
        return "wiki_table_questions"
    return None
