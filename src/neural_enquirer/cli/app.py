"""The command `enquirer`: its parts, and what people see when something is wrong."""

import gc
import os
import re
import sys
import warnings
from typing import Annotated, Final, NoReturn, TextIO

import typer

from neural_enquirer.cli import (
    ask,
    evaluate,
    everyday,
    generate,
    learn,
    models,
    profile,
    reproduce,
    serve,
    ship,
    train,
    words,
)

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
app.command(cls=ask.AskCommand)(ask.ask)
for _command in (
    ask.chat,
    serve.serve,
    profile.profile,
    learn.learn,
    generate.generate,
    train.train,
    ship.ship,
    evaluate.evaluate,
    reproduce.reproduce,
    models.models,
):
    app.command()(_command)
app.add_typer(everyday.app, name="everyday")
app.add_typer(words.app, name="words")

_OBJECTS_BEFORE_CLEARING: Final = 100_000
_NO_NUMBER: Final = re.compile(r"for '?(?P<option>--[\w-]+)\b.* valid (?P<kind>int|float|number)")
"""Versions of Typer say in different words that an option's value is no number."""


def main() -> NoReturn:
    """Runs the command; what people can put right comes as one line, with exit status 2."""
    warnings.showwarning = _show_warning
    # Before numpy is loaded: its threads wait in loops, which takes the processor from others.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # What is loaded at the start stays: looking through it again and again for what may go takes time.
    gc.set_threshold(_OBJECTS_BEFORE_CLEARING)
    try:
        status = app(prog_name="enquirer", standalone_mode=False)
    except typer.Abort:  # Ctrl-C, in some versions of Typer; others hand over the same status themselves
        status = 130
    except Exception as error:
        message = _expected(error)
        if message is None:
            raise
        print(f"enquirer: {message}", file=sys.stderr)
        status = 2
    sys.exit(status)


def _expected(error: Exception) -> str | None:
    """The line to show for an error that is the user's to put right; None for a fault of the program.

    Modules of this package raise their own kinds of ValueError for people to read. A bare ValueError is a
    fault, whose traceback is wanted.
    """
    if hasattr(error, "format_message"):  # wrong usage; Typer's kind of error depends on its version
        if wrong := _NO_NUMBER.search(error.format_message()):
            return f"{wrong['option']} takes a {'whole ' * (wrong['kind'] == 'int')}number, such as 5"
        return f"{error.format_message()} (see enquirer --help)".replace("\n", " ")
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        return place + (error.strerror or str(error)).replace("\n", " ")
    if isinstance(error, ValueError) and type(error).__module__.startswith("neural_enquirer."):
        return str(error).replace("\n", " ")
    return None


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """One line without the place in the code, which says nothing to people who ask questions."""
    print(f"enquirer: warning: {message}", file=file or sys.stderr)


def _print_version(wanted: bool) -> None:
    if wanted:
        import importlib.metadata

        print(f"enquirer {importlib.metadata.version('neural-enquirer')}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def enquirer(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Ask a table a question in plain words."""
    if context.invoked_subcommand is None:
        print(context.get_help())
