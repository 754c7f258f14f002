"""The command line: `enquirer`.

Heavy imports stand inside the commands, so that `enquirer --help` answers at once.
"""

import contextlib
import importlib.metadata
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, NoReturn, TextIO

import typer

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)

# A data set cut down by --examples keeps enough questions of every type to be worth checking.
_FEWEST_EXAMPLES = 20


def main() -> NoReturn:
    """Runs the command; what people can put right comes as one line, with exit status 2."""
    warnings.showwarning = _show_warning
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


@app.command()
def generate(
    task: Annotated[str, typer.Argument(metavar="TASK", help="Which data set, such as olympics-25k.")],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="A folder that does not exist yet.")],
    seed: Annotated[int, typer.Option(help="The same seed gives the same bytes.")] = 0,
    examples: Annotated[
        int | None,
        typer.Option(metavar="N", help="Training examples; validation and test shrink or grow alike."),
    ] = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="Check every answer against DuckDB running its SQL.")
    ] = False,
    processes: Annotated[
        int | None, typer.Option(metavar="P", help="Processes that share the work; one per core by default.")
    ] = None,
) -> None:
    """Write a data set: Parquet files for train, validation and test, and dataset.json."""
    from neural_enquirer.synthesis import storage, tasks, verification
    from neural_enquirer.whole_folder import whole_folder

    if task not in tasks.TASKS:
        raise tasks.TaskError(f"unknown task '{task}'; the tasks are {', '.join(tasks.TASKS)}")
    sizes = _sizes(tasks.TASKS[task].examples, examples)
    if processes is not None and processes < 1:
        raise typer.BadParameter(f"there must be 1 process or more, not {processes}")
    with whole_folder(out) as folder:
        with _progress("generating", sum(sizes.values())) as advance:
            splits = {
                split: tasks.generate(
                    task, split, seed=seed, examples=count, processes=processes, progress=advance
                )
                for split, count in sizes.items()
            }
        if verify:
            with _progress("verifying", sum(sizes.values())) as advance:
                for split in splits.values():
                    verification.verify(split, progress=advance)
        storage.write_dataset(folder, task, seed, splits)
    counts = ", ".join(f"{count:,} {split}" for split, count in sizes.items())
    print(f"{out}: {counts} examples{', every answer verified' if verify else ''}")


def _sizes(sizes: Mapping[str, int], examples: int | None) -> dict[str, int]:
    """The size of each split, scaled to as many training examples as are wanted."""
    if examples is None:
        return dict(sizes)
    if examples < 1:
        raise typer.BadParameter(f"there must be 1 example or more, not {examples}")
    scaled = {
        split: max(_FEWEST_EXAMPLES, round(size * examples / sizes["train"])) for split, size in sizes.items()
    }
    return scaled | {"train": examples}


@contextlib.contextmanager
def _progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """A progress bar on a terminal, and nothing where the output goes to a file."""
    if not sys.stderr.isatty():
        yield lambda _done: None
        return
    import rich.console
    import rich.progress

    console = rich.console.Console(stderr=True)
    with rich.progress.Progress(
        *rich.progress.Progress.get_default_columns(), console=console, transient=True
    ) as bar:
        job = bar.add_task(what, total=total)
        yield lambda done: bar.advance(job, done)


if __name__ == "__main__":
    main()
