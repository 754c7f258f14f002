"""The paper's tables and figures on a bare machine: all that `enquirer reproduce` does.

    python -m neural_enquirer.reproduction table2 --workers 12

needs torch, numpy, safetensors and jaxtyping, and no other package. What is there already is kept; stopped
and started again, it goes on where it was. Figures are drawn where matplotlib is installed.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from neural_enquirer.reproduction.experiments import ReproductionError
from neural_enquirer.reproduction.reproduce import ALL, PARTS, Request, reproduce
from neural_enquirer.training.state import TrainingError


def main(arguments: Sequence[str] | None = None) -> int:
    """Reproduces what the command line says; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m neural_enquirer.reproduction",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("part", nargs="?", choices=PARTS, default=ALL)
    parser.add_argument("--seeds", type=int, help="runs of every experiment; 3, with --quick 1")
    parser.add_argument("--quick", action="store_true", help="at a tiny size, to see it work")
    parser.add_argument("--out", type=Path, help="where results are and go; results")
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda or cuda:1")
    parser.add_argument("--workers", type=int, help="runs at a time; one on a CPU, four on a GPU")
    parser.add_argument("--only", action="append", default=[], metavar="EXPERIMENT", help="no others")
    given = vars(parser.parse_args(arguments))
    try:
        reproduce(Request(**given | {"only": tuple(given["only"])}))
    except (ReproductionError, TrainingError) as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
