"""`enquirer ship`: puts a trained model where shipped models live."""

from pathlib import Path
from typing import Annotated

import typer

from neural_enquirer.asking.progress import progress_of_parts


def ship(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run of enquirer train.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the model is called from now on.")],
    data: Annotated[
        list[Path] | None,
        typer.Option(
            "--data",
            metavar="DIR",
            help="Everyday questions, WikiSQL or WikiTableQuestions: an open model learns from those about "
            "tables that are held out of training how sure to be. Give it several times for several.",
        ),
    ] = None,
    also: Annotated[
        list[Path] | None,
        typer.Option(
            "--also",
            metavar="RUN",
            help="A further run, with another tenth of the tables held out, whose answers join in.",
        ),
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(
            "--judge",
            metavar="NAME_OR_DIR",
            help="An open model whose judge goes on learning, such as the one that the run began with.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same model.")] = 1,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="The folder that the model becomes, not the package's."),
    ] = None,
    results: Annotated[
        Path, typer.Option("--results", metavar="DIR", help="Where the results of runs are.")
    ] = Path("results"),
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on after a stop, with the answers that are there already.")
    ] = False,
) -> None:
    """Make a trained model as sure as it should be, and put it where shipped models live."""
    from neural_enquirer.installed import check_installed

    check_installed("torch", "train", "enquirer ship")
    from neural_enquirer import shipping
    from neural_enquirer.checkpoint_files import locate, shipped_folder

    if not name or Path(name).name != name or name.startswith("."):
        raise typer.BadParameter(f"'{name}' is no name for a model; take letters, digits and hyphens")
    target = out or shipped_folder() / name
    with progress_of_parts() as told:
        first = None if judge is None else locate(judge)
        shipment = shipping.Shipment(
            run, target, tuple(data or ()), tuple(also or ()), first, seed, results, resume
        )
        shipping.ship(shipment, told)
    size = sum(path.stat().st_size for path in target.iterdir())
    print(f"{target}: {size / 1e6:.1f} MB")
