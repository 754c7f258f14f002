"""`enquirer ask`: answers a question, or a file of them; `enquirer chat`: question after question."""

from pathlib import Path
from typing import Annotated, Any

import typer
import typer.core

from neural_enquirer.cli.options import Engine, Model


class AskCommand(typer.core.TyperCommand):
    """Lets the dialect behind --sql be left out, which Typer does not."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Puts DuckDB's where the word behind --sql is no name of a dialect, or begins the question."""
        neighbours = zip(["", *args], args, [*args[1:], ""], strict=False)
        told = [
            part
            for before, word, following in neighbours
            for part in ((word, "duckdb") if word == "--sql" and _leaves_out(before, following) else (word,))
        ]
        return super().parse_args(ctx, told)


def _leaves_out(before: str, following: str) -> bool:
    """Whether no dialect is named between two words of a command; behind a table a question may begin."""
    if not following.isalnum():
        return True
    from neural_enquirer.asking.sources import is_source
    from neural_enquirer.programs.sql import is_dialect

    return is_source(before) and not is_dialect(following)


def ask(
    table: Annotated[
        str,
        typer.Argument(
            metavar="TABLE...",
            help="CSV, TSV, JSON, JSONL, Parquet, Excel or OpenDocument (file.xlsx::sheet), SQLite or DuckDB "
            "(file.db::table); 'data/*.csv' reads files as one table, - standard input; "
            "postgresql://user@host/name::table. Several tables are asked together.",
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
        bool, typer.Option("--explain", help="Print how it was found, step by step; rows count from 1.")
    ] = False,
    sql: Annotated[
        str | None,
        typer.Option("--sql", metavar="[DIALECT]", help="Print the SQL: duckdb's, or sqlite, postgres, …"),
    ] = None,
    figure: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw how it was found: .png, .svg or .pdf.")
    ] = None,
    figure_width: Annotated[
        float | None, typer.Option(metavar="INCHES", help="For print, such as 3.3 for one column.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, an object a line.")] = False,
    steps: Annotated[bool, typer.Option(help="Whether the JSON tells the steps.")] = True,
    model: Model = "open",
    engine: Engine = "auto",
) -> None:
    """Answer a question about a table, or about several together."""
    from neural_enquirer.asking import command
    from neural_enquirer.asking.sources import split_sources

    request = command.Request(top, explain, sql, figure, figure_width, as_json, steps, engine)
    further, words = split_sources(question or ())
    if bool(words) == (questions is not None):
        raise typer.BadParameter("give one QUESTION, or --questions with a file of them")
    if words:
        command.ask_one(model, (table, *further), " ".join(words), request)
    else:
        command.ask_file(model, (table, *further), questions or "", request)


def chat(
    tables: Annotated[
        list[str], typer.Argument(metavar="TABLE...", help="Table files, as for enquirer ask.")
    ],
    model: Model = "open",
    engine: Engine = "auto",
) -> None:
    """Ask question after question about a table, or about several together, at a prompt."""
    from neural_enquirer.asking import command

    command.chat(model, tables, engine)
