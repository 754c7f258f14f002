"""Options that several commands share."""

from typing import Annotated

import typer

Model = Annotated[
    str, typer.Option("--model", metavar="NAME_OR_DIR", help="A shipped model (enquirer models) or a folder.")
]

Engine = Annotated[
    str,
    typer.Option(
        "--engine",
        metavar="ENGINE",
        help="What asks the tables: auto (memory for small ones, else DuckDB; the database for its own), "
        "memory, duckdb or spark.",
    ),
]
