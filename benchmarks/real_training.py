"""How long two CPU cores take to learn WikiSQL alone: writes results/real-training-cpu.json.

    python -m benchmarks.real_training --data WIKISQL

trains experiments/real.toml on its training questions in batches of 100, and reports accuracy on its
development questions after every epoch, with the seconds so far.
"""

import argparse
import json
import time
from dataclasses import asdict
from pathlib import Path

import torch

from benchmarks.ablations import real_data
from neural_enquirer.reproduction.hardware import hardware
from neural_enquirer.training.experiment import Experiment
from neural_enquirer.training.loop import Trainer, choose_device


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--out", type=Path, default=Path("results"))
    arguments = parser.parse_args()
    start = time.perf_counter()
    data = real_data([arguments.data])
    prepared = time.perf_counter() - start
    settings = [f"training.epochs={arguments.epochs}", "training.batch_size=100"]
    device = choose_device(arguments.device)
    trainer = Trainer(Experiment.load(Path("experiments/real.toml"), settings), data, device=device)
    epochs = []
    for report in trainer.run():
        epochs.append(asdict(report))
        print(f"epoch {report.epoch}: {report.overall:.4f} after {report.seconds:.0f} s", flush=True)
    result = {
        "command": "python -m benchmarks.real_training --data WIKISQL",
        "hardware": hardware(device),
        "torch": torch.__version__,
        "seed": 0,
        "examples": sum(len(shelf) for shelf in trainer.shelves),
        "seconds to prepare the data": prepared,
        "epochs": epochs,
    }
    arguments.out.mkdir(parents=True, exist_ok=True)
    (arguments.out / f"real-training-{device.type}.json").write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
