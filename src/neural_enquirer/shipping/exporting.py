"""Exports an open model: its graphs for other languages, and its vocabulary."""

import shutil
from pathlib import Path

from neural_enquirer import checkpoint
from neural_enquirer.model.export import export
from neural_enquirer.model.open_enquirer import OpenEnquirer
from neural_enquirer.shipping.problems import ShippingError
from neural_enquirer.whole_folder import whole_folder


def export_model(name_or_directory: str, folder: Path) -> None:
    """Writes the ONNX graphs of an open model, its config and its vocabulary into a folder that is new.

    Raises:
        ShippingError: if the model is another.
        CheckpointError: if there is none, or its files are damaged.
        FolderError: if the folder is taken.
    """
    directory, trained = checkpoint.locate(name_or_directory), checkpoint.load(name_or_directory)
    if not isinstance(trained.model, OpenEnquirer):
        raise ShippingError(f"{name_or_directory} is no open model; only these are exported")
    with whole_folder(folder) as fresh:
        export(trained.model, trained.vocabulary, fresh)
        for name in ("config.json", "vocabulary.json"):
            shutil.copyfile(directory / name, fresh / name)
