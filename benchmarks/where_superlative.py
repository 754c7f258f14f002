"""Why the paper's model, end to end, is some points below the paper on WHERE_SUPERLATIVE.

    python -m benchmarks.where_superlative --processes 5 --device cuda

trains trials that differ from `olympics-100k-n2n` in little each, and writes results/where-superlative.json:
how often each model is right on three kinds of questions, those that it was trained on and new ones.

- `entity`: the condition is a city or country, which two rows or more must have. That is rare.
- `close`: the condition is a bound, and a row that decides is at most two numbers away from it: the answer's,
  or one that would be the answer if the condition let it pass.
- `clear`: the rows that decide are farther away.

Test questions are not used. Runs that are there already, as those of the experiment itself, are measured as
they are.
"""

import json
import multiprocessing
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from unittest import mock

import numpy as np
import numpy.typing as npt

from benchmarks.trials import followed, trial_parser
from neural_enquirer import checkpoint
from neural_enquirer.checkpoint import write_text
from neural_enquirer.programs.language import Comparison, Direction
from neural_enquirer.programs.paper import field_name, parts, said_value
from neural_enquirer.synthesis import olympics, olympics_sampler
from neural_enquirer.synthesis.examples import PROGRAM_TYPES, Example, ExampleSet, concatenate
from neural_enquirer.synthesis.olympics import NUMBERS, YEARS
from neural_enquirer.synthesis.olympics_sampler import OlympicSampler
from neural_enquirer.training.accuracy import encode_questions, predict
from neural_enquirer.training.data import TrainingData, draw_examples
from neural_enquirer.training.experiment import Experiment
from neural_enquirer.training.loop import Trainer, choose_device
from neural_enquirer.training.state import PROGRESS

EXPERIMENT: Final = Path(__file__).parents[1] / "experiments" / "olympics-100k-n2n.toml"
TYPE: Final = PROGRAM_TYPES.index("where_superlative")
KINDS: Final = ("entity", "close", "clear")
CLOSE: Final = 2
"""How many numbers away from its bound a value may be to be close to it."""

Places = dict[str, npt.NDArray[np.float64]]
"""All numbers that a field may hold, in order."""


SHARED: Final = np.array([code for code, word in enumerate(NUMBERS) if word not in YEARS], dtype=np.int16)
FIELDS: Final = tuple(name for name in olympics.FIELD_NAMES if name[:4] not in ("year", "host"))
"""The seven fields that share all numbers; here each of them gets a seventh of those that are no years."""
OWN_NUMBERS: Final = {name: SHARED[start :: len(FIELDS)] for start, name in enumerate(FIELDS)}
FEW_NUMBERS: Final = {name: SHARED[:: len(FIELDS)] for name in FIELDS}

Pools = dict[str, npt.NDArray[np.int16]]
"""The numbers that a field draws from, by its name; fields that are not named draw as they do."""


@contextmanager
def drawn_from(pools: Pools) -> Iterator[None]:
    """Lets cells and bounds of some fields be drawn from certain numbers."""
    columns, bounds = olympics.sample_columns, olympics.sample_bounds

    def columns_from(
        rng: np.random.Generator, name: str, tables: int, rows: int = olympics.ROWS
    ) -> npt.NDArray[np.int16]:
        return rng.choice(pools[name], (tables, rows)) if name in pools else columns(rng, name, tables, rows)

    def bounds_from(rng: np.random.Generator, compared: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
        drawn = bounds(rng, compared)
        for name, pool in pools.items():
            here = compared == olympics.FIELD_NAMES.index(name)
            drawn[here] = rng.choice(pool, int(here.sum()))
        return drawn

    with (
        mock.patch.object(olympics, "sample_columns", columns_from),
        mock.patch.object(olympics_sampler, "sample_bounds", bounds_from),
    ):
        yield


@dataclass(frozen=True)
class Trial:
    """What differs from the experiment: settings, how tables are drawn, how often `entity` questions come."""

    about: str
    settings: tuple[str, ...] = ()
    numbers: Pools = field(default_factory=dict)
    entities: int = 0
    """How many times as many `entity` questions are added to the training examples."""

    def examples(self, experiment: Experiment) -> tuple[ExampleSet, ExampleSet]:
        """Draws training and validation examples."""
        with drawn_from(self.numbers):
            train, validation = draw_examples(experiment.task)
            count = self.entities * int((train.types == TYPE).sum())
            further = OlympicSampler("train").draw(np.random.default_rng(1), TYPE, max(count, 1))
        rare = [index for index, form in enumerate(further.logical_forms[:count]) if " = " in form]
        return concatenate([train, further.select(np.array(rare, np.intp))]), validation

    def asked(self, settings: list[str], count: int) -> dict[str, ExampleSet]:
        """Draws questions of the type: trained on, of known logical forms on other tables, and new ones."""
        first = [*self.settings, *settings, f"task.examples={5 * count}", "task.held_out=1"]
        train, _ = self.examples(Experiment.load(EXPERIMENT, first))
        with drawn_from(self.numbers):
            again = OlympicSampler("train").draw(np.random.default_rng(0), TYPE, count)
            new = OlympicSampler("validation").draw(np.random.default_rng(0), TYPE, count)
        forms = set(train.logical_forms)
        known = [index for index, form in enumerate(again.logical_forms) if form in forms]
        trained = train.select(np.flatnonzero(train.types == TYPE))
        return {"trained on": trained, "known forms": again.select(np.array(known, np.intp)), "new": new}


TRIALS: Final = {
    "olympics-100k-n2n": Trial("as in the experiment"),
    "ws-dropout": Trial("dropout 0.3 rather than 0.2", ("model.dropout=0.3",)),
    "ws-rate": Trial("AdaDelta's steps doubled", ("training.learning_rate=2",)),
    "ws-small-words": Trial("words at scale 0.03 rather than 0.1", ("training.embedding_scale=0.03",)),
    "ws-small-words-rate": Trial(
        "words at scale 0.03, AdaDelta's steps doubled",
        ("training.embedding_scale=0.03", "training.learning_rate=2"),
    ),
    "ws-more-examples": Trial(
        "four times the examples in as many steps", ("task.examples=400000", "training.epochs=25")
    ),
    "ws-more-entities": Trial("five times the conditions on cities and countries", entities=4),
    "ws-few-numbers": Trial("13 numbers for all fields", numbers=FEW_NUMBERS),
    "ws-own-numbers": Trial("13 numbers for each field, its own", numbers=OWN_NUMBERS),
    "ws-own-numbers-more-entities": Trial(
        "the same, five times the conditions on cities and countries", numbers=OWN_NUMBERS, entities=4
    ),
}
"""By the name of their runs."""


def kind(example: Example, places: Places) -> str:
    """Returns the kind of a question."""
    (table,), ((_, answer, _),) = example.tables, example.cells
    assert example.program is not None
    _, extreme, (condition,) = parts(example.program)
    assert extreme is not None
    if condition.comparison is Comparison.EQUAL:
        return "entity"
    field = field_name(condition.term)
    numbers = (table.column(name) for name in (field, field_name(extreme.by)))
    compared, keys = (np.array(column, dtype=np.float64) for column in numbers)
    bound = float(said_value(condition).replace(",", ""))
    keys = keys if extreme.direction is Direction.LARGEST else -keys
    passes = compared < bound if condition.comparison is Comparison.LESS else compared > bound
    decides = ~passes & (keys >= keys[answer])
    decides[answer] = True
    near, place = (np.searchsorted(places[field], value) for value in (compared[decides], bound))
    return "close" if np.abs(near - place).min() <= CLOSE else "clear"


def kinds(asked: ExampleSet) -> npt.NDArray[np.str_]:
    """Returns the kind of each question."""
    (block,) = asked.tables
    places = {}
    for code, name in enumerate(asked.field_names):
        codes = np.unique(block.cells.swapaxes(1, 2)[block.fields == code])
        words = [asked.words[each] for each in codes if asked.words[each] not in asked.entity_words]
        places[name] = np.array([float(word.replace(",", "")) for word in words])
    return np.array([kind(asked.example(index), places) for index in range(len(asked))])


def measured(folder: Path, asked: dict[str, ExampleSet]) -> dict[str, Any]:
    """Returns how a run went, and how often its model is right on each kind of questions."""
    trained = checkpoint.load(folder)
    epochs = json.loads((folder / PROGRESS).read_text())["epochs"]
    found: dict[str, Any] = {
        "seed": trained.about["seed"],
        "epochs": len(epochs),
        "best_epoch": trained.about["epoch"],
        "seconds": epochs[-1]["seconds"],
        "validation": trained.about["validation"],
        "where_superlative by epoch": [epoch["by_type"]["where_superlative"] for epoch in epochs],
    }
    for name, questions in asked.items():
        if not len(questions):
            continue
        batch = encode_questions(trained, questions)
        right, which = (predict(trained.model, batch) == batch.answers).numpy(), kinds(questions)
        by_kind = {each: right[which == each].mean() for each in KINDS if each in which}
        found[name] = {**by_kind, "bounds": right[which != "entity"].mean(), "all": right.mean()}
    return found


def train(name: str, folder: Path, wanted: str, seconds: float, settings: list[str]) -> None:
    """Trains a trial to the end, or for some time; the best model so far is kept in the folder."""
    experiment = Experiment.load(EXPERIMENT, [*TRIALS[name].settings, *settings])
    data = TrainingData.of(experiment, *TRIALS[name].examples(experiment))
    trainer = Trainer(experiment, data, device=choose_device(wanted), directory=folder)
    for _ in followed(trainer, name, seconds):
        pass


def main() -> None:
    """Trains what is missing, measures all trials, and writes what was found."""
    parser = trial_parser(__doc__, TRIALS)
    parser.add_argument(
        "--questions", type=int, default=20_000, help="new ones; as many that were trained on"
    )
    parser.add_argument("--note", default="", help="what readers of the result should know")
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    parser.add_argument("--out", type=Path, default=Path("results/where-superlative.json"))
    given = parser.parse_args()
    names = given.trial or list(TRIALS)
    missing = [name for name in names if not list(given.runs.glob(f"{name}-[0-9]"))]
    with ProcessPoolExecutor(given.processes, mp_context=multiprocessing.get_context("spawn")) as pool:
        waiting = [
            pool.submit(train, name, given.runs / f"{name}-0", given.device, given.seconds, given.set)
            for name in missing
        ]
        for run in waiting:
            run.result()
    trials: dict[str, Any] = {}
    for name in names:
        asked = TRIALS[name].asked(given.set, given.questions)
        runs = [measured(folder, asked) for folder in sorted(given.runs.glob(f"{name}-[0-9]"))]
        which = kinds(asked["new"])
        shares = {each: (which == each).mean() for each in KINDS}
        trials[name] = {"about": TRIALS[name].about, "shares of new questions": shares, "runs": runs}
        print(TRIALS[name].about, [run["new"] for run in runs], flush=True)
    content = {"command": "python -m benchmarks.where_superlative", "note": given.note, "trials": trials}
    write_text(given.out, json.dumps(content) + "\n")


if __name__ == "__main__":
    main()
