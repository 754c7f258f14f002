"""`enquirer profile`: what the program knows of a table before any question."""

import dataclasses
import json
from typing import TYPE_CHECKING, Annotated

import typer

from neural_enquirer.cli.options import Engine

if TYPE_CHECKING:
    from neural_enquirer.tables.profile import FieldProfile

_HEADERS = ("field", "type", "read as", "different", "missing", "smallest", "largest", "for example")
_LONGEST_CELL = 24


def profile(
    tables: Annotated[
        list[str], typer.Argument(metavar="TABLE...", help="Table files, as for enquirer ask.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, an object a table.")] = False,
    engine: Engine = "auto",
) -> None:
    """Show the fields of tables: their types, how they are read, and what is in them."""
    from neural_enquirer.asking import terminal
    from neural_enquirer.asking.progress import progress
    from neural_enquirer.engines.choosing import engine_of, open_sources

    for table in open_sources(tables, engine, progress):
        known = engine_of(table).profile(table)
        if as_json:
            print(json.dumps(dataclasses.asdict(known), ensure_ascii=False))
            continue
        out = terminal.console()
        terminal.show_line(out, f"{known.table}: {known.rows:,} row{'s' * (known.rows != 1)}")
        terminal.show_grid(out, _HEADERS, [_cells(field) for field in known.fields])


def _cells(field: "FieldProfile") -> list[str]:
    from neural_enquirer.tables.wording import cut

    read_as = f"{field.read_as} ({field.unit})" if field.unit else field.read_as or ""
    ends = (cut(end or "", _LONGEST_CELL) for end in (field.smallest, field.largest))
    examples = ", ".join(cut(example, _LONGEST_CELL) for example in field.examples)
    return [
        cut(field.name, _LONGEST_CELL),
        field.type,
        read_as,
        f"{field.distinct:,}",
        f"{field.missing:,}",
        *ends,
        examples,
    ]
