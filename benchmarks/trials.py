"""What benchmarks that train trials have in common: their options, and training that may end early."""

import argparse
from collections.abc import Iterable, Iterator

from neural_enquirer.training.loop import Trainer
from neural_enquirer.training.state import EpochReport


def trial_parser(description: str | None, trials: Iterable[str]) -> argparse.ArgumentParser:
    """Returns a parser that knows which trials are wanted, and how they are trained."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--trial", action="append", choices=list(trials), help="all unless given")
    parser.add_argument("--processes", type=int, default=1, help="runs at once; several share a GPU well")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="of training, for each run")
    parser.add_argument("--set", action="append", default=[], help="section.key=value, for all trials")
    return parser


def followed(trainer: Trainer, title: str, seconds: float = float("inf")) -> Iterator[EpochReport]:
    """Trains to the end, or for some time, and prints what every epoch brought."""
    for report in trainer.run():
        print(
            title, report.epoch, f"{report.loss:.4f}", report.by_type, f"{report.seconds:.0f} s", flush=True
        )
        yield report
        if report.seconds > seconds:
            break
