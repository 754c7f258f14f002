"""`enquirer reproduce`: the paper's tables and figures."""

from pathlib import Path
from typing import Annotated

import typer


def reproduce(
    part: Annotated[
        str,
        typer.Argument(
            metavar="[PART]", help="table2, oov, large-kb, two-tables, figures, efficiency or all."
        ),
    ] = "all",
    seeds: Annotated[
        int | None,
        typer.Option(metavar="N", help="Runs of every experiment, seeds 0 to N - 1; 3, with --quick 1."),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="All of it at a tiny size, to see it work, into results-quick.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Where results are and go; results.")
    ] = None,
    device: Annotated[str, typer.Option(help="auto, cpu, cuda or cuda:1.")] = "auto",
    workers: Annotated[
        int | None, typer.Option(metavar="N", help="Runs at a time; one on a CPU, four on a GPU.")
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="EXPERIMENT", help="No other experiments of the part. May be given again."),
    ] = None,
) -> None:
    """Make the paper's tables and figures again; what is there already is kept."""
    from neural_enquirer.installed import check_installed

    check_installed("torch", "train", "enquirer reproduce")
    from neural_enquirer.reproduction import reproduce

    reproduce.reproduce(reproduce.Request(part, seeds, quick, out, device, workers, tuple(only or ())))
