"""`enquirer train`: trains a model."""

from pathlib import Path
from typing import Annotated

import typer


def train(
    experiment: Annotated[
        Path, typer.Argument(metavar="EXPERIMENT.toml", help="What is learned and how: experiments/*.toml.")
    ],
    out: Annotated[
        Path,
        typer.Option("--out", metavar="DIR", help="Where the model goes: a folder that is empty or new."),
    ],
    data: Annotated[
        list[Path] | None,
        typer.Option(
            "--data",
            metavar="DIR",
            help="Everyday questions, WikiSQL or WikiTableQuestions, to learn from as well. "
            "Give it several times for several.",
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Overrides the file, such as training.epochs=3."),
    ] = None,
    device: Annotated[str, typer.Option(help="auto, cpu, cuda or cuda:1.")] = "auto",
    seed: Annotated[int, typer.Option(help="The same seed gives the same model on the same machine.")] = 0,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on after the last whole epoch of the run in DIR.")
    ] = False,
    start: Annotated[
        str | None,
        typer.Option(
            "--start", metavar="NAME_OR_DIR", help="An open model whose weights to begin with, such as open."
        ),
    ] = None,
) -> None:
    """Train a model; the best on the validation examples is kept."""
    from neural_enquirer.installed import check_installed

    check_installed("torch", "train", "enquirer train")
    from neural_enquirer import checkpoint
    from neural_enquirer.training import display, loop, starting, state
    from neural_enquirer.training.experiment import Experiment

    chosen = Experiment.load(experiment, settings or ())
    state.check_directory(out, resume=resume)
    target = loop.choose_device(device)
    with loop.start_processes(target):
        trainer = starting.start_run(
            chosen,
            seed=seed,
            device=target,
            directory=out,
            resume=resume,
            real=tuple(data or ()),
            start=checkpoint.load(start) if start is not None else None,
        )
        display.run_and_show(trainer)
        if trainer.rank == 0:
            best = max(trainer.progress.epochs, key=lambda report: report.overall)
            print(f"{out}: accuracy {best.overall:.4f} on validation, after epoch {best.epoch}")
