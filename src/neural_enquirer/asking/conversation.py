"""A prompt that takes question after question about one table or several, and corrections of the answers."""

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence

from neural_enquirer.asking import terminal
from neural_enquirer.asking.answer import Answer
from neural_enquirer.asking.candidate import Candidate
from neural_enquirer.asking.enquirer import Enquirer
from neural_enquirer.asking.explaining import explain
from neural_enquirer.asking.progress import waiting
from neural_enquirer.asking.questions import QuestionError
from neural_enquirer.learning import corrections
from neural_enquirer.learning.corrections import Correction, CorrectionError, references
from neural_enquirer.programs.text import to_text
from neural_enquirer.tables import Table, TableError

_PROMPT = "? "
_HELP = """A question may lean on the last one: and in 2004? how many is that? list them
Ask in plain words, or type (with : or /)
  :explain        how the last answer was found (or: why)
  :sql [DIALECT]  the SQL of the last answer, such as :sql postgres
  :table          the first rows of each table
  :wrong          the last answer is wrong: lists what else the question may mean
  :wrong 2        the second of these is right; :wrong none: nothing answers; :wrong = 12: 12 is the answer
  :help           this list (or: help, ?)
  :quit           leave (or: quit, exit, Ctrl-D)"""
_DIALECT = "duckdb"
# What people type without the colon; as questions, these lines would have no sense.
_PLAIN_COMMANDS = {
    **dict.fromkeys(("help", "?"), ":help"),
    **dict.fromkeys(("why", "why?", "explain"), ":explain"),
    **dict.fromkeys(("quit", "exit", ":q", ":exit", "/q", "/exit"), ":quit"),
}
_NOTHING = frozenset({"none", "no answer", "nothing"})


class Conversation:
    """Questions about the same tables, answered as they come."""

    def __init__(self, enquirer: Enquirer, tables: tuple[Table, ...], out: terminal.Out) -> None:
        self._enquirer = enquirer
        self._tables = tables
        self._out = out
        self._last: Answer | None = None
        self._commands: dict[str, Callable[[str], None]] = {
            ":explain": lambda _: self._of_last(lambda answer: explain(out, answer)),
            ":sql": lambda dialect: self._of_last(
                lambda answer: terminal.show_sql(out, answer, dialect or _DIALECT)
            ),
            ":table": lambda _: terminal.show_tables(out, tables),
            ":wrong": lambda said: self._of_last(lambda answer: self._correct(answer, said)),
            ":help": lambda _: print(_HELP, file=out.file),
        }

    def run(self) -> None:
        """Goes on until `:quit` or the end of the input."""
        if sys.stdin.isatty():
            terminal.greet(self._out, self._tables)
        for typed in _lines():
            line = _PLAIN_COMMANDS.get(typed.casefold(), _with_colon(typed))
            if line == ":quit":
                return
            if line:
                self.say(line)

    def say(self, line: str) -> None:
        """Answers a question or obeys a command; a bad one is told and forgotten."""
        if line.startswith(":"):
            name, _, rest = line.partition(" ")
            command = self._commands.get(name)
            if command is None:
                self._tell(f"there is no {name}; :help lists what there is")
            else:
                command(rest.strip())
            return
        try:
            with waiting("asking"):
                self._last = self._enquirer.ask(self._tables, line, after=self._last)
        except (QuestionError, TableError) as error:
            self._tell(str(error))
            return
        terminal.show_reading(self._out, self._last)
        terminal.show_answer(self._out, self._last)

    def _of_last(self, show: Callable[[Answer], None]) -> None:
        if self._last is None:
            self._tell("ask something first; then there is an answer to show more of")
        else:
            show(self._last)

    def _correct(self, answer: Answer, said: str) -> None:
        """Lists what else was considered, or keeps what is right."""
        if not said:
            terminal.show_readings(self._out, other_readings(answer))
            return
        path = corrections.default_path()
        try:
            count = corrections.append(path, correction_of(answer, self._tables, said))
        except (CorrectionError, OSError) as error:
            self._tell(str(error))
            return
        self._tell(
            f"kept in {path}, which has {count:,} now; enquirer learn makes a model that learns from it"
        )

    def _tell(self, message: str) -> None:
        terminal.show_message(self._out, message)


def _with_colon(line: str) -> str:
    """A command that begins with a slash, as many other programs have them, with a colon instead."""
    return f":{line[1:]}" if line.startswith("/") else line


def _lines() -> Iterator[str]:
    """What is typed, line by line; with a prompt and a history only where a person types it."""
    if not sys.stdin.isatty():
        if hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(errors="replace")
        yield from (line.strip() for line in sys.stdin)
        return
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  # input() then lets lines be edited and called back
    while True:
        try:
            yield input(_PROMPT).strip()
        except KeyboardInterrupt:  # gives up the line, not the conversation
            print()
        except EOFError:
            print()
            return


def other_readings(answer: Answer) -> list[Candidate]:
    """What else the question may mean: the candidates behind the answer that have a program."""
    return [one for one in answer.ranked[1:] if one.program is not None and one.text is not None]


def correction_of(answer: Answer, tables: Sequence[Table], said: str) -> Correction:
    """What somebody says is right.

    Args:
        answer: the answer that is wrong.
        tables: what was asked.
        said: the number of another reading, from 1; `none` where nothing answers; else the right answer,
            after a sign of equality where it is a number; semicolons part several values.

    Raises:
        CorrectionError: if there is no such reading.
    """
    asked = answer.question, references(tables)
    if said.casefold() in _NOTHING:
        return Correction(*asked, refuse=True)
    if said.isdecimal():
        return Correction(*asked, program=_reading(answer, int(said)))
    values = [one.strip() for one in said.removeprefix("=").split(";")]
    return Correction(*asked, answers=tuple(one for one in values if one))


def _reading(answer: Answer, number: int) -> str:
    readings = other_readings(answer)
    if not 1 <= number <= len(readings):
        count = f"there are {len(readings)}" if readings else "there is none"
        raise CorrectionError(f"no other reading has the number {number}: {count}; an answer is “= {number}”")
    program = readings[number - 1].program
    assert program is not None
    return to_text(program)
