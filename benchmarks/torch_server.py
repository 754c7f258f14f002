"""`enquirer serve` with the open model asked by torch (`torch_path`): what `serving` compares with.

    python -m benchmarks.torch_server serve --port 0 --no-open

The processes that answer load this module as well, so that they ask torch, too.
"""

from benchmarks.torch_batches import TorchPredictor
from benchmarks.torch_path import TorchLoaded
from neural_enquirer.cli.app import main
from neural_enquirer.prediction import loading

setattr(loading, "Loaded", TorchLoaded)  # noqa: B010 - mypy knows it as a class
setattr(loading, "OpenPredictor", TorchPredictor)  # noqa: B010

if __name__ == "__main__":
    main()
