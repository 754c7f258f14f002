"""Answers from several tables: in which of them the cell stands, and how the tables were linked."""

import dataclasses
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np

from neural_enquirer.answer import Answer, Candidate, of_prediction
from neural_enquirer.explanation import Link, Look, Trace
from neural_enquirer.tables import Table
from neural_enquirer.tables.wording import cut, listed, rows_told

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from neural_enquirer.several_prediction import Looks, SeveralPrediction

_DIGITS = 4
_MOST_ROWS = 3
_LONGEST_TEXT = 30


@dataclass(frozen=True)
class SeveralAnswer(Answer):
    """The answer to one question about several tables; `table` is the one that holds it, or the first.

    Attributes:
        tables: all tables that were asked; those whose names are alike have a number in it.
        names: what they are called: their files' names without the suffix, numbered where two are alike.
        traces: what each executor read and marked in each table.
        links: the fields by which the tables are linked, the strongest first.
        looks: for each executor, by pairs of tables, which rows of the one looked at which of the other.
    """

    tables: tuple[Table, ...] = dataclasses.field(default=(), repr=False, compare=False)
    names: tuple[str, ...] = ()
    traces: tuple[Trace, ...] = dataclasses.field(default=(), repr=False, compare=False)
    links: tuple[Link, ...] = ()
    looks: tuple[Mapping[tuple[int, int], "Looks"], ...] = dataclasses.field(
        default=(), repr=False, compare=False
    )

    @property
    def table_name(self) -> str | None:
        """What the table that holds the answer is called; None where none does."""
        return self.ranked[0].table

    @property
    def told_as_none(self) -> str:
        """What people are told where nothing answers."""
        return "not in these tables"

    @property
    def is_linked(self) -> bool:
        """Whether anything was found that links any two of the tables."""
        return bool(self.links) or any(len(one.rows) for step in self.looks for one in step.values())

    @property
    def answer_looks(self) -> list[Look]:
        """What the answer's row looked at in other tables, in the last step in which it looked at any."""
        if self.row is None or self.table_name is None:
            return []
        table = self.names.index(self.table_name)
        steps = (self.looks_of(executor, table, [self.row]) for executor in range(len(self.looks), 0, -1))
        return next(filter(None, steps), [])

    def looks_of(self, executor: int, table: int, rows: Collection[int] | None = None) -> list[Look]:
        """What rows of a table, all or some, looked at in the others in a step; executors count from 1."""
        found: list[Look] = []
        for (own, other), looks in self.looks[executor - 1].items():
            if own == table:
                wanted = slice(None) if rows is None else np.isin(looks.rows, list(rows))
                columns = (looks.rows[wanted], looks.others[wanted], looks.weights[wanted])
                found += [
                    Look(row, other, other_row, weight)
                    for row, other_row, weight in zip(*(one.tolist() for one in columns), strict=True)
                ]
        return sorted(found, key=lambda look: (look.row, -look.weight))

    def looks_told(self, table: str, looks: Iterable[Look]) -> list[str]:
        """A table's looks in words, for each row and other table, with the value that links the rows."""
        together: dict[tuple[int, int], list[int]] = {}
        for look in looks:
            together.setdefault((look.row, look.table), []).append(look.other_row)
        told = []
        for (row, other), rows in together.items():
            value = self._linking_value((self.names.index(table), row), (other, rows[0]))
            shown = f" ({cut(value, _LONGEST_TEXT)})" if value else ""
            name = cut(self.names[other], _LONGEST_TEXT)
            told.append(f"row {row + 1:,} looked at {rows_told(rows, _MOST_ROWS)} of {name}{shown}")
        return told

    def _linking_value(self, one: tuple[int, int], other: tuple[int, int]) -> str | None:
        """What rows of two tables have in common, in the fields that link these most; None where unlike."""
        wanted = self.names[one[0]], self.names[other[0]]
        link = next((link for link in self.links if sorted(link.tables) == sorted(wanted)), None)
        if link is None:
            return None
        texts = []
        for k, row in (one, other):
            field = link.fields[link.tables.index(self.names[k])]
            texts.append(self.tables[k].text(row, self.tables[k].field_index(field)))
        return texts[0] if texts[0].casefold() == texts[1].casefold() else None

    def to_json(self, steps: bool = True) -> dict[str, Any]:
        """The answer as the command line's JSON object, with the tables' names beside rows and fields."""
        content = super().to_json(steps=False)
        model = content.pop("model")
        content["table"] = self.table_name
        content["tables"] = list(self.names)
        content["cells"] = [{**cell, "table": self.table_name} for cell in content["cells"]]
        content["ranked"] = [{**one.to_json(), "table": one.table} for one in self.ranked]
        content["links"] = [link.to_json() for link in self.links]
        if steps:
            content["steps"] = list(self._steps())
        return content | {"model": model}

    def _steps(self) -> Iterable[dict[str, Any]]:
        """Each executor's work in each table."""
        for executor in range(1, len(self.looks) + 1):
            for k, (name, trace) in enumerate(zip(self.names, self.traces, strict=True)):
                weights = trace.field_weights[executor - 1].astype(float)
                yield {
                    "executor": executor,
                    "table": name,
                    "fields": dict(zip(trace.fields, np.round(weights, _DIGITS).tolist(), strict=True)),
                    "rows": np.round(trace.row_marks[executor - 1].astype(float), _DIGITS).tolist(),
                    "looked_at": [
                        {
                            "row": look.row,
                            "table": self.names[look.table],
                            "other_row": look.other_row,
                            "weight": round(look.weight, _DIGITS),
                        }
                        for look in self.looks_of(executor, k)
                    ],
                }

    def plot(self, path: str | os.PathLike[str] | None = None, width: float | None = None) -> "Figure":
        """Draws the steps that led to the answer, a table below the other; see `Answer.plot`."""
        from neural_enquirer import visualization  # and matplotlib, only for those who want a picture

        first = self.ranked[0]
        panels = []
        for name, table, trace in zip(self.names, self.tables, self.traces, strict=True):
            cell = None
            if first.table == name and first.row is not None and first.field is not None:
                cell = (first.row, table.field_index(first.field))
            panels.append(visualization.Panel(table, trace, cell, name))
        note = "; ".join(f"linked {link}" for link in self.links[:1])
        if self.table_name is not None and (looked := self.looks_told(self.table_name, self.answer_looks)):
            note += f"; in {self.table_name}, {listed(looked)}"
        caption = visualization.Caption(self.question, str(self), None, self.confidence, self.is_unsure, note)
        if path is None:
            return visualization.figure_of_several(panels, caption, width)
        return visualization.draw_several(path, panels, caption, width)


def of_several_prediction(
    tables: Sequence[Table], question: str, prediction: "SeveralPrediction", model: str, top: int
) -> SeveralAnswer:
    """Puts a model's probabilities in words: the tables and cells that they belong to."""
    names = names_of(tables)
    tables = tuple(_called(table, name) for table, name in zip(tables, names, strict=True))
    asked = list(zip(names, tables, prediction.tables, strict=True))
    singles = [of_prediction(table, question, own, model, top + 1) for _, table, own in asked]
    traces = _shared_out([single.trace for single in singles], prediction)
    candidates = [Candidate(None, None, None, None, prediction.none_probability)]
    for name, single in zip(names, singles, strict=True):
        cells = [candidate for candidate in single.ranked if candidate.row is not None]
        candidates += [dataclasses.replace(cell, table=name) for cell in cells]
    candidates.sort(key=lambda candidate: -candidate.probability)
    holder = candidates[0].table
    k = 0 if holder is None else names.index(holder)
    # A cell never comes up with nothing: that would be a missing one.
    possible = [candidate for candidate in candidates[1:] if candidate.probability > 0]
    links = tuple(
        Link(
            (names[one], names[other]),
            (tables[one].fields[field].name, tables[other].fields[other_field].name),
            link.weight,
        )
        for link in prediction.links
        for (one, other), (field, other_field) in [(link.tables, link.fields)]
    )
    return SeveralAnswer(
        question,
        (candidates[0], *possible)[:top],
        traces[k],
        model,
        tables[k],
        tables=tables,
        names=names,
        traces=traces,
        links=links,
        looks=prediction.looks,
    )


def _called(table: Table, name: str) -> Table:
    """The table, under the name that tells it from others where its own does not."""
    is_known = name in (table.name, PurePath(table.name).stem)
    return table if is_known else dataclasses.replace(table, name=name)


def _shared_out(traces: Sequence[Trace], prediction: "SeveralPrediction") -> tuple[Trace, ...]:
    """The traces, whose answer weights sum to one over all tables."""
    sums = [own.probabilities.sum(axis=0, dtype=np.float32) for own in prediction.tables]
    total = max(sum(float(own.sum()) for own in sums), 1e-12)
    return tuple(
        dataclasses.replace(trace, answer_weights=own / np.float32(total))
        for trace, own in zip(traces, sums, strict=True)
    )


def names_of(tables: Sequence[Table]) -> tuple[str, ...]:
    """What to call tables: by their files without the suffix where that tells them apart."""
    short = [PurePath(table.name).stem or table.name for table in tables]
    names = short if len(set(short)) == len(short) else [table.name for table in tables]
    if len(set(names)) < len(names):
        names = [f"{name} {number}" for number, name in enumerate(names, start=1)]
    return tuple(names)
