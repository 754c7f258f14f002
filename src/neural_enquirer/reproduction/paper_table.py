"""A table of the paper with ours beside it, as Markdown and as lines for a terminal."""

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from neural_enquirer.reproduction.stored import (
    Results,
    machines,
    marked,
    median,
    median_and_spread,
    minutes,
    spread,
    tested,
)

NOT_RUN = "not run yet"
PAPERS = "the paper's settings"
OURS = "our settings"
"""The two recipes that the paper's models are trained with."""


@dataclass(frozen=True)
class Row:
    """One model in one setting.

    Attributes:
        title: what people call it.
        experiment: the file that it is trained with.
        paper: the paper's accuracies in percent, a number for each column; empty where it has none.
        setting: what the rows before and after have in common; a new one begins a new part of the table.
        recipe: whose settings it is trained with, where there are two.
    """

    title: str
    experiment: str
    paper: tuple[float, ...] = ()
    setting: str = ""
    recipe: str = ""

    @property
    def name(self) -> str:
        """What people call it, with its recipe."""
        return f"{self.title}, {self.recipe}" if self.recipe else self.title


@dataclass(frozen=True)
class PaperTable:
    """A table of the paper.

    Attributes:
        title: what it shows.
        kinds: the types of question, as results name them; "overall" for all of them.
        rows: the models.
    """

    title: str
    kinds: tuple[str, ...]
    rows: tuple[Row, ...]

    def experiments(self) -> tuple[str, ...]:
        """Returns the experiments that it is made of."""
        return tuple(row.experiment for row in self.rows)

    def markdown(self, results: Results) -> str:
        """Returns the table: for each model a line with our medians and spread, and one with the paper's."""
        heads = [_shown(kind) for kind in self.kinds]
        lines = [f"| | {' | '.join(heads)} | seeds | epochs | minutes | hardware |"]
        lines.append("|---" * (len(heads) + 5) + "|")
        stored, setting = results.runs(), ""
        for row in self.rows:
            if row.setting != setting:
                lines.append(f"| {row.setting} |" + " |" * (len(heads) + 4))
            setting = row.setting
            lines += self._row(row, stored.get(row.experiment, []))
        return "\n".join(lines)

    def _row(self, row: Row, runs: list[dict[str, Any]]) -> Iterator[str]:
        if runs:
            cells = [median_and_spread(tested(runs, kind)) for kind in self.kinds]
            epochs = "/".join(str(count) for count in sorted({len(run["epochs"]) for run in runs}))
            rest = f"{len(runs)} | {epochs} | {minutes(runs):.1f} | {machines(runs)}"
        else:
            cells = [NOT_RUN, *[""] * (len(self.kinds) - 1)]
            rest = " | | |"
        yield f"| **{marked(row.name, runs)}** | {' | '.join(cells)} | {rest} |"
        if row.paper:
            yield f"| *paper* | {' | '.join(f'*{value}*' for value in row.paper)} | | | | |"

    def text(self, results: Results) -> str:
        """Returns the table for a terminal: cell by cell, the paper's and ours."""
        stored, lines = results.runs(), ["", self.title]
        for row in self.rows:
            runs = stored.get(row.experiment, [])
            name = f"{row.setting} {marked(row.name, runs)}".strip()
            made = f": {minutes(runs):.1f} minutes, {machines(runs)}" if runs else ""
            lines.append(textwrap.fill(f"\n{name}{made}", 80, replace_whitespace=False))
            lines.append(f"  {'':18}{'paper':>8}{'ours':>13}   spread")
            for index, kind in enumerate(self.kinds):
                values = tested(runs, kind)
                paper = str(row.paper[index]) if row.paper else ""
                ours = median(values) if runs else NOT_RUN
                lines.append(f"  {_shown(kind):18}{paper:>8}{ours:>13}   {spread(values)}".rstrip())
        return "\n".join([*lines, ""])


def _shown(kind: str) -> str:
    return kind if kind == "overall" else kind.upper()
