"""The open model from its questions to the shipped folder, on a bare machine.

    python -m neural_enquirer.shipping experiments/open.toml --out runs --data EVERYDAY/train --data WIKISQL

does what `enquirer train` with three seeds and `enquirer ship` do, and needs torch, numpy, safetensors and
jaxtyping alone. All is drawn once, the runs share one device, the best becomes `runs/open`, and what came of
each is told below `runs/results`. Stopped and started again, it goes on where it was.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from neural_enquirer.checkpoint import CheckpointError
from neural_enquirer.real_questions import RealDataError
from neural_enquirer.shipping.problems import ShippingError
from neural_enquirer.shipping.shipment import Shipment, ship
from neural_enquirer.training.experiment import OPEN_TASK, Experiment, ExperimentError
from neural_enquirer.training.side_by_side import train_side_by_side
from neural_enquirer.training.state import TrainingError, read_progress


def main(arguments: Sequence[str] | None = None) -> int:
    """Trains and ships what the command line says; returns the exit status."""
    given = _parser().parse_args(arguments)
    try:
        experiment = Experiment.load(given.experiment, given.set)
        if experiment.task.name != OPEN_TASK:
            raise ExperimentError(f"{given.experiment} is not of the open model; see enquirer train")
        runs = train_side_by_side(experiment, given.data, given.out, given.runs, given.device)
        target = _ship_best(runs, given.data, given.out)
    except (ExperimentError, TrainingError, ShippingError, CheckpointError, RealDataError) as error:
        print(f"python -m neural_enquirer.shipping: {error}", file=sys.stderr)
        return 2
    print(f"{target}: {sum(path.stat().st_size for path in target.iterdir()) / 1e6:.1f} MB")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m neural_enquirer.shipping",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("experiment", type=Path, metavar="EXPERIMENT.toml")
    parser.add_argument(
        "--data", type=Path, action="append", required=True, help="a folder of real questions"
    )
    parser.add_argument("--out", type=Path, required=True, help="where runs and the shipped model go")
    parser.add_argument("--runs", type=int, default=3, help="seeds, each with its own tenth held out; 3")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="overrides the file")
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda or cuda:1")
    return parser


def _ship_best(runs: Sequence[Path], data: Sequence[Path], out: Path) -> Path:
    """Ships the run that did best on what it held out; the others teach its judge, too."""
    best, *others = sorted(runs, key=lambda run: -read_progress(run).best)
    target = out / OPEN_TASK
    ship(
        Shipment(best, target, tuple(data), tuple(others), results=out / "results", resume=True),
        lambda doing, done, total: print(f"{best.name}: {doing}, {done} of {total}", flush=True),
    )
    return target


if __name__ == "__main__":
    sys.exit(main())
