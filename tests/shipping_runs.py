"""Tiny runs, and folders of questions about tables that are held out of training."""

import json
from pathlib import Path

import watched_models
from neural_enquirer.checkpoint import Checkpoint
from neural_enquirer.encoding.closed import vocabulary_of
from neural_enquirer.real_questions.everyday.keeping_out import tenths_of
from neural_enquirer.synthesis.tasks import generate
from neural_enquirer.training.experiment import Experiment
from neural_enquirer.training.loop import new_model

HELD_OUT = [name for name in (f"cities{i}.csv" for i in range(200)) if 0 in tenths_of([name])][:12]
OTHERS = [name for name in (f"cities{i}.csv" for i in range(200)) if 1 in tenths_of([name])][:6]
CITIES = "city,country,people\nAthens,Greece,3150\nPerth,Australia,2100\nSydney,Australia,5300\n"
QUESTIONS = (
    ("which city has the most people", [["Sydney"]]),
    ("cities in Australia", [["Perth", "Sydney"]]),
    ("how many cities are there", [["3"]]),
    ("who is the mayor of Athens", []),
)


def everyday(folder: Path, names: list[str]) -> Path:
    """The training part of everyday questions, the same about each table."""
    (folder / "tables").mkdir(parents=True)
    lines = []
    for name in names:
        (folder / "tables" / name).write_text(CITIES)
        for place, (question, answers) in enumerate(QUESTIONS):
            asked = {"id": f"{name}-{place}", "tables": [name], "question": question, "reason": None}
            found = {"kind": "list", "answers": answers, "sql": "SELECT"}
            nothing = {"kind": "unanswerable", "answers": [], "sql": None}
            lines.append(json.dumps(asked | (found if answers else nothing)))
    (folder / "questions.jsonl").write_text("\n".join(lines) + "\n")
    return folder


def open_run(folder: Path, tenth: int = 0) -> Path:
    """A run of the open experiment, with random weights."""
    experiment = {"task": {"name": "open", "tenth": tenth}}
    about = {"experiment": experiment, "seed": 3 + tenth, "validation": {"overall": 0.5}}
    Checkpoint(watched_models.open_model(), watched_models.VOCABULARY, "natural", about).save(folder)
    epochs = [
        {"epoch": i, "loss": 1.0, "overall": overall, "by_type": {}, "seconds": 10.0 * i}
        for i, overall in ((1, 0.4), (2, 0.5), (3, 0.3))
    ]
    progress = {"experiment": experiment, "seed": 3 + tenth, "epochs": epochs}
    (folder / "progress.json").write_text(json.dumps(progress))
    return folder


def closed_run(folder: Path, results: Path) -> Path:
    """A run of an Olympic experiment, with random weights, and the result of its test."""
    experiment = Experiment.from_dict({"model": {"state_size": 10}})
    vocabulary = vocabulary_of(generate("olympics-25k", "train", examples=30))
    about = {"experiment": experiment.to_dict(), "seed": 0, "validation": {"overall": 0.5}}
    Checkpoint(new_model(experiment, vocabulary, seed=0), vocabulary, "natural", about).save(folder)
    result = {"experiment": about["experiment"], "seed": 0, "test": {"overall": 0.25}}
    name, _, seed = folder.name.rpartition("-")
    (results / "runs" / name).mkdir(parents=True)
    (results / "runs" / name / f"{seed}.json").write_text(json.dumps(result))
    return folder
