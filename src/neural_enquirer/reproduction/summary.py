"""Short tables over all runs: overall accuracies, the time of training, and what there is to say of some."""

from collections.abc import Sequence

from neural_enquirer.reproduction import large_kb, table2, two_tables
from neural_enquirer.reproduction.benchmark_tables import table
from neural_enquirer.reproduction.paper_table import Row
from neural_enquirer.reproduction.stored import Results, machines, median, median_and_spread, tested

_HARDEST = {"table2": "nest", "large-kb": "select_where", "two-tables": "join"}
_TABLES = {"table2": table2.TABLE, "large-kb": large_kb.TABLE, "two-tables": two_tables.TABLE}
_TITLES = {"large-kb": "large knowledge source", "two-tables": "two tables"}


def overall(results: Results) -> str:
    """Returns the overall accuracy of every model that was run, and that on its hardest questions."""
    stored = results.runs()
    rows = []
    for name, chosen in _TABLES.items():
        hardest = chosen.kinds.index(_HARDEST[name])
        for row in chosen.rows:
            if not (runs := stored.get(row.experiment)):
                continue
            setting = ", ".join(filter(None, (_TITLES.get(name), row.setting)))
            title = f"{setting}, {row.title}"
            hard = f"{chosen.kinds[hardest].upper()}: {median(tested(runs, _HARDEST[name]))}"
            ours = median_and_spread(tested(runs, "overall"))
            rows.append([title, ours, _paper(row, -1), hard, _paper(row, hardest), str(len(runs))])
    return table(["% right", "overall", "paper", "hardest questions", "paper", "seeds"], rows)


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
        by_note.setdefault(note, []).append(name)
    lines = [f"- {', '.join(f'`{name}`' for name in names)}: {note}" for note, names in by_note.items()]
    return "\n".join(lines) or None
