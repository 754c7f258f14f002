"""Whether training ever meets a logical form that is kept for validation or testing.

    python -m benchmarks.training_forms

Walks the training questions of every preset in experiments/ that draws the paper's tasks, epoch after epoch,
as training changes them (see `training/renaming.py`), writes each question's logical form, and asks the split
which part it belongs to. Presets with the same questions are walked together, as long as the longest of them;
where nothing is changed all epochs are alike, and one is walked. The order of the examples and the dropout
between them are left out, so that the draws are of the same kind as those of a run, but not the same numbers.
Writes results/training-forms.json, and ends with status 1 if a form was met that must not be.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from neural_enquirer.encoding.batch import Batch
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.programs.language import Cells
from neural_enquirer.programs.paper_parsing import parse_paper
from neural_enquirer.synthesis.examples import ExampleSet
from neural_enquirer.synthesis.olympics_sampler import OlympicSampler
from neural_enquirer.synthesis.splits import SPLITS, split_of
from neural_enquirer.synthesis.tasks import TASKS, generate
from neural_enquirer.training.data import TrainingData
from neural_enquirer.training.experiment import Experiment
from neural_enquirer.training.loop import choose_device, make_changes

EXPERIMENTS = Path(__file__).parents[1] / "experiments"
CHUNK = 5_000
"""Questions that are changed at a time."""


@dataclass(frozen=True)
class Stream:
    """What decides the training questions of a preset, but for how long they are seen.

    Attributes:
        task: which task, drawn from which seed, and how many examples.
        widening: whether tables get all fields.
        renaming: whether names change.
    """

    task: tuple[str, int, int]
    widening: bool
    renaming: bool

    @classmethod
    def of(cls, experiment: Experiment) -> "Stream":
        """Returns that of an experiment."""
        task, training = experiment.task, experiment.training
        examples = task.examples or TASKS[task.name].examples["train"]
        return cls((task.name, task.seed, examples), training.widening, training.renaming)


@dataclass(frozen=True)
class Walk:
    """What the training questions of some presets were.

    Attributes:
        presets: the experiments.
        epochs: how many were walked.
        questions: in all of them.
        forms: distinct logical forms among these, by the part that they belong to.
    """

    presets: tuple[str, ...]
    epochs: int
    questions: int
    forms: dict[str, int]

    @property
    def clean(self) -> bool:
        """Whether all of them are for training."""
        return set(self.forms) <= {"train"}


def presets(settings: Sequence[str] = ()) -> list[dict[str, Experiment]]:
    """Returns the experiments that draw one of the paper's tasks, those with the same questions together."""
    streams: dict[Stream, dict[str, Experiment]] = {}
    for path in sorted(EXPERIMENTS.glob("*.toml")):
        if Experiment.load(path).task.name in TASKS:
            experiment = Experiment.load(path, [*settings, "task.form=sql"])
            streams.setdefault(Stream.of(experiment), {})[path.stem] = experiment
    return list(streams.values())


def walk(chosen: dict[str, Experiment], *, seed: int = 0, device: str = "cpu") -> Walk:
    """Walks all epochs of presets with the same questions."""
    experiment = max(chosen.values(), key=lambda each: each.training.epochs)
    task, training, place = experiment.task, experiment.training, choose_device(device)
    train = generate(task.name, "train", seed=task.seed, examples=task.examples)
    data = TrainingData.of(experiment, train, train.select(slice(1)))
    changes = make_changes(training, data, place)
    epochs = training.epochs if changes else 1
    met: dict[bytes, Any] = {}
    for epoch in range(epochs):
        torch.manual_seed(seed * 1_000_003 + epoch)
        for batch in _chunks(data.train.to(place)):
            for change in changes:
                batch = change(batch)
            met |= {row.tobytes(): row for row in batch.words.cpu().numpy()}
    belongs = belonging(task.name)
    forms = Counter(belongs(form) for form in written(met.values(), train, data.vocabulary))
    counts = {str(part): count for part, count in forms.items()}
    return Walk(tuple(chosen), epochs, epochs * len(train), counts)


def _chunks(examples: Any) -> Iterator[Batch]:
    for start in range(0, len(examples), CHUNK):
        yield examples.select(slice(start, start + CHUNK))


def written(questions: Any, examples: ExampleSet, vocabulary: Vocabulary) -> Iterator[str]:
    """Writes questions in SQL-like words as the logical forms that the split is asked for."""
    spelled = {word.lower(): word for word in (*examples.field_names, *examples.words)}
    words = ["", "", *(spelled.get(word, word) for word in vocabulary.words)]
    for codes in questions:
        text = " ".join(words[code] for code in codes if code)
        text = text.replace(" ,", ",").replace("( ", "(").replace(" )", ")")
        yield text.replace("argmax (", "argmax(").replace("argmin (", "argmin(")


def belonging(task: str) -> Callable[[str], str | None]:
    """Returns what says which part a logical form of a task belongs to."""
    sampler = TASKS[task].samplers["train"]
    if not isinstance(sampler, OlympicSampler) or sampler.field_sets == OlympicSampler("train").field_sets:
        return split_of
    decide: Callable[[Cells], str | None] = sampler.split_of
    return lambda form: decide(parse_paper(form))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--set", action="append", default=[], help="section.key=value, for all presets")
    parser.add_argument("--out", type=Path, default=Path("results/training-forms.json"))
    arguments = parser.parse_args()
    about = {"command": "python -m benchmarks.training_forms", "seed": arguments.seed}
    walks: list[Walk] = []
    for chosen in presets(arguments.set):
        walks.append(found := walk(chosen, seed=arguments.seed, device=arguments.device))
        told = ", ".join(f"{found.forms.get(part, 0):,} of {part}" for part in SPLITS)
        epochs = f"{found.questions:,} questions of {found.epochs} epochs"
        print(f"{', '.join(found.presets)}: {epochs}, forms: {told}", flush=True)
        stored = {**about, "settings": arguments.set, "streams": [asdict(each) for each in walks]}
        arguments.out.write_text(json.dumps(stored, indent=2) + "\n")
    sys.exit(0 if all(found.clean for found in walks) else 1)


if __name__ == "__main__":
    main()
