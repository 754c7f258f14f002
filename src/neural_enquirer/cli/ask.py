"""`enquirer ask`: answers a question, or a file of them."""

from pathlib import Path
from typing import Annotated

import typer

from neural_enquirer.cli.options import Model

__all__ = ["ask"]


def ask(
    table: Annotated[
        str,
        typer.Argument(
            metavar="TABLE...",
            help="CSV, TSV, JSON, JSONL, Parquet, Excel or OpenDocument (file.xlsx::sheet), SQLite or DuckDB "
            "(file.db::table); 'data/*.csv' reads files as one table, - standard input. Several tables are "
            "asked together.",
        ),
    ],
    question: Annotated[
        list[str] | None, typer.Argument(metavar="QUESTION", help="In plain words; quotes may be left out.")
    ] = None,
    questions: Annotated[
        str | None,
        typer.Option(
            "--questions",
            metavar="FILE",
            help='Many questions: one a line, as text or as {"question": "…"}, or a JSON list.',
        ),
    ] = None,
    top: Annotated[int | None, typer.Option(metavar="N", help="List the N most probable answers.")] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Print the steps that led to it; rows count from 1.")
    ] = False,
    figure: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the steps: .png, .svg or .pdf.")
    ] = None,
    figure_width: Annotated[
        float | None, typer.Option(metavar="INCHES", help="For print, such as 3.3 for one column.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, an object a line.")] = False,
    steps: Annotated[bool, typer.Option(help="Whether the JSON tells the steps.")] = True,
    model: Model = "open",
) -> None:
    """Answer a question about a table, or about several together."""
    from neural_enquirer import asking

    request = asking.Request(
        top=top, explain=explain, figure=figure, figure_width=figure_width, as_json=as_json, steps=steps
    )
    further, words = asking.split_sources(question or ())
    if bool(words) == (questions is not None):
        raise typer.BadParameter("give one QUESTION, or --questions with a file of them")
    if words:
        asking.ask_one(model, (table, *further), " ".join(words), request)
    else:
        asking.ask_file(model, (table, *further), questions or "", request)
