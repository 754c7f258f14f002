"""What was tried so that the paper's model over two tables learns joins from answers.

    python -m benchmarks.two_tables_trials --processes 8 --device cuda

trains every trial, some on data that are drawn in another way than the task's, and writes
results/two-tables-trials.json: accuracies on validation questions after each epoch.
"""

import json
import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final
from unittest import mock

import numpy as np
import numpy.typing as npt

from benchmarks.trials import followed, trial_parser
from neural_enquirer.checkpoint import write_text
from neural_enquirer.reproduction.hardware import hardware
from neural_enquirer.synthesis import two_tables
from neural_enquirer.synthesis.olympics import COUNTRIES, ROWS, WORDS
from neural_enquirer.synthesis.two_tables import COUNTRY_FIELDS, GAME_FIELDS
from neural_enquirer.training.experiment import Experiment
from neural_enquirer.training.loop import Trainer, choose_device
from neural_enquirer.training.starting import draw_data

EXPERIMENT: Final = Path(__file__).parents[1] / "experiments" / "two-tables-paper-adadelta.toml"
LISTED: Final = len(GAME_FIELDS)
"""The column of the countries in the second table, behind those of the first."""
FACTS: Final = range(LISTED + 1, LISTED + len(COUNTRY_FIELDS))

Cells = npt.NDArray[np.int16]
Sampler = Callable[[np.random.Generator, int], Cells]
"""Draws pairs of tables, side by side."""
AS_THE_TASK: Final[Sampler] = two_tables.sample_cells


def with_facts(rng: np.random.Generator, count: int) -> Cells:
    """Lets every country have one continent, population and size, the same in all tables."""
    cells, fixed = AS_THE_TASK(rng, count), np.random.default_rng(5)
    every = AS_THE_TASK(fixed, len(COUNTRIES))[:, 0]  # a row for each country
    country = cells[:, :, LISTED] - WORDS.index(COUNTRIES[0])
    for column in FACTS:
        cells[:, :, column] = every[country, column]
    return cells


def repeated(rng: np.random.Generator, count: int) -> Cells:
    """Draws the games' countries from the ten of the second table: some host often, and some never."""
    cells = AS_THE_TASK(rng, count)
    chosen = rng.integers(0, ROWS, (count, ROWS))
    cells[:, :, GAME_FIELDS.index("country")] = np.take_along_axis(cells[:, :, LISTED], chosen, axis=1)
    return cells


@dataclass(frozen=True)
class Trial:
    """What differs from the experiment, in words and as settings."""

    training: str
    settings: tuple[str, ...]
    model: str = ""
    data: str = ""
    cells: Sampler = AS_THE_TASK
    seed: int = 0


SHARED: Final = ("model.executor_sets=1", "training.read_scale=1.0")
"""One set of executors for both tables, all of which begin alike: not what the experiment says."""


def adadelta(scale: float, *settings: str, summed: bool = False, **told: Any) -> Trial:
    """A trial with the paper's optimizer."""
    objective = "summed" if summed else "mean"
    chosen = (f"training.embedding_scale={scale}", f"training.summed={str(summed).lower()}")
    about = f"AdaDelta, {objective} objective, words at scale {scale:g}"
    return Trial(about, (*SHARED, *chosen, *settings), **told)


def own(*settings: str, blind: float = 0.1, besides: str = "", **told: Any) -> Trial:
    """A trial with executors for each table, and later annotators that begin almost blind."""
    chosen = (f"training.read_scale={blind}", *settings)
    model = f"executors for each table, later annotators begin with {blind:g} of what they read{besides}"
    return Trial("AdaDelta, words at scale 1", chosen, model, **told)


def wide(seed: int) -> Trial:
    """The same with larger cells, whose size the paper does not give."""
    return own("training.average=false", "model.cell_size=50", besides=", cells of 50 numbers", seed=seed)


def adamw(scale: float, *settings: str, **told: Any) -> Trial:
    """A trial with AdamW and larger batches."""
    chosen = "optimizer=adamw learning_rate=0.003 weight_decay=0.05 clip=1 batch_size=500 epochs=50"
    scales = (f"training.embedding_scale={scale}", f"training.entity_scale={scale}")
    optimizer = tuple(f"training.{setting}" for setting in chosen.split())
    about = f"AdamW 0.003, weight decay 0.05, clip 1, batches of 500; words and entities at scale {scale:g}"
    return Trial(about, (*SHARED, *optimizer, *scales, *settings), **told)


OWN_BLIND: Final = "executors for each table, later annotators begin with 0.1 of what they read"


def own_adamw(
    scale: float,
    *settings: str,
    decay: float = 0.2,
    dropout: float = 0.1,
    epochs: int = 150,
    model: str = OWN_BLIND,
    seed: int = 0,
) -> Trial:
    """A trial with AdamW, executors for each table, and later annotators that begin almost blind."""
    optimizer = f"optimizer=adamw learning_rate=0.003 weight_decay={decay} clip=1 batch_size=500"
    training = f"{optimizer} epochs={epochs} embedding_scale={scale} average=false".split()
    chosen = (*(f"training.{setting}" for setting in training), f"model.dropout={dropout}", *settings)
    constants = f"AdamW 0.003, weight decay {decay:g}, clip 1, batches of 500, {epochs} epochs"
    about = f"{constants}; words at scale {scale:g}"
    return Trial(about, chosen, f"{model}, dropout {dropout:g}" if dropout else model, seed=seed)


WIDE: Final = "model.cell_size=50"
ALIKE: Final = "executors for each table, all annotators begin alike"
SHARED_BLIND: Final = "shared executors, later annotators begin with 0.1 of what they read"
OWN_WIDE: Final = f"{OWN_BLIND}, cells of 50 numbers"
SHORT: Final[dict[str, Any]] = {"decay": 0.05, "dropout": 0.0, "epochs": 60}


SAME_FACTS: Final = "not the task's: continent, population and size of a country are the same in every table"
REPEATED: Final = "not the task's: the games' countries are drawn from the ten that the other table lists"
TRIALS: Final = {
    "adamw": adamw(1),
    "adamw-grounded": adamw(0.3, "model.grounded=true", model="grounded"),
    "adamw-linked": adamw(1, "model.linked=true", model="linked, not grounded"),
    "paper-1.0": adadelta(1),
    "paper-0.6": adadelta(0.6),
    "paper-1.0-drop": adadelta(1, "model.dropout=0.1", model="dropout 0.1"),
    "paper-0.1-dropout": adadelta(0.1, "model.dropout=0.2", model="dropout 0.2"),
    "paper-1.0-summed": adadelta(1, summed=True),
    "paper-0.1-summed": adadelta(0.1, summed=True),
    "paper-0.3-facts": adadelta(0.3, data=SAME_FACTS, cells=with_facts),
    "paper-0.1-repeated": adadelta(0.1, data=REPEATED, cells=repeated),
    "paper-0.3-repeated": adadelta(0.3, data=REPEATED, cells=repeated),
    "paper-1.0-repeated": adadelta(1, data=REPEATED, cells=repeated),
    "paper-0.3-four-executors": adadelta(0.3, "model.executors=4", model="four executors"),
    "paper-1.0-blind": adadelta(1, "training.read_scale=0.1", model="later annotators begin with 0.1"),
    "own-blinder-1": own(blind=0.03, seed=1),
    "own-blinder-2": own(blind=0.03, seed=2),
    "own-blind-wide-0": wide(0),
    "own-blind-wide-1": wide(1),
    "own-blind-wide-2": wide(2),
    "own-adamw-1.0": own_adamw(1, **SHORT),
    "own-adamw-0.3": own_adamw(0.3, **SHORT),
    "own-adamw-0.3-seed-1": own_adamw(0.3, **SHORT, seed=1),
    "own-adamw-0.3-alike": own_adamw(0.3, "training.read_scale=1.0", **SHORT, model=ALIKE),
    "own-adamw-1.0-wide": own_adamw(1, WIDE, **SHORT, model=OWN_WIDE),
    "own-adamw-1.0-wide-seed-1": own_adamw(1, WIDE, **SHORT, model=OWN_WIDE, seed=1),
    "own-adamw-0.3-wide": own_adamw(0.3, WIDE, **SHORT, model=OWN_WIDE),
    **{f"own-adamw-long-{seed}": own_adamw(0.3, decay=0.05, dropout=0.0, seed=seed) for seed in range(3)},
    **{f"own-adamw-dropout-{seed}": own_adamw(0.3, seed=seed) for seed in range(3)},
    **{f"own-adamw-wide-{seed}": own_adamw(0.3, WIDE, model=OWN_WIDE, seed=seed) for seed in range(3)},
    **{
        f"shared-adamw-{seed}": own_adamw(
            0.3, "model.executor_sets=1", decay=0.5, epochs=100, model=SHARED_BLIND, seed=seed
        )
        for seed in range(2)
    },
    **{f"own-adamw-decay-{seed}": own_adamw(0.3, decay=0.5, epochs=100, seed=seed) for seed in range(3)},
}


def learn(name: str, wanted: str, seconds: float, settings: list[str]) -> dict[str, Any]:
    """Trains a trial to the end, or for some time; returns the accuracies after each epoch."""
    trial, device = TRIALS[name], choose_device(wanted)
    experiment = Experiment.load(EXPERIMENT, [*trial.settings, *settings])
    with mock.patch.object(two_tables, "sample_cells", trial.cells):
        data = draw_data(experiment)
    epochs = [
        {"epoch": report.epoch, "loss": report.loss, "overall": report.overall, **report.by_type}
        for report in followed(Trainer(experiment, data, seed=trial.seed, device=device), name, seconds)
    ]
    told = {"model": trial.model, "data": trial.data}
    about = {"name": name, "training": trial.training} | {key: text for key, text in told.items() if text}
    return {**about, "seed": trial.seed, "hardware": hardware(device), "epochs": epochs}


def main() -> None:
    """Trains all trials, and writes what came of them."""
    parser = trial_parser(__doc__, TRIALS)
    parser.add_argument("--out", type=Path, default=Path("results/two-tables-trials.json"))
    given = parser.parse_args()
    job = partial(learn, wanted=given.device, seconds=given.seconds, settings=given.set)
    with ProcessPoolExecutor(given.processes, multiprocessing.get_context("spawn")) as pool:
        runs = list(pool.map(job, given.trial or TRIALS))
    task = "olympics-two-tables, SQL-like text; accuracy on validation questions"
    content = {"command": "python -m benchmarks.two_tables_trials", "task": task, "runs": runs}
    write_text(given.out, json.dumps(content) + "\n")


if __name__ == "__main__":
    main()
