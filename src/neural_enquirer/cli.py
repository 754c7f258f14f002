"""The command line: `enquirer`.

Heavy imports stand inside the commands, so that `enquirer --help` answers at once.
"""

import contextlib
import importlib.metadata
import json
import re
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TextIO

import typer

from neural_enquirer.real_questions.everyday import commands as everyday_commands

if TYPE_CHECKING:
    from neural_enquirer.baselines.loading import Trained
    from neural_enquirer.checkpoint import Checkpoint
    from neural_enquirer.synthesis.examples import ExampleSet
    from neural_enquirer.synthesis.open.examples import OpenExample

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
app.add_typer(everyday_commands.app, name="everyday")

_OPEN_MULTI = "open-multi"
"""The task of open questions about several tables."""
_MODEL = Annotated[
    str, typer.Option("--model", metavar="NAME_OR_DIR", help="A shipped model (enquirer models) or a folder.")
]

# Versions of Typer say in different words that an option's value is no number.
_NO_NUMBER = re.compile(r"for '?(?P<option>--[\w-]+)\b.* valid (?P<kind>int|float|number)")

# A data set cut down by --examples keeps enough questions of every type to be worth checking.
_FEWEST_EXAMPLES = 20


def main() -> NoReturn:
    """Runs the command; what people can put right comes as one line, with exit status 2."""
    warnings.showwarning = _show_warning
    try:
        status = app(prog_name="enquirer", standalone_mode=False)
    except typer.Abort:  # Ctrl-C, in some versions of Typer; others hand over the same status themselves
        status = 130
    except Exception as error:
        message = _expected(error)
        if message is None:
            raise
        print(f"enquirer: {message}", file=sys.stderr)
        status = 2
    sys.exit(status)


def _expected(error: Exception) -> str | None:
    """The line to show for an error that is the user's to put right; None for a fault of the program.

    Modules of this package raise their own kinds of ValueError for people to read. A bare ValueError is a
    fault, whose traceback is wanted.
    """
    if hasattr(error, "format_message"):  # wrong usage; Typer's kind of error depends on its version
        if wrong := _NO_NUMBER.search(error.format_message()):
            return f"{wrong['option']} takes a {'whole ' * (wrong['kind'] == 'int')}number, such as 5"
        return f"{error.format_message()} (see enquirer --help)".replace("\n", " ")
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        return place + (error.strerror or str(error)).replace("\n", " ")
    if isinstance(error, ValueError) and type(error).__module__.startswith("neural_enquirer."):
        return str(error).replace("\n", " ")
    return None


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """One line without the place in the code, which says nothing to people who ask questions."""
    print(f"enquirer: warning: {message}", file=file or sys.stderr)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"enquirer {importlib.metadata.version('neural-enquirer')}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def enquirer(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Ask a table a question in plain words."""
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command()
def ask(
    table: Annotated[
        str,
        typer.Argument(
            metavar="TABLE...",
            help="CSV, TSV, JSON, JSONL, Parquet, Excel or OpenDocument (file.xlsx::sheet), SQLite or DuckDB "
            "(file.db::table); 'data/*.csv' reads files as one table, - standard input. Several tables are "
            "asked together.",
        ),
    ],
    question: Annotated[
        list[str] | None, typer.Argument(metavar="QUESTION", help="In plain words; quotes may be left out.")
    ] = None,
    questions: Annotated[
        str | None,
        typer.Option(
            "--questions",
            metavar="FILE",
            help='Many questions: one a line, as text or as {"question": "…"}, or a JSON list.',
        ),
    ] = None,
    top: Annotated[int | None, typer.Option(metavar="N", help="List the N most probable answers.")] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Print the steps that led to it; rows count from 1.")
    ] = False,
    figure: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the steps: .png, .svg or .pdf.")
    ] = None,
    figure_width: Annotated[
        float | None, typer.Option(metavar="INCHES", help="For print, such as 3.3 for one column.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, an object a line.")] = False,
    steps: Annotated[bool, typer.Option(help="Whether the JSON tells the steps.")] = True,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            metavar="NAME_OR_DIR",
            help="A shipped model (enquirer models) or a folder; otherwise open for one table, open-multi "
            "for several.",
        ),
    ] = None,
) -> None:
    """Answer a question about a table, or about several together."""
    from neural_enquirer import asking

    request = asking.Request(
        top=top, explain=explain, figure=figure, figure_width=figure_width, as_json=as_json, steps=steps
    )
    further, words = asking.split_sources(question or ())
    if bool(words) == (questions is not None):
        raise typer.BadParameter("give one QUESTION, or --questions with a file of them")
    if words:
        asking.ask_one(model, (table, *further), " ".join(words), request)
    else:
        asking.ask_file(model, (table, *further), questions or "", request)


@app.command()
def chat(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="A table file, as for enquirer ask.")],
    model: _MODEL = "open",
) -> None:
    """Ask question after question about a table, at a prompt."""
    from neural_enquirer import asking

    asking.chat(model, table)


@app.command()
def serve(
    tables: Annotated[
        list[str] | None, typer.Argument(metavar="[TABLE]...", help="Table files to offer on the page.")
    ] = None,
    host: Annotated[str, typer.Option(help="Where to listen; 0.0.0.0 lets others in.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="0 takes one that is free.")] = 8000,
    model: _MODEL = "open",
    open_page: Annotated[
        bool | None, typer.Option("--open/--no-open", help="Whether to open it in the browser.")
    ] = None,
) -> None:
    """Serve the page where people ask their table."""
    from neural_enquirer.web import serving

    serving.serve(tables or (), model, serving.Address(host, port), open_page)


@app.command()
def generate(
    task: Annotated[
        str, typer.Argument(metavar="TASK", help="Which data set, such as olympics-25k or open.")
    ],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="A folder that does not exist yet.")],
    seed: Annotated[int, typer.Option(help="The same seed gives the same bytes.")] = 0,
    examples: Annotated[
        int | None,
        typer.Option(metavar="N", help="Training examples; validation and test shrink or grow alike."),
    ] = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="Check every answer against DuckDB running its SQL.")
    ] = False,
) -> None:
    """Write a data set: Parquet files for train, validation and test, and dataset.json."""
    from neural_enquirer.synthesis import tasks
    from neural_enquirer.synthesis.open import dataset
    from neural_enquirer.whole_folder import whole_folder

    known = (*tasks.TASKS, dataset.TASK)
    if task not in known:
        raise tasks.TaskError(f"unknown task '{task}'; the tasks are {', '.join(known)}")
    write = _write_open if task == dataset.TASK else _write_olympic
    sizes = _sizes(dataset.SIZES if task == dataset.TASK else tasks.TASKS[task].examples, examples)
    with whole_folder(out) as folder:
        write(folder, task, seed, sizes, verify)
    counts = ", ".join(f"{count:,} {split}" for split, count in sizes.items())
    print(f"{out}: {counts} examples{', every answer verified' if verify else ''}")


def _write_olympic(folder: Path, task: str, seed: int, sizes: Mapping[str, int], verify: bool) -> None:
    from neural_enquirer.synthesis import storage, tasks, verification

    with _progress("generating", sum(sizes.values())) as advance:
        splits = {
            split: tasks.generate(task, split, seed=seed, examples=count, progress=advance)
            for split, count in sizes.items()
        }
    if verify:
        with _progress("verifying", sum(sizes.values())) as advance:
            for split in splits.values():
                verification.verify(split, progress=advance)
    storage.write_dataset(folder, task, seed, splits)


def _write_open(folder: Path, task: str, seed: int, sizes: Mapping[str, int], verify: bool) -> None:
    from neural_enquirer.synthesis.open import dataset, storage, verification

    with _progress("generating", sum(sizes.values())) as advance:
        splits = {
            split: dataset.generate(split, seed=seed, examples=count, progress=advance)
            for split, count in sizes.items()
        }
    if verify:
        with _progress("verifying", sum(sizes.values())) as advance:
            for split in splits.values():
                verification.verify_open(split, progress=advance)
    storage.write_open_dataset(folder, seed, splits)


def _sizes(sizes: Mapping[str, int], examples: int | None) -> dict[str, int]:
    """The size of each split, scaled to as many training examples as are wanted."""
    if examples is None:
        return dict(sizes)
    if examples < 1:
        raise typer.BadParameter(f"there must be 1 example or more, not {examples}")
    scaled = {
        split: max(_FEWEST_EXAMPLES, round(size * examples / sizes["train"])) for split, size in sizes.items()
    }
    return scaled | {"train": examples}


@app.command()
def train(
    experiment: Annotated[
        Path, typer.Argument(metavar="EXPERIMENT.toml", help="What is learned and how: experiments/*.toml.")
    ],
    out: Annotated[
        Path,
        typer.Option("--out", metavar="DIR", help="Where the model goes: a folder that is empty or new."),
    ],
    data: Annotated[
        list[Path] | None,
        typer.Option(
            "--data", metavar="DIR", help="The files of WikiSQL or WikiTableQuestions, to learn from as well."
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Overrides the file, such as training.epochs=3."),
    ] = None,
    device: Annotated[str, typer.Option(help="auto, cpu, cuda or cuda:1.")] = "auto",
    seed: Annotated[int, typer.Option(help="The same seed gives the same model on the same machine.")] = 0,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on after the last whole epoch of the run in DIR.")
    ] = False,
    start: Annotated[
        str | None,
        typer.Option(
            "--start", metavar="NAME_OR_DIR", help="An open model whose weights to begin with, such as open."
        ),
    ] = None,
) -> None:
    """Train a model; the best on the validation examples is kept."""
    from neural_enquirer import checkpoint
    from neural_enquirer.baselines import systems
    from neural_enquirer.training import display, loop, state
    from neural_enquirer.training.experiment import Experiment

    chosen = Experiment.load(experiment, settings or ())
    state.check_directory(out, resume=resume)
    target = loop.choose_device(device)
    with loop.start_processes(target):
        trainer = systems.make_trainer(
            chosen,
            seed=seed,
            device=target,
            directory=out,
            resume=resume,
            real=tuple(data or ()),
            start=checkpoint.load(start) if start is not None else None,
        )
        display.run_and_show(trainer)
        if trainer.rank == 0:
            best = max(trainer.progress.epochs, key=lambda report: report.overall)
            print(f"{out}: accuracy {best.overall:.4f} on validation, after epoch {best.epoch}")


@app.command()
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
    learned = trained.about.get("experiment", {}).get("task", {}).get("name")
    if data is None and (task or learned) == _OPEN_MULTI:
        _evaluate_open_multi(model, examples, seed or 0, as_json=as_json)
        return
    questions = _test_questions(trained.about, data, task, examples, seed)
    if isinstance(trained, Checkpoint) and isinstance(trained.model, OpenEnquirer):
        _evaluate_open(trained, model, questions, device, as_json=as_json)
    else:
        _evaluate_closed(trained, questions, device, as_json=as_json)


def _evaluate_closed(
    trained: "Trained", questions: "ExampleSet | list[OpenExample]", device: str, *, as_json: bool
) -> None:
    """Tests a model of the paper's closed vocabulary, or a baseline."""
    from neural_enquirer.baselines import systems
    from neural_enquirer.training.loop import choose_device

    if isinstance(questions, list):
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
    questions: "ExampleSet | list[OpenExample]",
    device: str,
    *,
    as_json: bool,
) -> None:
    """Tests a model that takes any table, on questions of the open or of another task."""
    from neural_enquirer.open_evaluation import OpenAccuracy, answer_open, as_open
    from neural_enquirer.prediction import OpenPredictor
    from neural_enquirer.training.loop import choose_device

    if device != "auto" and choose_device(device).type != "cpu":
        raise typer.BadParameter("an open model is tested as it answers, on the CPU: leave out --device")
    asked = questions if isinstance(questions, list) else as_open(questions)
    start = time.perf_counter()
    with _progress("answering", len(asked)) as advance:
        found = OpenAccuracy.of(asked, answer_open(OpenPredictor(trained, name), asked, advance))
    _show_accuracy(found.to_json() | {"seconds": time.perf_counter() - start}, as_json=as_json)


def _evaluate_open_multi(model: str, examples: int | None, seed: int, *, as_json: bool) -> None:
    """Tests a model that takes any tables, on questions about two of them, most of which need both."""
    from neural_enquirer.open_evaluation import OpenAccuracy, answer_several
    from neural_enquirer.prediction import load_predictor
    from neural_enquirer.several_predictor import OpenSeveralPredictor
    from neural_enquirer.synthesis.open.join_sampler import generate_joins

    predictor = load_predictor(model)
    if not isinstance(predictor, OpenSeveralPredictor):
        raise typer.BadParameter(f"questions of {_OPEN_MULTI} are for an open model of several tables")
    asked = generate_joins("test", seed=seed, examples=examples)
    start = time.perf_counter()
    with _progress("answering", len(asked)) as advance:
        found = OpenAccuracy.of(asked, answer_several(predictor, asked, advance))
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
    from neural_enquirer.prediction import load_predictor
    from neural_enquirer.real_evaluation import RealAccuracy, answer_real
    from neural_enquirer.real_questions import read_real

    predictor = load_predictor(model)
    questions = read_real(data, split)[slice(examples)]
    start = time.perf_counter()
    with _progress("answering", len(questions)) as advance:
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
) -> "ExampleSet | list[OpenExample]":
    """The questions to test on: of a stored data set, of a named task, or of the task the model learned."""
    from neural_enquirer.synthesis import storage, tasks
    from neural_enquirer.synthesis.open import dataset
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
    return tasks.generate(task, "test", seed=seed or 0, examples=examples)


def _task_of(data: Path) -> str | None:
    """The task of a stored data set, where it can be read; if not, reading the rest says why."""
    try:
        content = json.loads((data / "dataset.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return content.get("task") if isinstance(content, dict) else None


@app.command()
def reproduce(
    part: Annotated[
        str,
        typer.Argument(
            metavar="[PART]", help="table2, oov, large-kb, two-tables, figures, efficiency or all."
        ),
    ] = "all",
    seeds: Annotated[
        int | None,
        typer.Option(metavar="N", help="Runs of every experiment, seeds 0 to N - 1; 3, with --quick 1."),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="All of it at a tiny size, to see it work, into results-quick.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Where results are and go; results.")
    ] = None,
    device: Annotated[str, typer.Option(help="auto, cpu, cuda or cuda:1.")] = "auto",
    workers: Annotated[
        int | None, typer.Option(metavar="N", help="Runs at a time; one on a CPU, four on a GPU.")
    ] = None,
) -> None:
    """Make the paper's tables and figures again; what is there already is kept."""
    from neural_enquirer.reproduction import reproduce

    reproduce.reproduce(reproduce.Request(part, seeds, quick, out, device, workers))


@app.command()
def models(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List the models that come with the program."""
    from neural_enquirer import checkpoint

    rows = checkpoint.describe_shipped()
    if as_json:
        print(json.dumps(rows))
        return
    for row in rows:
        accuracy = "" if row["accuracy"] is None else f"{row['accuracy']:.2%} of {row['accuracy_of']}"
        print(f"{row['name']:20} {row['task']:20} {row['bytes'] / 1e6:6.1f} MB  {accuracy}".rstrip())
    if not rows:
        print("no model comes with this version; train one with: enquirer train")


@contextlib.contextmanager
def _progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """A progress bar on a terminal, and nothing where the output goes to a file."""
    if not sys.stderr.isatty():
        yield lambda _done: None
        return
    import rich.console
    import rich.progress

    console = rich.console.Console(stderr=True)
    with rich.progress.Progress(
        *rich.progress.Progress.get_default_columns(), console=console, transient=True
    ) as bar:
        job = bar.add_task(what, total=total)
        yield lambda done: bar.advance(job, done)


if __name__ == "__main__":
    main()
