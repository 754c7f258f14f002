"""Why names that training never saw cost the paper's model more on SELECT_WHERE here than in the paper.

    python -m benchmarks.unseen_names --processes 2

A look-up is a SELECT_WHERE question that names a city or a country: "How many people watched the game in
Macau?" Nothing in it says which of the two Macau is. Measured are the finished runs of
`experiments/olympics-100k-oov-n2n.toml`, and trials that learn look-ups alone and differ in little
each. Writes results/unseen-names.json. New names are made up, and have vectors as those of the test; the test
itself is only asked which of its questions are answered wrongly.
"""

import argparse
import json
import multiprocessing
import re
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch

from benchmarks.trials import followed
from neural_enquirer import checkpoint
from neural_enquirer.checkpoint import Checkpoint, write_text
from neural_enquirer.encoding.batch import Batch
from neural_enquirer.encoding.closed import encode
from neural_enquirer.encoding.words import entity_vectors
from neural_enquirer.model.enquirer import ModelConfig
from neural_enquirer.programs.paper import steps
from neural_enquirer.programs.paper_parsing import parse_paper
from neural_enquirer.reproduction.hardware import hardware
from neural_enquirer.synthesis.examples import PROGRAM_TYPES, ExampleSet, TableBlock
from neural_enquirer.synthesis.olympics import CITIES, COUNTRIES, NUMBERS, WORDS
from neural_enquirer.synthesis.olympics_sampler import OlympicSampler
from neural_enquirer.synthesis.tasks import generate
from neural_enquirer.training.accuracy import predict
from neural_enquirer.training.data import TrainingData, draw_examples
from neural_enquirer.training.experiment import Experiment
from neural_enquirer.training.loop import Trainer, choose_device

NAME: Final = "olympics-100k-oov-n2n"
EXPERIMENT: Final = Path(__file__).parents[1] / "experiments" / f"{NAME}.toml"
SELECT_WHERE: Final = PROGRAM_TYPES.index("select_where")
FIELDS: Final = ("host_city", "host_country")
KNOWN: Final = (CITIES, COUNTRIES)
NEW: Final = 100
"""Made-up names of a kind that a model is asked about, each over and over, as a city and as a country."""

Pools = tuple[Sequence[str], Sequence[str]]
"""Names of cities, and of countries."""


@dataclass(frozen=True)
class Trial:
    """What differs from the experiment, besides the questions.

    Attributes:
        about: what it is, for people.
        names: how many cities, and as many countries, training has.
        settings: `section.key=value`.
    """

    about: str
    names: int = len(CITIES)
    settings: tuple[str, ...] = ()

    @property
    def pools(self) -> Pools:
        """The names of training."""
        return KNOWN if self.names == len(CITIES) else made_up("trained", self.names)


TRIALS: Final = {
    "as-is": Trial("look-ups alone: 60 cities, 60 countries, as in the experiment"),
    "short": Trial("vectors of names half as long", settings=("training.entity_scale=0.5",)),
    "shorter": Trial("vectors of names 0.3 as long", settings=("training.entity_scale=0.3",)),
    "dropout": Trial("dropout 0.4 rather than 0.2", settings=("model.dropout=0.4",)),
    "renaming": Trial("renaming: names trade places all the time", settings=("training.renaming=true",)),
    "field-said": Trial("questions as SQL-like text, which names the field", settings=("task.form=sql",)),
    "120-names": Trial("120 cities, 120 countries", 120),
    "240-names": Trial("240 cities, 240 countries", 240),
    "960-names": Trial("960 cities, 960 countries", 960),
    "960-names-renaming": Trial("960 of each, renaming", 960, ("training.renaming=true",)),
}


def made_up(prefix: str, count: int) -> Pools:
    """Returns as many names of each kind, words that no question has."""
    cities, countries = (tuple(f"{prefix}_{kind}_{i}" for i in range(count)) for kind in ("city", "country"))
    return cities, countries


def renamed(asked: ExampleSet, pools: Pools, seed: int = 0) -> ExampleSet:
    """Gives each example names of its own, drawn from the pools; everything else stays."""
    rng = np.random.default_rng(seed)
    (block,) = asked.tables
    codes = np.tile(np.arange(len(WORDS), dtype=np.int16), (len(asked), 1))
    words: tuple[str, ...] = NUMBERS
    for names, pool in zip(KNOWN, pools, strict=True):
        first = WORDS.index(names[0])
        for own in codes:
            own[first : first + len(names)] = len(words) + rng.permutation(len(pool))[: len(names)]
        words = (*words, *pool)
    cells = np.take_along_axis(codes, block.cells.reshape(len(asked), -1), axis=1)
    of_name = {name: code for code, name in enumerate(WORDS) if code >= len(NUMBERS)}

    def rewritten(text: str, own: npt.NDArray[np.int16]) -> str:
        parts = re.split(r"\b", text)
        return "".join(words[own[of_name[part]]] if part in of_name else part for part in parts)

    return replace(
        asked,
        words=words,
        entity_words=frozenset(words[len(NUMBERS) :]),
        tables=(TableBlock(block.fields, cells.reshape(block.cells.shape)),),
        questions=list(map(rewritten, asked.questions, codes)),
        logical_forms=list(map(rewritten, asked.logical_forms, codes)),
    )


def conditions(asked: ExampleSet) -> npt.NDArray[np.str_]:
    """Returns the field that each question's condition is on."""
    return np.array([steps(parse_paper(form))[0] for form in asked.logical_forms])


def look_ups(split: str, drawn: int) -> ExampleSet:
    """Returns the look-ups among as many SELECT_WHERE questions."""
    asked = OlympicSampler(split).draw(np.random.default_rng(0), SELECT_WHERE, drawn)
    return asked.select(np.flatnonzero(np.isin(conditions(asked), FIELDS)))


def encoded(trained: Checkpoint, asked: ExampleSet) -> tuple[Checkpoint, Batch]:
    """Returns questions for a model, and the model with the names in them."""
    knowing = trained.knowing(asked.entity_words)
    return knowing, encode(asked, knowing.vocabulary, knowing.form)


def right(trained: Checkpoint, asked: ExampleSet) -> npt.NDArray[np.bool_]:
    """Returns which questions are answered rightly."""
    knowing, batch = encoded(trained, asked)
    found: npt.NDArray[np.bool_] = (predict(knowing.model, batch) == batch.answers).numpy()
    return found


def field_weights(trained: Checkpoint, asked: ExampleSet) -> dict[str, float]:
    """Returns how far some executor reads the field in which the name stands, and the other of the two."""
    knowing, batch = encoded(trained, asked)
    with torch.no_grad():
        weights = knowing.model(batch).table.field_weights
    codes = knowing.vocabulary.encode(FIELDS)
    city, country = (
        (weights * (batch.table.fields == code)[:, None]).sum(dim=2).amax(dim=1) for code in codes
    )
    is_city = torch.from_numpy(conditions(asked) == FIELDS[0])
    own, other = torch.where(is_city, city, country), torch.where(is_city, country, city)
    return {"its field": own.mean().item(), "the other field": other.mean().item()}


def by_name(trained: Checkpoint, asked: ExampleSet, times: int) -> dict[str, float]:
    """Asks about new names, each as a city and as a country: in which of these is it found mostly?

    Also returns how the shares of right answers differ from name to name, and with its vector's length.
    """
    cities, countries = made_up("new", NEW)
    place = {name: row for row, name in enumerate((*cities, *countries))}
    hits, count = np.zeros((2, len(place), 2))
    for seed in range(times):
        for pools in ((cities, countries), (countries, cities)):
            again = renamed(asked, pools, seed)
            rows = [place[form.rsplit(" ", 1)[1]] for form in again.logical_forms]
            columns = (conditions(again) == FIELDS[1]).astype(int)
            np.add.at(hits, (rows, columns), right(trained, again))
            np.add.at(count, (rows, columns), 1)
    lengths = np.linalg.norm(entity_vectors(list(place), ModelConfig().embedding_size), axis=1)
    often = (count > 0).all(axis=1)
    hits, count, longer = hits[often], count[often], (lengths > np.median(lengths))[often]
    found, share = hits / count > 0.5, hits.sum(axis=1) / count.sum(axis=1)
    least, middle, most = np.quantile(share, (0.1, 0.5, 0.9))
    return {
        "as both": found.all(axis=1).mean(),
        "as one": (found[:, 0] != found[:, 1]).mean(),
        "as neither": (~found).all(axis=1).mean(),
        "right, lowest tenth of names": least,
        "right, median name": middle,
        "right, highest tenth of names": most,
        "right, shorter vectors": share[~longer].mean(),
        "right, longer vectors": share[longer].mean(),
    }


def measured(trained: Checkpoint, pools: Pools, drawn: int, times: int = 2) -> dict[str, Any]:
    """Returns how a model answers look-ups about names of its training and about new ones."""
    asked = look_ups("validation", drawn)
    known = asked if pools is KNOWN else renamed(asked, pools, seed=1)
    new = renamed(asked, made_up("new", NEW), seed=1)
    return {
        "known": right(trained, known).mean(),
        "new": right(trained, new).mean(),
        "reads, known": field_weights(trained, known),
        "reads, new": field_weights(trained, new),
        "new names": by_name(trained, asked, times),
    }


def run_measured(folder: Path, drawn: int) -> dict[str, Any]:
    """Measures a finished run, and says which SELECT_WHERE questions of the test it answers wrongly."""
    torch.set_num_threads(1)
    trained = checkpoint.load(folder)
    test = generate("olympics-oov", "test")
    test = test.select(np.flatnonzero(test.types == SELECT_WHERE))
    found, named = right(trained, test), np.isin(conditions(test), FIELDS)
    shares = {
        "look-ups, share": named.mean(),
        "look-ups, right": found[named].mean(),
        "others, right": found[~named].mean(),
        "right": found.mean(),
    }
    return {"seed": trained.about["seed"], **measured(trained, KNOWN, drawn), "test": shares}


def trial_measured(
    name: str, seed: int, *, drawn: int, epochs: int, all_types: bool = False, device: str = "cpu"
) -> dict[str, Any]:
    """Trains a trial, on look-ups or on all types of questions, and measures what became of it."""
    torch.set_num_threads(1)
    trial = TRIALS[name]
    experiment = Experiment.load(EXPERIMENT, [*trial.settings, f"training.epochs={epochs}"])
    if all_types:
        train, validation = draw_examples(experiment.task)
    else:
        train, validation = look_ups("train", drawn), look_ups("validation", drawn // 10)
    if trial.pools is not KNOWN:
        train, validation = renamed(train, trial.pools), renamed(validation, trial.pools)
    data = TrainingData.of(experiment, train, validation)
    trainer = Trainer(experiment, data, seed=seed, device=choose_device(device))
    for _ in followed(trainer, f"{name}-{seed}"):
        pass
    with trainer.averaged():
        trainer.model.to("cpu")
        trained = trainer.checkpoint({"experiment": experiment.to_dict()})
        found = measured(trained, trial.pools, drawn)
    return {"seed": seed, "questions": len(train), "epochs": epochs, **found}


def main() -> None:
    """Measures finished runs and trials, and writes what was found after each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--trial", action="append", choices=TRIALS, help="all unless given")
    parser.add_argument("--processes", type=int, default=1, help="trials at once, each on one core")
    parser.add_argument("--seeds", type=int, default=2, help="of each trial")
    parser.add_argument("--questions", type=int, default=20_000, help="SELECT_WHERE to draw look-ups from")
    parser.add_argument("--epochs", type=int, default=25)
    parser.add_argument(
        "--all-types",
        action="store_true",
        help="learn from all of MIXTURED-100K, not look-ups: 100 epochs, a GPU",
    )
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--runs", type=Path, default=Path("runs"), help="where the finished runs are")
    parser.add_argument("--out", type=Path, default=Path("results/unseen-names.json"))
    given = parser.parse_args()
    names = given.trial or list(TRIALS)
    content: dict[str, Any] = {
        "command": "python -m benchmarks.unseen_names",
        "hardware": hardware(choose_device(given.device)),
        "runs": [
            run_measured(folder, given.questions) for folder in sorted(given.runs.glob(f"{NAME}-[0-9]"))
        ],
        "trials": {name: {"about": TRIALS[name].about, "runs": []} for name in names},
    }
    with ProcessPoolExecutor(given.processes, mp_context=multiprocessing.get_context("spawn")) as pool:
        train = partial(
            trial_measured,
            drawn=given.questions,
            epochs=given.epochs,
            all_types=given.all_types,
            device=given.device,
        )
        waiting = {pool.submit(train, name, seed): name for seed in range(given.seeds) for name in names}
        for done in as_completed(waiting):
            content["trials"][waiting[done]]["runs"].append(done.result())
            write_text(given.out, json.dumps(content, indent=1) + "\n")


if __name__ == "__main__":
    main()
