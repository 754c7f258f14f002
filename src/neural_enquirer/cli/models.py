"""`enquirer models`: what comes with the program."""

import json
import shutil
from pathlib import Path
from typing import Annotated

import typer

from neural_enquirer.cli.options import Model


def models(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    export: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write an open model as ONNX, for programs in other languages."),
    ] = None,
    model: Model = "open",
) -> None:
    """List the models that come with the program, or export one."""
    if export is not None:
        _export(model, export)
        return
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


def _export(model: str, folder: Path) -> None:
    """Writes the graphs of an open model, its config and its vocabulary into a folder that is new."""
    from neural_enquirer.installed import check_installed

    for package in ("torch", "onnx"):
        check_installed(package, "export", "--export")
    from neural_enquirer import checkpoint, whole_folder
    from neural_enquirer.model import export
    from neural_enquirer.model.open_enquirer import OpenEnquirer

    directory, trained = checkpoint.locate(model), checkpoint.load(model)
    if not isinstance(trained.model, OpenEnquirer):
        raise typer.BadParameter(f"{model} is no open model; only these are exported")
    with whole_folder.whole_folder(folder) as fresh:
        export.export(trained.model, trained.vocabulary, fresh)
        for name in ("config.json", "vocabulary.json"):
            shutil.copyfile(directory / name, fresh / name)
    for file in sorted(folder.iterdir()):
        print(f"{file}: {file.stat().st_size / 1e6:.1f} MB")
