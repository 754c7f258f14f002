"""The page of results: README.md of a folder of results, in whole from what the runs and benchmarks wrote.

    python -m neural_enquirer.reproduction.report

writes results/README.md, and in a checkout also the tables that stand in other documents between markers.
Prose is kept in report.md beside this module; `{{name}}` in it stands for a table or a number.
"""

import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from neural_enquirer.checkpoint import write_text
from neural_enquirer.reproduction import benchmark_tables, efficiency, paper_tables, plateau, summary
from neural_enquirer.reproduction.stored import Results

REPOSITORY: Final = Path(__file__).parents[3]
"""The checkout that this module is in; nothing of it is there where the package was installed."""
DOCUMENTS: Final = (
    "README.md",
    "docs/ask-your-table.md",
    "docs/engines.md",
    "docs/programs.md",
    "docs/real-questions.md",
    "docs/reproduction.md",
)
"""Documents of the repository with tables between markers."""

_TEMPLATE: Final = Path(__file__).with_name("report.md")
_BEGIN: Final = "<!-- {name}: made by python -m neural_enquirer.reproduction.report -->"
_END: Final = "<!-- end of {name} -->"
_PLACE: Final = re.compile(r"\{\{([^{}]+)\}\}")

TABLES: Final[Mapping[str, Callable[[Results], str | None]]] = {
    **benchmark_tables.TABLES,
    **{name: chosen.markdown for name, chosen in paper_tables.WHOLE.items()},
    **{
        f"{name} questions": partial(summary.questions_of, chosen)
        for name, chosen in paper_tables.WHOLE.items()
    },
    "curve questions": summary.curve_questions,
    "size": summary.size,
    "summary": summary.overall,
    "gaps": summary.gaps,
    "recipes": summary.recipes,
    "dagger": summary.dagger,
    "to be trained": summary.to_be_trained,
    "cost": summary.cost,
    "training time": summary.training_time,
    "notes": summary.notes,
    "plateau": plateau.told,
    "efficiency": efficiency.reached,
}
"""What may stand in a page, by name; None where its results are not there."""


def page(results: Results) -> str:
    """Returns the page; a section that speaks of results which are not there is left out."""
    sections = re.split(r"^(?=#+ )", _TEMPLATE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return "".join(filter(None, (_filled(section, results) for section in sections))).rstrip("\n") + "\n"


def _filled(section: str, results: Results) -> str | None:
    values = {name: TABLES[name](results) for name in set(_PLACE.findall(section))}
    if None in values.values():
        return None
    return _PLACE.sub(lambda place: str(values[place[1]]), section)


def with_tables(text: str, results: Results) -> str:
    """Returns a document with the tables of today between their markers."""
    for name, make in TABLES.items():
        begin, end = _BEGIN.format(name=name), _END.format(name=name)
        if begin in text and (made := make(results)) is not None:
            before, _, rest = text.partition(begin)
            after = rest.partition(end)[2]
            text = f"{before}{begin}\n{made}\n{end}{after}"
    return text


def write(folder: Path) -> None:
    """Writes the page of a folder of results, and the repository's documents if these are its results."""
    results = Results(folder)
    write_text(folder / "README.md", page(results))
    if folder.resolve() == REPOSITORY / "results":
        for name in DOCUMENTS:
            path = REPOSITORY / name
            write_text(path, with_tables(path.read_text(encoding="utf-8"), results))


if __name__ == "__main__":
    write(REPOSITORY / "results")
