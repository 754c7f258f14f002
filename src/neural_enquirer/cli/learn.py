"""`enquirer learn`: a model that has learned from corrected answers."""

from pathlib import Path
from typing import Annotated

import typer

from neural_enquirer.asking.progress import progress_of_parts


def learn(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="TABLE... CORRECTIONS.jsonl",
            help="The tables that corrections are about, and last the file of corrections that the page and "
            ":wrong in enquirer chat write.",
        ),
    ],
    out: Annotated[
        Path,
        typer.Option("--out", metavar="DIR", help="Where the model goes: a folder that is empty or new."),
    ],
    model: Annotated[
        str, typer.Option("--model", metavar="NAME_OR_DIR", help="The open model to begin with.")
    ] = "open",
) -> None:
    """Learn from corrected answers; `--model DIR` then asks the model that has learned."""
    if len(sources) < 2:
        raise typer.BadParameter("name the tables, and behind them the file of corrections")
    from neural_enquirer.asking.sources import read_sources
    from neural_enquirer.learning import corrections, learning

    found = corrections.read(Path(sources[-1]))
    tables = read_sources(sources[:-1], "memory")
    with progress_of_parts() as told:
        learned = learning.learn(model, tables, found, out, told)
    for question, reason in learned.left_out:
        print(f"left out: “{question}”: {reason}")
    print(f"{out}: answers {learned.right} of {learned.corrections} corrected questions")
