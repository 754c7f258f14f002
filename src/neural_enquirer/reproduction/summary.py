"""Short tables over all runs: overall accuracies, the time of training, and what there is to say of some."""

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from neural_enquirer.reproduction import large_kb, table2, two_tables
from neural_enquirer.reproduction.benchmark_tables import table
from neural_enquirer.reproduction.paper_table import PaperTable, Row
from neural_enquirer.reproduction.retraining import PARTS, SEEDS
from neural_enquirer.reproduction.size import QUICK_NOTE
from neural_enquirer.reproduction.stored import (
    DAGGER,
    Results,
    machines,
    marked,
    median,
    median_and_spread,
    met_test_forms,
    tested,
)

_TITLES = {"table2": "MIXTURED-", "large-kb": "large knowledge source", "two-tables": "two tables, "}
_OOV_25K = "olympics-25k-oov-n2n", "olympics-25k-oov-grounded"
_OOV_100K = "olympics-100k-oov-n2n", "olympics-100k-oov-grounded"
_NOT_RUN = "–"
"""Where there is little room."""

_RECIPES = (
    ("N2N, 25K", table2.N2N_25K, "olympics-25k-n2n-paper", "olympics-25k-n2n", "olympics-25k-grounded"),
    ("N2N, 100K", table2.N2N_100K, "olympics-100k-n2n-paper", "olympics-100k-n2n", "olympics-100k-grounded"),
    ("SbS, 25K", table2.SBS_25K, "olympics-25k-sbs-paper", "olympics-25k-sbs", None),
    ("SbS, 100K", table2.SBS_100K, "olympics-100k-sbs-paper", "olympics-100k-sbs-fast", None),
    ("N2N, new names, 25K", table2.OOV_25K, "olympics-25k-oov-n2n-paper", *_OOV_25K),
    ("N2N, new names, 100K", table2.OOV_100K, "olympics-100k-oov-n2n-paper", *_OOV_100K),
    ("large knowledge source", large_kb.PAPER, "large-kb-n2n", "large-kb-n2n-widened", "large-kb-ours"),
    ("two tables", two_tables.PAPER, "two-tables-paper-adadelta", "two-tables-paper", "two-tables-grounded"),
)
"""What is learned, the paper's figures, and experiments: its model in its and our settings, and grounded."""


def recipes(results: Results) -> str:
    """Returns the overall medians of the paper's models by recipe, in a table for a first look."""
    stored = results.runs()
    head = "% right|paper|its model, its settings|its model, ours|ours, grounded"
    rows = [head, "|".join(["---"] * 5)]
    for name, paper, *experiments in _RECIPES:
        cells = ["" if each is None else _short(stored.get(each, [])) for each in experiments]
        rows.append("|".join([name, str(paper[-1]), *cells]))
    made = "\n".join(f"|{row}|" for row in rows)
    told = {_NOT_RUN: "not run yet", DAGGER: "training met forms of the test; to be trained again"}
    legend = "; ".join(f"{mark} {meaning}" for mark, meaning in told.items() if mark in made)
    return f"{made}\n\n{legend}." if legend else made


def _short(runs: list[dict[str, Any]]) -> str:
    return marked(f"{statistics.median(tested(runs, 'overall')):.1f}", runs) if runs else _NOT_RUN


def dagger(results: Results) -> str:
    """Says what the mark means, as long as a stored run has it."""
    met = [name for name, runs in results.runs().items() if any(map(met_test_forms, runs))]
    if not met:
        return "No training question of any run had a logical form of validation or test."
    return (
        f"{DAGGER} Trained while names were also exchanged into logical forms that are kept for validation "
        "and test, so that some forms of the test were met, over other tables; that is mended, and these are "
        "to be trained again."
    )


def overall(results: Results) -> str:
    """Returns the overall accuracy of every model that was run, and that on its hardest questions."""
    stored = results.runs()
    rows = []
    for name, chosen in PARTS.items():
        for row in chosen.rows:
            if not (runs := stored.get(row.experiment)):
                continue
            kind = hardest(chosen, runs)
            hard = f"{kind.upper()}: {median(tested(runs, kind))}"
            ours = median_and_spread(tested(runs, "overall"))
            papers = _paper(row, -1), _paper(row, chosen.kinds.index(kind))
            title = marked(_title(name, row), runs)
            rows.append([title, ours, papers[0], hard, papers[1], str(len(runs))])
    return table(["% right", "overall", "paper", "hardest questions", "paper", "seeds"], rows)


def hardest(chosen: PaperTable, runs: Sequence[Mapping[str, Any]]) -> str:
    """Returns the type of question that some runs are worst at, by the median; the last of equal ones."""
    kinds = [kind for kind in chosen.kinds if kind != "overall" and tested(runs, kind)]
    return min(reversed(kinds), key=lambda kind: statistics.median(tested(runs, kind)))


def gaps(results: Results) -> str:
    """Says which models have no run yet, and which have fewer seeds than they should."""
    stored = results.runs()
    counts = {
        _title(name, row): len(stored.get(row.experiment, []))
        for name, chosen in PARTS.items()
        for row in chosen.rows
    }
    missing = [title for title, count in counts.items() if not count]
    few = [f"{title} ({count})" for title, count in counts.items() if 0 < count < SEEDS]
    told = {"Not run yet, and left out of tables that sum up": missing, f"Fewer than {SEEDS} seeds": few}
    lines = [f"{what}: {'; '.join(titles)}." for what, titles in told.items() if titles]
    return "\n".join(lines) or f"Every cell has {SEEDS} seeds."


def _title(table_name: str, row: Row) -> str:
    return f"{_TITLES[table_name]}{row.setting}, {row.name}"


def _paper(row: Row, index: int) -> str:
    return str(row.paper[index]) if row.paper else ""


def training_time(results: Results) -> str | None:
    """Returns the seconds of training until the validation accuracy first passed some bars."""
    rows = []
    for name, runs in results.runs().items():
        times = [run["seconds"]["to_validation"] for run in runs]
        cells = [_seconds([own.get(bar) for own in times]) for bar in ("0.9", "0.99", "0.995")]
        if any(cells):
            rows.append([marked(name, runs), *cells, machines(runs)])
    return table(["seconds of training until", "90 %", "99 %", "99.5 %", "hardware"], rows) if rows else None


def _seconds(times: Sequence[float | None]) -> str:
    """Returns the time of each seed; a dash for one that never came so far."""
    if not any(times):
        return ""
    return ", ".join("–" if own is None else f"{own:.0f}" for own in times)


def notes(results: Results) -> str | None:
    """Returns what there is to say of single files, a line each; files with the same note share it."""
    by_note: dict[str, list[str]] = {}
    for name, note in results.notes():
        if note != QUICK_NOTE:  # the page begins with it
            by_note.setdefault(note, []).append(name)
    lines = [f"- {', '.join(f'`{name}`' for name in names)}: {note}" for note, names in by_note.items()]
    return "\n".join(lines) or None
