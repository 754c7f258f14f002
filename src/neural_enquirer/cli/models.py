"""`enquirer models`: what comes with the program."""

import json
from typing import Annotated

import typer

__all__ = ["models"]


def models(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List the models that come with the program."""
    from neural_enquirer.checkpoint_files import describe_shipped

    rows = describe_shipped()
    if as_json:
        print(json.dumps(rows))
        return
    for row in rows:
        accuracy = "" if row["accuracy"] is None else f"{row['accuracy']:.2%} of {row['accuracy_of']}"
        print(f"{row['name']:20} {row['task']:20} {row['bytes'] / 1e6:6.1f} MB  {accuracy}".rstrip())
    if not rows:
        print("no model comes with this version; train one with: enquirer train")
