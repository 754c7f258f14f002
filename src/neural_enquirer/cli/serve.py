"""`enquirer serve`: the page."""

from pathlib import Path
from typing import Annotated

import typer

from neural_enquirer.cli.options import Engine, Model


def serve(
    tables: Annotated[
        list[str] | None, typer.Argument(metavar="[TABLE]...", help="Table files to offer on the page.")
    ] = None,
    host: Annotated[str, typer.Option(help="Where to listen; 0.0.0.0 lets others in.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="0 takes one that is free.")] = 8000,
    model: Model = "open",
    open_page: Annotated[
        bool | None, typer.Option("--open/--no-open", help="Whether to open it in the browser.")
    ] = None,
    engine: Engine = "auto",
    corrections: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to keep corrections that people send.")
    ] = None,
) -> None:
    """Serve the page where people ask their table."""
    from neural_enquirer.web import serving

    serving.serve(tables or (), model, serving.Address(host, port), open_page, engine, corrections)
