"""Short tables over all runs: overall accuracies, the time of training, and what is still to be trained."""

import math
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from neural_enquirer.reproduction.paper_table import PaperTable, Row
from neural_enquirer.reproduction.paper_tables import (
    LARGE_KB,
    N2N_25K,
    N2N_100K,
    OOV_25K,
    OOV_100K,
    SBS_25K,
    SBS_100K,
    TWO_TABLES,
    WHOLE,
)
from neural_enquirer.reproduction.stored import (
    DAGGER,
    QUICK_NOTE,
    QUICK_REMARK,
    Results,
    machines,
    marked,
    median,
    median_and_spread,
    met_test_forms,
    minutes,
    table,
    tested,
)

SEEDS: Final = 3
"""As many as every experiment should have."""
RECIPES: Final = (
    ("N2N, 25K", N2N_25K, "olympics-25k-n2n-paper", "olympics-25k-n2n", "olympics-25k-grounded"),
    ("N2N, 100K", N2N_100K, "olympics-100k-n2n-paper", "olympics-100k-n2n", "olympics-100k-grounded"),
    ("SbS, 25K", SBS_25K, "olympics-25k-sbs-paper", "olympics-25k-sbs", None),
    ("SbS, 100K", SBS_100K, "olympics-100k-sbs-paper", "olympics-100k-sbs-fast", None),
    (
        "N2N, new names, 25K",
        OOV_25K,
        "olympics-25k-oov-n2n-paper",
        "olympics-25k-oov-n2n",
        "olympics-25k-oov-grounded",
    ),
    (
        "N2N, new names, 100K",
        OOV_100K,
        "olympics-100k-oov-n2n-paper",
        "olympics-100k-oov-n2n",
        "olympics-100k-oov-grounded",
    ),
    ("large knowledge source", LARGE_KB, "large-kb-n2n", "large-kb-n2n-widened", "large-kb-ours"),
    ("two tables", TWO_TABLES, "two-tables-paper-adadelta", "two-tables-paper", "two-tables-grounded"),
)
"""What is learned, the paper's figures, and experiments: its model in its and our settings, and grounded."""
_TITLES: Final = {"table2": "MIXTURED-", "large-kb": "large knowledge source", "two-tables": "two tables, "}
_NOT_RUN: Final = "–"
"""Where there is little room."""
_ALIKE: Final = {
    "olympics-25k-n2n-paper": ("olympics-100k-n2n", 0.25),
    "olympics-25k-sbs-paper": ("olympics-100k-n2n", 0.25),
    "olympics-25k-oov-n2n-paper": ("olympics-100k-oov-n2n", 0.25),
    "olympics-100k-n2n-paper": ("olympics-100k-n2n", 1.0),
    "olympics-100k-sbs-paper": ("olympics-100k-n2n", 1.0),
    "olympics-100k-oov-n2n-paper": ("olympics-100k-oov-n2n", 1.0),
}
"""For what was never run, what takes as many steps, or a share of them, with the same batches."""


def recipes(results: Results) -> str:
    """Returns the overall medians of the paper's models by recipe, in a table for a first look."""
    stored = results.runs()
    head = "% right|paper|its model, its settings|its model, ours|ours, grounded"
    rows = [head, "|".join(["---"] * 5)]
    for name, paper, *experiments in RECIPES:
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
    if not any(met_test_forms(run) for runs in results.runs().values() for run in runs):
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
    for name, chosen, row in _models():
        if not (runs := stored.get(row.experiment)):
            continue
        kind = hardest(chosen, runs)
        hard = f"{kind.upper()}: {median(tested(runs, kind))}"
        ours = median_and_spread(tested(runs, "overall"))
        papers = [str(row.paper[chosen.kinds.index(own)]) if row.paper else "" for own in ("overall", kind)]
        rows.append([marked(_title(name, row), runs), ours, papers[0], hard, papers[1], str(len(runs))])
    return table(["% right", "overall", "paper", "hardest questions", "paper", "seeds"], rows)


def hardest(chosen: PaperTable, runs: Sequence[Mapping[str, Any]]) -> str:
    """Returns the type of question that some runs are worst at, by the median; the last of equal ones."""
    kinds = [kind for kind in chosen.kinds if kind != "overall" and tested(runs, kind)]
    return min(reversed(kinds), key=lambda kind: statistics.median(tested(runs, kind)))


def gaps(results: Results) -> str:
    """Says which models have no run yet, and which have fewer seeds than they should."""
    stored = results.runs()
    counts = {_title(name, row): len(stored.get(row.experiment, [])) for name, _, row in _models()}
    missing = [title for title, count in counts.items() if not count]
    few = [f"{title} ({count})" for title, count in counts.items() if 0 < count < SEEDS]
    told = {"Not run yet, and left out of tables that sum up": missing, f"Fewer than {SEEDS} seeds": few}
    lines = [f"{what}: {'; '.join(titles)}." for what, titles in told.items() if titles]
    return "\n".join(lines) or f"Every cell has {SEEDS} seeds."


def _models() -> Iterator[tuple[str, PaperTable, Row]]:
    return ((name, chosen, row) for name, chosen in WHOLE.items() for row in chosen.rows)


def _title(table_name: str, row: Row) -> str:
    return f"{_TITLES[table_name]}{row.setting}, {row.name}"


@dataclass(frozen=True)
class Left:
    """An experiment that lacks runs.

    Attributes:
        part: of the reproduction.
        experiment: its file.
        missing: how many of its seeds were never run.
        old: how many met forms of the test, and are to be made again.
        minutes: that one run trained, or one that is like it; None where there is none such.
    """

    part: str
    experiment: str
    missing: int
    old: int
    minutes: float | None


def left(results: Results) -> Iterator[Left]:
    """Returns the experiments of the paper's tables that lack runs."""
    stored = results.runs()
    for part, _, row in _models():
        runs = stored.get(row.experiment, [])
        old, missing = sum(map(met_test_forms, runs)), max(0, SEEDS - len(runs))
        like, share = (row.experiment, 1.0) if runs else _ALIKE.get(row.experiment, ("", 1.0))
        known = share * minutes(stored[like]) if like in stored else None
        if old or missing:
            yield Left(part, row.experiment, missing, old, known)


def to_be_trained(results: Results) -> str:
    """Returns what is left to train as Markdown, with the minutes that it takes by the stored runs."""
    found = list(left(results))
    if not found:
        return "Nothing: every cell has its seeds."
    rows = [
        [
            own.part,
            f"`{own.experiment}`",
            f"{own.old} met test forms" if own.old else f"{own.missing} never run",
            "" if own.minutes is None else f"{own.minutes:.1f}",
            "" if own.minutes is None else f"{own.minutes * (own.old + own.missing):.0f}",
        ]
        for own in found
    ]
    total = sum((own.minutes or 0.0) * (own.old + own.missing) for own in found)
    count = sum(own.old + own.missing for own in found)
    made = table(["part", "experiment", "runs to make", "minutes a run", "minutes in all"], rows)
    return (
        f"{made}\n\n{count} runs, {math.ceil(total)} minutes of training if they ran as the stored ones did."
    )


def cost(results: Results) -> str:
    """Says how many runs all of it takes, and what those that were made on a GPU took."""
    names = {row.experiment for _, _, row in _models()}
    runs = [run for name, own in results.runs().items() if name in names for run in own]
    on_gpu = [run["seconds"]["training"] for run in runs if "CPU" not in run["hardware"]]
    wanted, trained = SEEDS * len(names), f"{sum(on_gpu) / 60:.0f} minutes of training"
    stored = f"the {len(on_gpu)} that are stored and were made on a GPU add up to {trained}"
    return f"In full, {wanted} runs have to be trained; {stored}."


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


def size(results: Results) -> str:
    """Returns a paragraph that warns of small runs; nothing where there are none."""
    small = any(note == QUICK_NOTE for _, note in results.notes())
    return f"**{QUICK_REMARK}** What is said of settings below holds at full size.\n\n" if small else ""


def questions_of(chosen: PaperTable, results: Results) -> str | None:
    """Returns how many test questions there are behind a table; None where nothing was run."""
    stored = results.runs()
    return _range(run["test"]["examples"] for name in chosen.experiments() for run in stored.get(name, []))


def curve_questions(results: Results) -> str | None:
    """Returns the number of test questions behind the points of the efficiency curves."""
    return _range(curve["test_examples"] for curve in results.matching("efficiency-*.json").values())


def _range(counts: Iterable[Any]) -> str | None:
    return " or ".join(f"{count:,}" for count in sorted(set(counts))) or None
