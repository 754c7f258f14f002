"""How long the paper's model over two tables guesses at joins before it learns them, and why.

    python -m benchmarks.join_plateau --processes 2

In worlds smaller than the task, with fewer rows, fields and countries, `two-tables-paper-adadelta`
is trained with one set of executors for both tables or one for each, and with later annotators that begin
as others do or almost blind for what they read. Each game has a country of its own, and each country a
game, so that nothing but a join leads to its answer, whatever the size. Training ends when nine in ten joins
are right, or after `--epochs` epochs of 1,000 steps. Writes results/join-plateau.json.
"""

import argparse
import json
import multiprocessing
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from benchmarks.trials import followed
from neural_enquirer.checkpoint import write_text
from neural_enquirer.encoding.batch import Batch, TableCodes
from neural_enquirer.encoding.closed import JOIN_TYPES
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.reproduction.hardware import hardware
from neural_enquirer.training.data import TrainingData
from neural_enquirer.training.experiment import Experiment
from neural_enquirer.training.loop import Trainer, choose_device

EXPERIMENT = Path(__file__).parents[1] / "experiments" / "two-tables-paper-adadelta.toml"
TRAINING, VALIDATION = 100_000, 2_000
LEARNED = 0.9
"""Of the joins."""
WORD = 2
"""The code of the first word of a vocabulary."""
MODELS = {
    "shared executors": ("model.executor_sets=1", "training.read_scale=1.0"),
    "executors for each table": ("model.executor_sets=2", "training.read_scale=1.0"),
    "… and later annotators begin almost blind": ("model.executor_sets=2", "training.read_scale=0.1"),
}
"""What differs between the models that are trained."""

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class World:
    """Two tables of as many rows; their first fields hold the countries by which they are joined.

    Attributes:
        rows: of each table.
        game_fields: fields of the first table, the country included.
        country_fields: fields of the second one, the country included.
        countries: different countries that there are.
        values: different values that each other field can have.
    """

    rows: int
    game_fields: int
    country_fields: int
    countries: int
    values: int

    @property
    def fields(self) -> int:
        """Different fields of both tables."""
        return self.game_fields + self.country_fields - 1

    def vocabulary(self) -> Vocabulary:
        """Names of fields, values field by field, and countries."""
        fields = [f"field {n}" for n in range(self.fields)]
        values = [f"value {n} {v}" for n in range(1, self.fields) for v in range(self.values)]
        countries = [f"country {c}" for c in range(self.countries)]
        return Vocabulary((*fields, *values, *countries), frozenset(countries))

    def draw(self, rng: np.random.Generator, count: int) -> Batch:
        """Draws questions "field, field of the condition, value"; every other one needs a join."""
        games, countries = self._tables(rng, count)
        each = np.arange(count)
        join = each % 2 == 1
        of_game = rng.random(count) < 0.5  # whether the condition is on a game
        condition, select = self._columns(rng, join, of_game)
        row = rng.integers(0, self.rows, count)
        partner = (countries[:, None, :, 0] == games[:, :, None, 0]).argmax(axis=2)[each, row]
        here = np.where(of_game, row, partner)  # the row of the condition; row and partner have one country
        there = np.where(join == of_game, partner, row)
        in_game = np.where(join, ~of_game, of_game)  # whether the answer is in the table of games
        value = np.where(
            of_game,
            games[each, here, np.minimum(condition, self.game_fields - 1)],
            countries[each, here, np.minimum(condition, self.country_fields - 1)],
        )
        answer = np.where(
            in_game,
            there * self.game_fields + select,
            self.rows * self.game_fields + there * self.country_fields + select,
        )
        words = np.stack([self._name(select, in_game), self._name(condition, of_game), value], axis=1)
        return Batch(
            words=torch.from_numpy(words),
            tables=(self._encoded(games, first=True), self._encoded(countries, first=False)),
            answers=torch.from_numpy(answer),
            answer_cells=None,
            steps=torch.full((count, 1), -1),
            types=torch.from_numpy(join.astype(np.int64)),
        )

    def _tables(self, rng: np.random.Generator, count: int) -> tuple[Ints, Ints]:
        """Codes of the cells; values differ within a column, and both tables have the same countries."""
        countries = self._column(rng, count, self.countries, first=WORD + self.fields + self._all_values)
        games = [rng.permuted(countries, axis=1)]
        others = [countries]
        for n in range(1, self.fields):
            table = games if n < self.game_fields else others
            table.append(self._column(rng, count, self.values, WORD + self.fields + (n - 1) * self.values))
        return np.stack(games, axis=2), np.stack(others, axis=2)

    @property
    def _all_values(self) -> int:
        return (self.fields - 1) * self.values

    def _column(self, rng: np.random.Generator, count: int, words: int, first: int) -> Ints:
        chosen: Ints = rng.random((count, words)).argsort(axis=1)[:, : self.rows] + first
        return chosen

    def _columns(
        self, rng: np.random.Generator, join: npt.NDArray[np.bool_], of_game: npt.NDArray[np.bool_]
    ) -> tuple[Ints, Ints]:
        """The columns of condition and answer, each in its table; a join never names the country."""
        width = np.where(of_game, self.game_fields, self.country_fields)
        other = np.where(of_game, self.country_fields, self.game_fields)
        first = rng.integers(0, width)
        second = (first + rng.integers(1, width)) % width  # another one of the same table
        condition = np.where(join, rng.integers(1, width), first)
        return condition, np.where(join, rng.integers(1, other), second)

    def _name(self, column: Ints, of_game: npt.NDArray[np.bool_]) -> Ints:
        field = np.where(of_game | (column == 0), column, column + self.game_fields - 1)
        return field + WORD

    def _encoded(self, cells: Ints, *, first: bool) -> TableCodes:
        columns = np.arange(cells.shape[2])
        fields = self._name(columns, np.full(len(columns), first))
        return TableCodes(
            torch.from_numpy(np.tile(fields, (len(cells), 1))),
            torch.from_numpy(cells),
            torch.zeros(cells.shape, dtype=torch.bool),
        )


WORLDS = (
    World(rows=3, game_fields=2, country_fields=2, countries=6, values=10),
    World(rows=3, game_fields=3, country_fields=2, countries=6, values=10),
    World(rows=3, game_fields=4, country_fields=3, countries=6, values=10),
    World(rows=3, game_fields=7, country_fields=4, countries=6, values=10),
)
"""The task itself has 10 rows, 7 and 4 fields, and 60 countries."""


def learn(world: World, model: str, seed: int, epochs: int, device: str) -> dict[str, Any]:
    """Trains in a world until joins are learned; returns the accuracies after each epoch."""
    # The latest weights, since an average of weights would learn joins some epochs late.
    settings = [*MODELS[model], f"training.epochs={epochs}", "training.average=false"]
    experiment = Experiment.load(EXPERIMENT, settings)
    rng = np.random.default_rng(seed)
    data = TrainingData(
        world.vocabulary(), world.draw(rng, TRAINING), world.draw(rng, VALIDATION), JOIN_TYPES
    )
    chosen = choose_device(device)
    if chosen.type == "cpu":
        torch.set_num_threads(1)
    trainer = Trainer(experiment, data, seed=seed, device=chosen)
    found = []
    for report in followed(trainer, f"{world}, {model}, seed {seed}:"):
        found.append({"loss": round(report.loss, 4), **report.by_type})
        if report.by_type["join"] >= LEARNED:
            break
    learned = len(found) if found[-1]["join"] >= LEARNED else None
    return {
        "world": asdict(world),
        "model": model,
        "seed": seed,
        "learned_after": learned,
        "hardware": hardware(chosen),
        "epochs": found,
    }


def main() -> None:
    """Trains in every world, and writes what came of it after each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--out", type=Path, default=Path("results/join-plateau.json"))
    given = parser.parse_args()
    content: dict[str, Any] = {
        "command": f"python -m benchmarks.join_plateau --epochs {given.epochs} --seeds {given.seeds}",
        "torch": torch.__version__,
    }
    # The largest first: they take longest.
    asked = [
        (world, model, seed) for world in reversed(WORLDS) for model in MODELS for seed in range(given.seeds)
    ]
    job = partial(learn, epochs=given.epochs, device=given.device)
    found: dict[int, dict[str, Any]] = {}
    with ProcessPoolExecutor(given.processes, multiprocessing.get_context("spawn")) as pool:
        waiting = {pool.submit(job, *one): place for place, one in enumerate(asked)}
        for done in as_completed(waiting):
            found[waiting[done]] = done.result()
            content["runs"] = [found[place] for place in sorted(found)]
            write_text(given.out, json.dumps(content) + "\n")


if __name__ == "__main__":
    main()
