"""`enquirer evaluate`: tests a model on questions that it has not seen."""

import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from neural_enquirer.cli.progress import progress

if TYPE_CHECKING:
    from neural_enquirer.baselines.loading import Trained
    from neural_enquirer.checkpoint import Checkpoint
    from neural_enquirer.open_evaluation import Example
    from neural_enquirer.synthesis.examples import ExampleSet

__all__ = ["evaluate"]


def evaluate(
    model: Annotated[
        str, typer.Argument(metavar="NAME_OR_DIR", help="A shipped model (enquirer models) or a folder.")
    ],
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            metavar="DIR",
            help="A data set of enquirer generate, or the files of WikiSQL or WikiTableQuestions.",
        ),
    ] = None,
    split: Annotated[
        str | None,
        typer.Option(
            metavar="SPLIT", help="Of WikiSQL or WikiTableQuestions: train, dev (as it is) or test."
        ),
    ] = None,
    task: Annotated[
        str | None, typer.Option(metavar="TASK", help="The task to draw questions from; the model's own.")
    ] = None,
    examples: Annotated[
        int | None, typer.Option(metavar="N", help="How many test questions; all of them.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Of the questions; 0.")] = None,
    device: Annotated[str, typer.Option(help="auto, cpu, cuda or cuda:1.")] = "auto",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Test a model on questions that it has not seen: the share of right answers."""
    from neural_enquirer.baselines import loading
    from neural_enquirer.checkpoint import Checkpoint
    from neural_enquirer.model.open_enquirer import OpenEnquirer
    from neural_enquirer.real_questions import is_real

    if data is not None and (task is not None or seed is not None):
        raise typer.BadParameter("--data goes without --task and --seed: a data set has its own")
    if examples is not None and examples < 1:
        raise typer.BadParameter(f"there must be 1 example or more, not {examples}")
    if data is not None and is_real(data):
        _evaluate_on_real(model, data, split or "dev", examples, as_json=as_json)
        return
    if split is not None:
        raise typer.BadParameter("--split goes with --data and a folder of WikiSQL or WikiTableQuestions")
    trained = loading.load(model)
    questions = _test_questions(trained.about, data, task, examples, seed)
    if isinstance(trained, Checkpoint) and isinstance(trained.model, OpenEnquirer):
        _evaluate_open(trained, model, questions, device, as_json=as_json)
    else:
        _evaluate_closed(trained, questions, device, as_json=as_json)


def _evaluate_closed(
    trained: "Trained", questions: "ExampleSet | Sequence[Example]", device: str, *, as_json: bool
) -> None:
    """Tests a model of the paper's closed vocabulary, or a baseline."""
    from neural_enquirer.baselines import systems
    from neural_enquirer.training.loop import choose_device

    if isinstance(questions, Sequence):
        raise typer.BadParameter("questions of the open task are for an open model; this one is not")
    target = choose_device(device)
    start = time.perf_counter()
    found = systems.accuracy_of(trained, questions, target)
    seconds = time.perf_counter() - start
    result = {"overall": found.overall, "by_type": found.by_type, "examples": found.examples}
    _show_accuracy(result | {"seconds": seconds}, as_json=as_json)


def _evaluate_open(
    trained: "Checkpoint",
    name: str,
    questions: "ExampleSet | Sequence[Example]",
    device: str,
    *,
    as_json: bool,
) -> None:
    """Tests a model that takes any tables, on questions of the open or of another task."""
    from neural_enquirer.open_evaluation import OpenAccuracy, answer_open, as_open
    from neural_enquirer.predictor import OpenPredictor
    from neural_enquirer.training.loop import choose_device

    if device != "auto" and choose_device(device).type != "cpu":
        raise typer.BadParameter("an open model is tested as it answers, on the CPU: leave out --device")
    asked = questions if isinstance(questions, Sequence) else as_open(questions)
    start = time.perf_counter()
    with progress("answering", len(asked)) as advance:
        found = OpenAccuracy.of(asked, answer_open(OpenPredictor(trained, name), asked, advance))
    _show_accuracy(found.to_json() | {"seconds": time.perf_counter() - start}, as_json=as_json)


def _show_accuracy(found: Mapping[str, Any], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(found))
        return
    for name, value in found["by_type"].items():
        print(f"{name:22}{value:8.2%}")
    for wording, own in found.get("by_wording", {}).items():
        print(f"{wording + ' wording':22}{own['overall']:8.2%}  of {own['examples']:,}")
    counted = f"of {found['examples']:,} questions in {found['seconds']:.1f} s"
    print(f"{'overall':22}{found['overall']:8.2%}  {counted}")


def _evaluate_on_real(model: str, data: Path, split: str, examples: int | None, *, as_json: bool) -> None:
    """Tests a model on questions that people typed."""
    from neural_enquirer.predictor import load_predictor
    from neural_enquirer.real_evaluation import RealAccuracy, answer_real
    from neural_enquirer.real_questions import read_real

    predictor = load_predictor(model)
    questions = read_real(data, split)[slice(examples)]
    start = time.perf_counter()
    with progress("answering", len(questions)) as advance:
        answers = answer_real(predictor, questions, advance)
    seconds = time.perf_counter() - start
    found = RealAccuracy.of(answers)
    if as_json:
        print(json.dumps(found.to_json() | {"seconds": seconds}))
        return
    for title, shares in found.breakdown.items():
        for name, share in shares.items():
            print(f"{title + ' ' + name:28}{share.accuracy:8.2%}  of {share.examples:,}")
    if found.one_cell_no_aggregation is not None:
        print(f"{'one cell, no aggregation':28}{found.one_cell_no_aggregation:8.2%}")
    print(f"{'one cell':28}{found.one_cell:8.2%}")
    print(f"{'overall':28}{found.overall:8.2%}  of {found.examples:,} questions in {seconds:.1f} s")


def _test_questions(
    about: Mapping[str, Any], data: Path | None, task: str | None, examples: int | None, seed: int | None
) -> "ExampleSet | Sequence[Example]":
    """The questions to test on: of a stored data set, of a named task, or of the task the model learned."""
    from neural_enquirer.synthesis import storage, tasks
    from neural_enquirer.synthesis.open import dataset, join_sampler
    from neural_enquirer.synthesis.open import storage as open_storage

    if data is not None:
        if _task_of(data) == dataset.TASK:
            return open_storage.read_open_dataset(data, "test")[:examples]
        return storage.read_dataset(data, "test").select(slice(examples))
    if task is None:
        learned = about.get("experiment", {}).get("task", {})
        if "name" not in learned:
            raise typer.BadParameter("the model does not say what it learned: give --task or --data")
        task, seed = learned["name"], learned.get("seed") if seed is None else seed
    if task == dataset.TASK:
        return dataset.generate("test", seed=seed or 0, examples=examples)
    if task == join_sampler.TASK:
        return join_sampler.generate_joins("test", seed=seed or 0, examples=examples)
    return tasks.generate(task, "test", seed=seed or 0, examples=examples)


def _task_of(data: Path) -> str | None:
    """The task of a stored data set, where it can be read; if not, reading the rest says why."""
    try:
        content = json.loads((data / "dataset.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return content.get("task") if isinstance(content, dict) else None
