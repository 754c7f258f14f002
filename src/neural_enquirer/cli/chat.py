"""`enquirer chat`: a prompt, question after question."""

from typing import Annotated

import typer

from neural_enquirer.cli.options import Engine, Model


def chat(
    tables: Annotated[
        list[str], typer.Argument(metavar="TABLE...", help="Table files, as for enquirer ask.")
    ],
    model: Model = "open",
    engine: Engine = "auto",
) -> None:
    """Ask question after question about a table, or about several together, at a prompt."""
    from neural_enquirer.asking import command

    command.chat(model, tables, engine)
