"""What lets a model understand combinations of fields that training never saw: trials in worlds of their own.

    python -m benchmarks.field_combinations --worlds 2 --processes 12 --device cuda

The validation questions of `olympics-large-kb` combine fields as its training questions do, and its test
questions are for testing: neither can choose between settings. Each world here has five field sets of its
own, drawn as the task's were, and with them its own unseen combinations. Every trial is trained in every
world, and asked four kinds of questions: combinations that it has seen and such that it has not, in tables
of five fields and of all ten. Writes results/large-kb-development.json.
"""

import argparse
import json
import multiprocessing
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Int
from torch import Tensor

from neural_enquirer.encoding.batch import Batch
from neural_enquirer.encoding.closed import encode
from neural_enquirer.model.network import Network
from neural_enquirer.reproduction.hardware import hardware
from neural_enquirer.synthesis.examples import PROGRAM_TYPES, ExampleSet, concatenate
from neural_enquirer.synthesis.olympics import FIELD_NAMES
from neural_enquirer.synthesis.olympics_sampler import OlympicSampler
from neural_enquirer.synthesis.tasks import FIELD_SETS, split_by_field_sets
from neural_enquirer.training.accuracy import accuracy, predict
from neural_enquirer.training.data import TrainingData
from neural_enquirer.training.experiment import Experiment
from neural_enquirer.training.loop import Trainer, choose_device

EXPERIMENTS = Path(__file__).parents[1] / "experiments"
WIDTH = 5
"""Fields of a training table."""
KINDS = 3
"""All types of questions but NEST."""
TRIALS = {
    "N2N": ("large-kb-n2n", ()),
    "N2N, widened tables": ("large-kb-n2n", ("training.widening=true",)),
    "ours": ("large-kb-ours", ()),
    "ours, tables not widened": ("large-kb-ours", ("training.widening=false",)),
    "ours, cells not grounded": ("large-kb-ours", ("model.grounded=false",)),
    "ours, names as they are": ("large-kb-ours", ("training.renaming=false",)),
}
"""The experiment and the settings of each trial."""


@dataclass(frozen=True)
class World:
    """Five field sets, and the examples that go with them."""

    number: int
    field_sets: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, number: int) -> "World":
        """Draws field sets by the rules of the task: all fields are covered, every set can name its rows."""
        rng = np.random.default_rng([20151203, number])
        names = FIELD_NAMES
        while True:
            drawn = [sorted(rng.choice(len(names), WIDTH, replace=False).tolist()) for _ in FIELD_SETS]
            sets = tuple(tuple(names[index] for index in chosen) for chosen in drawn)
            named = all({"host_city", "host_country"} & set(chosen) for chosen in sets)
            if named and set().union(*sets) == set(names) and sets != FIELD_SETS:
                return cls(number, sets)

    def draw(self, split: str, count: int, *, wide: bool = False) -> ExampleSet:
        """Draws examples of a split, as many of each type; `wide` tables have all fields."""
        sets = (FIELD_NAMES,) if wide else self.field_sets
        sampler = OlympicSampler(split, sets, partial(split_by_field_sets, field_sets=self.field_sets))
        rng = np.random.default_rng([self.number, len(split), int(wide)])
        return concatenate([sampler.draw(rng, kind, count // KINDS) for kind in range(KINDS)])


def narrowed(batch: Batch, width: int = WIDTH) -> Batch:
    """Returns the same questions on tables of fewer fields: those that the question needs, and any others."""
    table = batch.table
    count, fields = table.fields.shape
    rng = torch.Generator(table.fields.device).manual_seed(0)
    chance = torch.rand(count, fields, generator=rng, device=table.fields.device)
    for step in batch.steps.T:
        needed = (torch.arange(fields, device=step.device) == step[:, None]) & (chance >= 0)
        chance = chance - needed.to(chance.dtype)  # below zero: kept in any case
    kept = chance.argsort(dim=1)[:, :width].sort(dim=1).values
    row, column = batch.answers // fields, batch.answers % fields
    return replace(
        batch,
        tables=(
            replace(
                table,
                fields=table.fields.gather(1, kept),
                cells=_columns(table.cells, kept),
                mentions=_columns(table.mentions, kept),
            ),
        ),
        answers=row * width + (kept == column[:, None]).to(torch.uint8).argmax(dim=1),
        steps=torch.full_like(batch.steps, -1),
    )


def _columns(table: Tensor, kept: Int[Tensor, "batch field"]) -> Tensor:
    return table.gather(2, kept[:, None].expand(-1, table.shape[1], -1))


def ask(model: Network, questions: dict[str, Batch]) -> dict[str, Any]:
    """Returns accuracies for each kind of questions, and how often the row or the column is right."""
    found: dict[str, Any] = {}
    for kind, batch in questions.items():
        width = batch.table.fields.shape[1]
        answers = predict(model, batch)
        found[kind] = {
            **asdict(accuracy(model, [batch], PROGRAM_TYPES)),
            "row": (answers // width == batch.answers // width).double().mean().item(),
            "column": (answers % width == batch.answers % width).double().mean().item(),
        }
    return found


def run(trial: str, number: int, wanted: str, examples: int, held_out: int, settings: list[str]) -> Any:
    """Trains one trial in one world to the end, and returns how it answers each kind of questions."""
    name, overrides = TRIALS[trial]
    experiment = Experiment.load(EXPERIMENTS / f"{name}.toml", [*overrides, *settings])
    world, device = World.of(number), choose_device(wanted)
    validation = world.draw("validation", held_out)
    data = TrainingData.of(experiment, world.draw("train", examples), validation)
    test = encode(world.draw("test", held_out, wide=True), data.vocabulary).to(device)
    questions = {
        "seen, five fields": encode(validation, data.vocabulary).to(device),
        "seen, ten fields": encode(world.draw("validation", held_out, wide=True), data.vocabulary).to(device),
        "unseen, five fields": narrowed(test),
        "unseen, ten fields": test,
    }
    trainer = Trainer(experiment, data, device=device)
    epochs = list(trainer.run())
    with trainer.averaged():
        answered = ask(trainer.model, questions)
    return {
        "trial": trial,
        "world": number,
        "field_sets": world.field_sets,
        "experiment": experiment.to_dict(),
        "epochs": len(epochs),
        "answered": answered,
        "seconds": epochs[-1].seconds,
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--trial", action="append", choices=TRIALS, help="all unless given")
    parser.add_argument("--worlds", type=int, default=2)
    parser.add_argument("--processes", type=int, default=1, help="runs at once; several share a GPU well")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--examples", type=int, default=75_000)
    parser.add_argument("--held-out", type=int, default=12_000)
    parser.add_argument("--set", action="append", default=[], help="section.key=value, for all trials")
    parser.add_argument("--out", type=Path, default=Path("results/large-kb-development.json"))
    arguments = parser.parse_args()
    sizes = (arguments.device, arguments.examples, arguments.held_out, arguments.set)
    runs: list[Any] = []
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(arguments.processes, mp_context=context) as pool:
        waiting = [
            pool.submit(run, trial, world, *sizes)
            for world in range(arguments.worlds)
            for trial in arguments.trial or TRIALS
        ]
        for done in as_completed(waiting):
            runs.append(done.result())
            _write(arguments.out, arguments.device, runs)
            scores = {kind: round(100 * found["overall"], 2) for kind, found in runs[-1]["answered"].items()}
            print(runs[-1]["trial"], runs[-1]["world"], scores, f"{runs[-1]['seconds']:.0f} s", flush=True)


def _write(path: Path, device: str, runs: list[Any]) -> None:
    ordered = sorted(runs, key=lambda found: (list(TRIALS).index(found["trial"]), found["world"]))
    content = {
        "command": "python -m benchmarks.field_combinations",
        "hardware": hardware(choose_device(device)),
        "torch": torch.__version__,
        "runs": ordered,
    }
    path.write_text(json.dumps(content) + "\n")


if __name__ == "__main__":
    main()
