"""The programs of everyday questions: what their SQL says, in the language of programs."""

import json
import lzma
from collections.abc import Mapping, Sequence
from pathlib import Path

from neural_enquirer.programs.language import ProgramError
from neural_enquirer.programs.text import to_text
from neural_enquirer.real_questions.everyday.questions import EverydayQuestion
from neural_enquirer.real_questions.example import RealDataError
from neural_enquirer.tables import Table

FILE = "programs.json.xz"


def programs_of(questions: Sequence[EverydayQuestion], tables: Mapping[str, Table]) -> dict[str, str]:
    """Returns the text of the program of each question, by its id, where its SQL can be said as one."""
    from neural_enquirer.programs.sql_reading import from_sql  # needs sqlglot, which training does not

    known: dict[tuple[tuple[str, ...], str], str | None] = {}
    programs = {}
    for question in questions:
        if question.sql is None:
            continue
        key = question.tables, question.sql
        if key not in known:
            try:
                known[key] = to_text(from_sql(question.sql, [tables[name] for name in question.tables]))
            except ProgramError:
                known[key] = None
        program = known[key]
        if program is not None:
            programs[question.id] = program
    return programs


def write_programs(folder: Path, programs: Mapping[str, str]) -> Path:
    """Keeps the programs of a part beside its questions; returns the file."""
    path, unfinished = folder / FILE, folder / f"{FILE}.part"
    unfinished.write_bytes(lzma.compress(json.dumps(dict(programs), indent=0).encode("utf-8")))
    unfinished.replace(path)
    return path


def read_programs(folder: Path) -> dict[str, str]:
    """Reads the programs that were kept beside the questions of a part.

    Raises:
        RealDataError: if they are not there, or damaged.
    """
    path = folder / FILE
    if not path.is_file():
        raise RealDataError(f"{path} is missing; enquirer everyday programs {folder} makes it")
    try:
        programs: dict[str, str] = json.loads(lzma.decompress(path.read_bytes()))
    except (ValueError, lzma.LZMAError) as error:
        message = f"{path} is damaged; enquirer everyday programs {folder} makes it again"
        raise RealDataError(message) from error
    return programs
