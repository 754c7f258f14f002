"""Short tables over all runs: overall accuracies, the time of training, and what there is to say of some."""

from collections.abc import Sequence

from neural_enquirer.reproduction import large_kb, table2, two_tables
from neural_enquirer.reproduction.benchmark_tables import table
from neural_enquirer.reproduction.paper_table import Row
from neural_enquirer.reproduction.size import QUICK_NOTE
from neural_enquirer.reproduction.stored import Results, machines, median, median_and_spread, tested

_HARDEST = {"table2": "nest", "large-kb": "select_where", "two-tables": "join"}
_TABLES = {"table2": table2.TABLE, "large-kb": large_kb.TABLE, "two-tables": two_tables.TABLE}
_TITLES = {"table2": "MIXTURED-", "large-kb": "large knowledge source", "two-tables": "two tables, "}
_SEEDS = 3
"""As many as every experiment should have."""


def overall(results: Results) -> str:
    """Returns the overall accuracy of every model that was run, and that on its hardest questions."""
    stored = results.runs()
    rows = []
    for name, chosen in _TABLES.items():
        hardest = chosen.kinds.index(_HARDEST[name])
        for row in chosen.rows:
            if not (runs := stored.get(row.experiment)):
                continue
            title = _title(name, row)
            hard = f"{chosen.kinds[hardest].upper()}: {median(tested(runs, _HARDEST[name]))}"
            ours = median_and_spread(tested(runs, "overall"))
            rows.append([title, ours, _paper(row, -1), hard, _paper(row, hardest), str(len(runs))])
    return table(["% right", "overall", "paper", "hardest questions", "paper", "seeds"], rows)


def gaps(results: Results) -> str:
    """Says which models have no run yet, and which have fewer seeds than they should."""
    stored = results.runs()
    counts = {
        _title(name, row): len(stored.get(row.experiment, []))
        for name, chosen in _TABLES.items()
        for row in chosen.rows
    }
    missing = [title for title, count in counts.items() if not count]
    few = [f"{title} ({count})" for title, count in counts.items() if 0 < count < _SEEDS]
    told = {"Not run yet, and left out of tables that sum up": missing, f"Fewer than {_SEEDS} seeds": few}
    lines = [f"{what}: {'; '.join(titles)}." for what, titles in told.items() if titles]
    return "\n".join(lines) or f"Every cell has {_SEEDS} seeds."


def _title(table_name: str, row: Row) -> str:
    return f"{_TITLES[table_name]}{row.setting}, {row.title}"


def _paper(row: Row, index: int) -> str:
    return str(row.paper[index]) if row.paper else ""


def training_time(results: Results) -> str | None:
    """Returns the seconds of training until the validation accuracy first passed some bars."""
    rows = []
    for name, runs in results.runs().items():
        times = [run["seconds"]["to_validation"] for run in runs]
        cells = [_seconds([own.get(bar) for own in times]) for bar in ("0.9", "0.99", "0.995")]
        if any(cells):
            rows.append([name, *cells, machines(runs)])
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
