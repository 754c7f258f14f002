"""Trains one experiment with one seed and tests the best checkpoint; writes what came of it as JSON.

    python -m benchmarks.accuracy experiments/olympics-100k-n2n.toml --seed 0 --out results

writes results/olympics-100k-n2n-0.json and keeps the run, with its checkpoint, in runs/olympics-100k-n2n-0;
started again, it goes on where it was stopped. Several of these at once share a GPU well.
"""

import argparse
import json
import platform
import time
from dataclasses import asdict
from pathlib import Path

import torch

from neural_enquirer import checkpoint
from neural_enquirer.encoding.closed import encode
from neural_enquirer.evaluation import accuracy
from neural_enquirer.synthesis.examples import QUERY_TYPES
from neural_enquirer.synthesis.tasks import generate
from neural_enquirer.training.data import TrainingData
from neural_enquirer.training.experiment import Experiment
from neural_enquirer.training.loop import Trainer, choose_device
from neural_enquirer.training.state import EpochReport

BARS = (0.9, 0.99, 0.995)
"""Validation accuracies whose first time is reported."""


def hardware(device: torch.device) -> str:
    if device.type == "cuda":
        return f"one {torch.cuda.get_device_name(device)}"
    return f"{platform.machine()} CPU, {torch.get_num_threads()} threads"


def first_times(epochs: tuple[EpochReport, ...]) -> dict[str, float | None]:
    """Returns the seconds of training after which validation accuracy first reached each bar."""
    return {str(bar): next((r.seconds for r in epochs if r.overall >= bar), None) for bar in BARS}


def test(directory: Path, experiment: Experiment, device: torch.device) -> dict[str, object]:
    """Returns the best checkpoint's accuracy on the task's test set, which training never saw."""
    task = experiment.task
    examples = generate(task.name, "test", seed=task.seed)
    trained = checkpoint.load(directory).knowing(examples.entity_words)
    batch = encode(examples, trained.vocabulary, trained.form).to(device)
    return asdict(accuracy(trained.model.to(device), batch, QUERY_TYPES))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("experiment", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--set", action="append", default=[], help="section.key=value, as for enquirer train")
    parser.add_argument("--name", help="of the result; the experiment's unless given")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--out", type=Path, default=Path("results"))
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    arguments = parser.parse_args()
    device = choose_device(arguments.device)
    experiment = Experiment.load(arguments.experiment, arguments.set)
    name = f"{arguments.name or arguments.experiment.stem}-{arguments.seed}"
    directory = arguments.runs / name
    data = TrainingData.generate(experiment)
    start = time.perf_counter()
    trainer = Trainer(experiment, data, seed=arguments.seed, device=device, directory=directory, resume=True)
    prepared = time.perf_counter() - start
    for report in trainer.run():
        if report.epoch % 5 == 0:
            types = " ".join(f"{value:.4f}" for value in report.by_type.values())
            found = f"loss {report.loss:.4f} {report.overall:.4f} [{types}]"
            print(f"{name} epoch {report.epoch} {found} {report.seconds:.1f}s", flush=True)
    epochs = trainer.progress.epochs
    settings = [f"--seed {arguments.seed}", *(f"--set {override}" for override in arguments.set)]
    result = {
        "experiment": experiment.to_dict(),
        "seed": arguments.seed,
        "command": " ".join(["python -m benchmarks.accuracy", str(arguments.experiment), *settings]),
        "hardware": hardware(device),
        "torch": torch.__version__,
        "test": test(directory, experiment, device),
        "best_epoch": max(epochs, key=lambda r: r.overall).epoch,
        "seconds": {
            "preparing": prepared,
            "training": epochs[-1].seconds,
            "to_validation": first_times(epochs),
        },
        "epochs": [asdict(report) for report in epochs],
    }
    arguments.out.mkdir(parents=True, exist_ok=True)
    (arguments.out / f"{name}.json").write_text(json.dumps(result) + "\n")
    print(f"RESULT {name} {json.dumps(result['test'])} {result['seconds']}", flush=True)


if __name__ == "__main__":
    main()
