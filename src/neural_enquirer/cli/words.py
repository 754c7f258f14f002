"""What `enquirer words` does: builds the word vectors that the open model knows further words by."""

import sys
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="Word vectors: what words mean that no training question has.")


@app.callback()
def words() -> None:
    """Word vectors: what words mean that no training question has."""


@app.command()
def build(
    packages: Annotated[
        Path, typer.Argument(metavar="DIR", help="Where the packages of npm are, or are downloaded to.")
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Where the files go; into this package, if none."),
    ] = None,
) -> None:
    """Make the word vectors again from GloVe and WordNet, as packages of npm hold them."""
    from neural_enquirer.word_building.building import build as build_words
    from neural_enquirer.word_building.building import data_folder

    place = out or data_folder()
    count = build_words(packages, place, lambda line: print(line, file=sys.stderr))
    print(f"{place}: the vectors of {count:,} words")
