"""Options that several commands share."""

from typing import Annotated

import typer

__all__ = ["Model"]

Model = Annotated[
    str, typer.Option("--model", metavar="NAME_OR_DIR", help="A shipped model (enquirer models) or a folder.")
]
