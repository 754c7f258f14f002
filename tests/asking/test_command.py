"""`enquirer ask` and `enquirer chat`, with a model that needs no training."""

import io
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import Run, assert_one_line
from fake_predictor import FakePredictor
from neural_enquirer import Answer, Enquirer
from neural_enquirer.asking import terminal
from neural_enquirer.asking.cascade import Trace
from neural_enquirer.asking.explaining import explain

GAMES = "year,city,cost\n2000,Sydney,3800\n2004,Athens,9000\n2008,,6800\n"
PROGRAMS = {
    "how many games": "count(rows())",
    "cities in order of cost": "cells(city, largest(2, cost))",
    "which year was last": "cells(year, last())",
    "whose phone": "no_field",
}


@pytest.fixture(autouse=True)
def _fake_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Enquirer, "from_pretrained", lambda *_: Enquirer(FakePredictor(PROGRAMS)))


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.csv"
    path.write_text(GAMES)
    return path


def typed(monkeypatch: pytest.MonkeyPatch, text: str | bytes) -> None:
    content = text.encode() if isinstance(text, str) else text
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), encoding="utf-8"))


class TestAsk:
    def test_answer(self, enquirer: Run, games: Path) -> None:
        assert enquirer("ask", games, "which city") == (0, "Athens\nRead city in row 2. 91 % sure.\n", "")
        told = "3\nCounted all 3 rows. 80 % sure.\n"
        assert enquirer("ask", games, "how many games") == (0, told, "")

    def test_a_list_is_one_line(self, enquirer: Run, games: Path) -> None:
        lines = enquirer("ask", games, "cities in order of cost")[1].splitlines()
        assert (lines[0], len(lines)) == ("Athens", 2)

    @pytest.mark.parametrize(
        ("arguments", "sql"),
        [
            (["--sql"], "SELECT COUNT(*) FROM games"),
            (["--sql", "mysql"], "SELECT COUNT(*) FROM games"),
            (["--sql", "--top", "1"], "SELECT COUNT(*) FROM games"),
        ],
    )
    def test_sql(self, enquirer: Run, games: Path, arguments: list[str], sql: str) -> None:
        status, out, err = enquirer("ask", games, "how many games", *arguments)
        assert (status, err) == (0, "")
        assert out.splitlines()[-1] == sql

    def test_sql_may_stand_before_the_table_or_the_question(self, enquirer: Run, games: Path) -> None:
        assert enquirer("ask", "--sql", games, "how many games")[1].endswith("FROM games\n")
        assert enquirer("ask", games, "--sql", "how many games")[1].endswith("FROM games\n")
        assert enquirer("ask", games, "--sql", "how", "many", "games")[1].endswith("FROM games\n")

    def test_where_there_is_no_sql(self, enquirer: Run, games: Path) -> None:
        assert enquirer("ask", games, "which city", "--sql")[1].endswith("no program gives the answer\n")
        lines = enquirer("ask", games, "which year was last", "--sql", "postgres")[1].splitlines()
        assert lines[0] == "2008"
        assert "rows have no order in postgres" in lines[2]
        assert_one_line(enquirer("ask", games, "how many games", "--sql", "klingon"), "klingon")
        assert_one_line(enquirer("ask", "--sql", "klingon", games, "how many games"), "klingon")

    def test_json_has_the_sql_of_the_dialect(self, enquirer: Run, games: Path) -> None:
        out = enquirer("ask", games, "which year was last", "--json", "--sql", "sqlite")[1]
        assert "rowid" in json.loads(out)["sql"]

    def test_quotes_may_be_left_out(self, enquirer: Run, games: Path) -> None:
        assert json.loads(enquirer("ask", games, "which", "city", "--json")[1])["question"] == "which city"

    def test_not_in_the_table(self, enquirer: Run, games: Path) -> None:
        told = "The question does not seem to be about this table: its fields are year, city and cost."
        assert enquirer("ask", games, "who") == (0, f"no answer\n{told}\n", "")
        told = "The table has no field about “phone”: its fields are year, city and cost."
        assert enquirer("ask", games, "whose phone") == (0, f"no answer\n{told}\n", "")

    def test_unsure(self, enquirer: Run, games: Path) -> None:
        _, out, _ = enquirer("ask", games, "perhaps the city")
        assert out == ("Athens\nRead city in row 2. 41 % sure. Or no answer (10 %) or 2000 (1 %).\n")

    def test_json(self, enquirer: Run, games: Path) -> None:
        status, out, err = enquirer("ask", games, "which city", "--json", "--top", 2)
        assert (status, err, out.count("\n")) == (0, "", 1)
        content = json.loads(out)
        assert (content["answer"], content["row"], len(content["ranked"]), content["model"]) == (
            "Athens",
            1,
            2,
            "fake",
        )
        assert len(content["steps"]) == 3
        assert "steps" not in json.loads(enquirer("ask", games, "which city", "--json", "--no-steps")[1])

    def test_top(self, enquirer: Run, games: Path) -> None:
        _, out, _ = enquirer("ask", games, "which city", "--top", 3)
        assert out.isascii()
        assert "probability" in out
        assert "91.2%" not in out.splitlines()[0]
        assert len([line for line in out.splitlines() if "%" in line]) == 4

    def test_standard_input(self, enquirer: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        typed(monkeypatch, GAMES)
        assert enquirer("ask", "-", "which city")[1].startswith("Athens\n")

    @pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
    def test_figure(self, enquirer: Run, games: Path, tmp_path: Path, suffix: str) -> None:
        figure = tmp_path / f"why.{suffix}"
        assert enquirer("ask", games, "which city", "--figure", figure)[0] == 0
        assert figure.stat().st_size > 1000
        assert sorted(path.name for path in tmp_path.iterdir()) == ["games.csv", figure.name]

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ([], "give one QUESTION"),
            (["which city", "--questions", "x.jsonl"], "give one QUESTION"),
            (["  "], "no words"),
            (["which city", "--top", "0"], "not 0"),
            (["which city", "--top", "abc"], "enquirer: --top takes a whole number, such as 5\n"),
            (["which city", "--figure", "why.doc"], "why.doc: a figure's name ends in .png, .svg, .pdf"),
            (["which city", "--figure", "no/folder/why.png"], "is not a folder"),
            (["--questions", "none.jsonl"], "none.jsonl does not exist"),
            (["--questions", "none.jsonl", "--figure", "why.png"], "--figure is for one question"),
        ],
    )
    def test_bad_input(self, enquirer: Run, games: Path, arguments: list[str], message: str) -> None:
        assert_one_line(enquirer("ask", games, *arguments), message)

    def test_bad_tables(self, enquirer: Run, tmp_path: Path) -> None:
        assert_one_line(enquirer("ask", tmp_path / "none.csv", "which city"), "does not exist")
        (tmp_path / "empty.csv").write_text("city,year\n")
        assert_one_line(enquirer("ask", tmp_path / "empty.csv", "which city"), "empty.csv has no rows")

    def test_control_characters_do_not_reach_the_terminal(self, enquirer: Run, tmp_path: Path) -> None:
        (tmp_path / "a.json").write_text(json.dumps([{"a": "x\x1b[31m\u202e 🏅"}]))
        out = enquirer("ask", tmp_path / "a.json", "a", "--explain")[1]
        assert "\x1b" not in out
        assert out.startswith("x\\x1b[31m\\u202e 🏅\n")


class TestQuestions:
    def test_in_order_with_their_keys(self, enquirer: Run, games: Path, tmp_path: Path) -> None:
        lines = ['{"id": 7, "question": "city"}', "", '{"question": "the year", "tags": ["a"]}']
        (tmp_path / "q.jsonl").write_text("\n".join(lines))
        status, out, err = enquirer("ask", games, "--questions", tmp_path / "q.jsonl", "--json")
        first, second = map(json.loads, out.splitlines())
        assert (status, err) == (0, "")
        assert (first["id"], first["question"], first["answer"]) == (7, "city", "Athens")
        assert (second["tags"], second["answer"]) == (["a"], "2008")

    def test_for_people(self, enquirer: Run, games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        typed(monkeypatch, '{"question": "city"}\n{"question": "who"}\n')
        _, out, _ = enquirer("ask", games, "--questions", "-")
        assert out == "city -> Athens (91%)\nwho -> no answer (95%)\n"

    @pytest.mark.parametrize(
        "content",
        [
            "city\n\n the year \r\n",
            '\ufeff"city"\n{"question": "the year"}\n',
            '["city", {"question": "the year", "id": 7}]',
            '\n[\n  "city",\n  "the year"\n]\n',
        ],
    )
    def test_text_and_lists(self, enquirer: Run, games: Path, tmp_path: Path, content: str) -> None:
        (tmp_path / "questions").write_text(content)
        status, out, err = enquirer("ask", games, "--questions", tmp_path / "questions", "--json")
        answers = [json.loads(line) for line in out.splitlines()]
        assert (status, err) == (0, "")
        assert [(one["question"], one["answer"]) for one in answers] == [
            ("city", "Athens"),
            ("the year", "2008"),
        ]
        assert answers[1].get("id") == (7 if '"id"' in content else None)

    def test_text_may_begin_with_quotes(self, enquirer: Run, games: Path, tmp_path: Path) -> None:
        (tmp_path / "q.txt").write_text('"Athens" is in which year\nthe city\n')
        assert "2008" in enquirer("ask", games, "--questions", tmp_path / "q.txt")[1]

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ('["city",\n "year"', "line 2: not JSON, though it begins as a list"),
            ("[" * 100_000, "not JSON, though it begins as a list"),
            ('["city", 3]', "entry 2: no question"),
            ('["city", " "]', "entry 2: the question has no words"),
            ("city\n???\n", "line 2: the question has no words"),
        ],
    )
    def test_bad_text_and_lists(
        self, enquirer: Run, games: Path, tmp_path: Path, content: str, message: str
    ) -> None:
        (tmp_path / "questions").write_text(content)
        assert_one_line(enquirer("ask", games, "--questions", tmp_path / "questions"), message)

    @pytest.mark.filterwarnings("default")
    def test_keys_of_the_answer_win(self, enquirer: Run, games: Path, tmp_path: Path) -> None:
        (tmp_path / "q.jsonl").write_text('{"question": "city", "answer": "Rome"}\n')
        _, out, err = enquirer("ask", games, "--questions", tmp_path / "q.jsonl", "--json")
        assert json.loads(out)["answer"] == "Athens"
        assert "key 'answer' of their own" in err

    @pytest.mark.parametrize(
        ("line", "message"),
        [
            (b"{", "line 2: not JSON"),
            (b"[" * 100_000, "line 2: not JSON"),
            (b"[1]", "line 2: no question"),
            (b'{"query": "x"}', "line 2: no question"),
            (b'{"question": 3}', "line 2: no question"),
            (b'{"question": " "}', "line 2: the question has no words"),
            (b"\xff", "line 2: not UTF-8"),
        ],
    )
    def test_bad_line(self, enquirer: Run, games: Path, tmp_path: Path, line: bytes, message: str) -> None:
        (tmp_path / "q.jsonl").write_bytes(b'{"question": "city"}\n' + line + b'\n{"question": "city"}\n')
        outcome = enquirer("ask", games, "--questions", tmp_path / "q.jsonl", "--json")
        assert_one_line(outcome, message)
        assert outcome[1] == ""

    def test_both_from_standard_input(self, enquirer: Run) -> None:
        assert_one_line(enquirer("ask", "-", "--questions", "-"), "cannot both come")


class TestExplain:
    @staticmethod
    def asked(games: Path) -> tuple[Answer, Trace]:
        answer = Enquirer(FakePredictor()).ask(games, "which city")
        assert answer.trace is not None
        return answer, answer.trace

    @staticmethod
    def explained(answer: Answer) -> str:
        out = io.StringIO()
        explain(terminal.console(out), answer)
        return out.getvalue()

    def test_the_program_comes_before_the_cascade(self, enquirer: Run, games: Path) -> None:
        _, out, _ = enquirer("ask", games, "cities in order of cost", "--explain")
        lines = out.splitlines()
        assert lines[2:7] == [
            "1. Take the table: 3 rows.",
            "2. Keep the 2 with the largest cost: 2 rows.",
            "   row 2: city Athens, cost 9000",
            "   row 3: city -, cost 6800",
            "3. Read city.",
        ]
        assert lines[7] == "The cascade, which sees every cell, as a second opinion:"
        assert lines[-1].startswith("This points at ")

    def test_steps(self, enquirer: Run, games: Path) -> None:
        _, out, _ = enquirer("ask", games, "which city", "--explain")
        assert out.isascii()
        lines = out.splitlines()
        assert "Step 1 reads city (93%) and marks no row" in lines
        assert "Step 2 reads city (93%) and marks 1 of 3 rows:" in lines
        assert "Step 3 did the same again." in lines
        assert "Step 4 answers from city (96%)" in lines
        assert lines[-1] == "This points at city in row 2: Athens (91%)"
        assert lines[2].startswith("A mark, from 0 to 1, says")

    def test_spread_weights_and_a_second_field_are_said(self, games: Path) -> None:
        answer, trace = self.asked(games)
        trace.field_weights[0] = [0.15, 0.4, 0.15]
        trace.field_weights[1] = [0.29, 0.28, 0.28]
        assert trace.answer_weights is not None
        trace.answer_weights[:] = [0.1, 0.25, 0.65]
        out = self.explained(answer)
        assert "Step 1 reads city (40%) and a little of many fields and marks" in out
        assert "Step 2 reads no field in particular, most of all year (29%)" in out
        assert "Step 4 answers from cost (65%), next city (25%)\n" in out

    def test_known_rows_are_not_shown_again(self, games: Path) -> None:
        answer, trace = self.asked(games)
        trace.field_weights[2] = [0.35, 0.6, 0.05]
        trace.field_weights[1] = [0.3, 0.65, 0.05]
        trace.row_marks[2] = [0.2, 0.97, 0.2]
        assert "Step 3 reads city (60%) and year (35%) and marks the same row\n" in self.explained(answer)

    def test_long_and_wide_tables_are_abbreviated(self, enquirer: Run, tmp_path: Path) -> None:
        header = ",".join(f"field {i}" for i in range(500))
        row = ",".join("x" * 100 for _ in range(500))
        (tmp_path / "a.csv").write_text("\n".join([header, *[row] * 200]))
        _, out, _ = enquirer("ask", tmp_path / "a.csv", "field 499", "--explain")
        assert len(out) < 5000

    def test_colours_on_a_terminal_only(self, games: Path) -> None:
        code = (
            "from neural_enquirer import Enquirer; from neural_enquirer.asking.explaining import explain; "
            "from neural_enquirer.asking.terminal import console; from fake_predictor import FakePredictor; "
            f"explain(console(), Enquirer(FakePredictor()).ask({str(games)!r}, 'city'))"
        )
        ours, theirs = pty.openpty()
        paths = [str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
        environment = {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": os.pathsep.join(paths)}
        environment.pop("NO_COLOR", None)
        with subprocess.Popen([sys.executable, "-c", code], stdout=theirs, env=environment) as process:
            os.close(theirs)
            shown = b""
            try:
                while chunk := os.read(ours, 4096):
                    shown += chunk
            except OSError:  # how Linux says that the other end is closed
                pass
            os.close(ours)
        assert process.returncode == 0
        assert b"\x1b[" in shown
        assert "╭".encode() in shown


class TestChat:
    def chat(self, enquirer: Run, games: Path, monkeypatch: pytest.MonkeyPatch, text: str | bytes) -> str:
        typed(monkeypatch, text)
        status, out, err = enquirer("chat", games)
        assert (status, err) == (0, "")
        return out

    def test_questions(self, enquirer: Run, games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        out = self.chat(enquirer, games, monkeypatch, "the city\n\nthe year\n")
        assert out == "Athens\nRead city in row 2. 91 % sure.\n2008\nRead year in row 3. 91 % sure.\n"

    def test_commands(self, enquirer: Run, games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        out = self.chat(
            enquirer, games, monkeypatch, ":explain\ncity\n:explain\n:table\n:help\n:quit\nyear\n"
        )
        assert out.startswith("ask something first")
        assert "This points at city in row 2: Athens" in out
        assert "| number | text" in out
        assert out.endswith("leave (or: quit, exit, Ctrl-D)\n")

    @pytest.mark.parametrize("leave", ["exit", "Quit", ":q"])
    def test_commands_without_a_colon(
        self, enquirer: Run, games: Path, monkeypatch: pytest.MonkeyPatch, leave: str
    ) -> None:
        out = self.chat(enquirer, games, monkeypatch, f"city\nwhy\nWhy?\nhelp\n?\n{leave}\nyear\n")
        assert out.count("This points at city in row 2: Athens") == 2
        assert out.count("Ask in plain words, or type") == 2
        assert "2008\n" not in out
        assert "no answer" not in out

    def test_sql_and_slashes(self, enquirer: Run, games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        typed = "/sql\nhow many games\n:sql\n/sql postgres\n:sql klingon\n/quit\nyear\n"
        lines = self.chat(enquirer, games, monkeypatch, typed).splitlines()
        assert lines[0].startswith("ask something first")
        assert lines[1:5] == ["3", "Counted all 3 rows. 80 % sure.", *2 * ["SELECT COUNT(*) FROM games"]]
        assert "klingon" in lines[5]
        assert len(lines) == 6

    def test_bad_questions_are_survived(
        self, enquirer: Run, games: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        out = self.chat(enquirer, games, monkeypatch, b"???\n:nonsense\n\xff\xfe\0 x\ncity\n")
        assert "the question has no words" in out
        assert "there is no :nonsense; :help lists" in out
        assert out.endswith("Athens\nRead city in row 2. 91 % sure.\n")

    def test_table_from_standard_input(self, enquirer: Run) -> None:
        assert_one_line(enquirer("chat", "-"), "give the table as a file")
