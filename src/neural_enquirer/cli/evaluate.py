"""`enquirer evaluate`: tests a model on questions that it has not seen."""

import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from neural_enquirer.asking.progress import progress

if TYPE_CHECKING:
    from neural_enquirer.evaluation.scoring import Answered
    from neural_enquirer.real_questions.sets import AskedQuestion
    from neural_enquirer.synthesis.examples import Example, ExampleSet

_SHARES = (
    ("one cell, no aggregation", "one_cell_no_aggregation"),
    ("one cell", "one_cell"),
    ("refused", "refused"),
    ("calibration error", "calibration_error"),
    ("90 % sure or more", "sure"),
    ("of these right", "right_when_sure"),
    ("wrong, 80 % sure or more", "wrong_and_sure"),
    ("among the candidates", "in_candidates"),
)
"""What people see of a score beside the accuracies, and its keys in JSON."""


def evaluate(
    model: Annotated[
        str, typer.Argument(metavar="NAME_OR_DIR", help="A shipped model (enquirer models) or a folder.")
    ],
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            metavar="DIR",
            help="A data set of enquirer generate, everyday questions, or the files of WikiSQL or "
            "WikiTableQuestions.",
        ),
    ] = None,
    split: Annotated[
        str | None,
        typer.Option(
            metavar="SPLIT",
            help="Of real questions: train, held_out (about training tables that nothing is learned from), "
            "dev (as it is) or test.",
        ),
    ] = None,
    task: Annotated[
        str | None, typer.Option(metavar="TASK", help="The task to draw questions from; the model's own.")
    ] = None,
    examples: Annotated[
        int | None,
        typer.Option("--examples", "--limit", metavar="N", help="How many test questions; all of them."),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Of the questions; 0.")] = None,
    by: Annotated[
        str,
        typer.Option(
            metavar="WAY",
            help="How an open model answers: judge (as it does), decoder (its likeliest program) or cascade "
            "(a cell).",
        ),
    ] = "judge",
    device: Annotated[str, typer.Option(help="auto, cpu, cuda or cuda:1.")] = "auto",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Test a model on questions that it has not seen: the share of right answers."""
    from neural_enquirer.checkpoint_files import kind_of, locate, read_config
    from neural_enquirer.evaluation import WAYS
    from neural_enquirer.real_questions.sets import is_set
    from neural_enquirer.systems import OPEN

    if data is not None and (task is not None or seed is not None):
        raise typer.BadParameter("--data goes without --task and --seed: a data set has its own")
    if examples is not None and examples < 1:
        raise typer.BadParameter(f"there must be 1 example or more, not {examples}")
    if by not in WAYS:
        raise typer.BadParameter(f"unknown way '{by}' to answer; the ways are {', '.join(WAYS)}")
    if data is not None and is_set(data):
        found = _on_real(model, data, split, examples, by)
    elif split is not None:
        raise typer.BadParameter("--split goes with --data and a folder of real questions")
    else:
        directory = locate(model)
        questions = _test_questions(read_config(directory)["about"], data, task, examples, seed)
        on_task = _on_open if kind_of(directory) == OPEN else _on_closed
        found = on_task(model, questions, by, device)
    show(found, as_json=as_json)


def _on_closed(
    model: str, questions: "ExampleSet | Sequence[Example]", by: str, device: str
) -> dict[str, Any]:
    """Tests a model of the paper's closed vocabulary, or a baseline; each has one way to answer."""
    from neural_enquirer.installed import check_installed

    if isinstance(questions, Sequence):
        raise typer.BadParameter("questions of the open task are for an open model; this one is not")
    check_installed("torch", "train", f"the model {model}")
    from neural_enquirer.evaluation.closed import score_on
    from neural_enquirer.training.loop import choose_device

    target = choose_device(device)
    start = time.perf_counter()
    found = score_on(model, questions, target).to_json()
    return found | {"seconds": time.perf_counter() - start}


def _on_open(model: str, questions: "ExampleSet | Sequence[Example]", by: str, device: str) -> dict[str, Any]:
    """Tests a model that takes any tables, on questions of the open or of another task."""
    from neural_enquirer.evaluation.templates import as_open, forms, score_templates, with_operations

    if device not in ("auto", "cpu"):
        raise typer.BadParameter("an open model is tested as it answers, on the CPU: leave out --device")
    drawn = with_operations(questions) if isinstance(questions, Sequence) else forms(as_open(questions))
    answered, seconds = _answered(model, [question.asked for question in drawn], by)
    return score_templates(drawn, answered) | {"seconds": seconds}


def _on_real(model: str, data: Path, split: str | None, examples: int | None, by: str) -> dict[str, Any]:
    """Tests a model on questions that people typed."""
    from neural_enquirer.checkpoint_files import locate, tenth_held_out
    from neural_enquirer.evaluation.breakdown import breakdown
    from neural_enquirer.evaluation.scoring import Score
    from neural_enquirer.real_questions.sets import read_set

    questions = read_set(data, split, tenth_held_out(locate(model)))
    answered, seconds = _answered(model, questions[:examples], by)
    aspects = {
        aspect: {name: vars(share) for name, share in shares.items()}
        for aspect, shares in breakdown(answered).items()
        if shares
    }
    return Score.of(answered).to_json() | ({"breakdown": aspects} if aspects else {}) | {"seconds": seconds}


def _answered(model: str, questions: "Sequence[AskedQuestion]", by: str) -> "tuple[list[Answered], float]":
    """What a model answers, and in how many seconds."""
    from neural_enquirer.evaluation import Answered, answer_all, load_answerer

    answer = load_answerer(model, by)
    start = time.perf_counter()
    with progress("answering", len(questions)) as advance:
        responses = answer_all(answer, questions, advance)
    seconds = time.perf_counter() - start
    return list(map(Answered, questions, responses)), seconds


def show(found: Mapping[str, Any], *, as_json: bool) -> None:
    """Prints the figures of a score."""
    if as_json:
        print(json.dumps(found))
        return
    counts = found.get("examples_by_type", {})
    for name, value in found["by_type"].items():
        print(f"{name:28}{value:8.2%}" + (f"  of {counts[name]:,}" if name in counts else ""))
    for wording, own in found.get("by_wording", {}).items():
        print(f"{wording + ' wording':28}{own['overall']:8.2%}  of {own['examples']:,}")
    for aspect, shares in found.get("breakdown", {}).items():
        for name, share in shares.items():
            print(f"{aspect + ' ' + name:28}{share['accuracy']:8.2%}  of {share['examples']:,}")
    for title, key in _SHARES:
        if key in found:
            print(f"{title:28}{found[key]:8.2%}")
    seconds = f" in {found['seconds']:.1f} s" if "seconds" in found else ""
    print(f"{'overall':28}{found['overall']:8.2%}  of {found['examples']:,} questions{seconds}")


def _test_questions(
    about: Mapping[str, Any], data: Path | None, task: str | None, examples: int | None, seed: int | None
) -> "ExampleSet | Sequence[Example]":
    """The questions to test on: of a stored data set, of a named task, or of the task the model learned."""
    from neural_enquirer.synthesis import storage, tasks
    from neural_enquirer.synthesis.open.join_sampler import TWO_TABLES
    from neural_enquirer.synthesis.open.sampler import ONE_TABLE

    if data is not None:
        if _task_of(data) == ONE_TABLE.name:
            return storage.read_open_dataset(data, "test")[:examples]
        return storage.read_dataset(data, "test").select(slice(examples))
    if task is None:
        learned = about.get("experiment", {}).get("task", {})
        if "name" not in learned:
            raise typer.BadParameter("the model does not say what it learned: give --task or --data")
        task, seed = learned["name"], learned.get("seed") if seed is None else seed
    for open_task in (ONE_TABLE, TWO_TABLES):
        if task == open_task.name:
            return open_task.generate("test", seed=seed or 0, examples=examples)
    return tasks.generate(task, "test", seed=seed or 0, examples=examples)


def _task_of(data: Path) -> str | None:
    """The task of a stored data set, where it can be read; if not, reading the rest says why."""
    try:
        content = json.loads((data / "dataset.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return content.get("task") if isinstance(content, dict) else None
