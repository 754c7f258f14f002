"""Whatever is fed to it, the answer is an answer or one clear line: never a traceback, never a flood."""

import contextlib
import datetime
import io
import json
import os
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from command_line import Run
from fake_predictor import FakePredictor
from neural_enquirer import Answer, Enquirer

pytestmark = pytest.mark.filterwarnings("ignore::neural_enquirer.tables.TableWarning")

MODELS = ["fake", "random"]
WORDS = ("which", "what", "is", "the", "most", "has", "first", "before", "more", "than")


def loaded(name: str) -> Enquirer:
    """A model that does nothing with tables and questions, or one that takes them in whole, untrained."""
    if name == "fake":
        return Enquirer(FakePredictor())
    import torch

    from neural_enquirer.checkpoint import Checkpoint
    from neural_enquirer.encoding.words import Vocabulary
    from neural_enquirer.model.open_enquirer import OpenConfig, OpenEnquirer
    from neural_enquirer.prediction.predictors import OpenPredictor

    torch.manual_seed(0)
    vocabulary, config = Vocabulary(WORDS, frozenset()), OpenConfig()
    model = OpenEnquirer(config, torch.randn(len(vocabulary) - 1, config.embedding_size) * 0.1)
    return Enquirer(OpenPredictor(Checkpoint(model.eval(), vocabulary, "question").light(), "random"))


ENQUIRERS: dict[str, Enquirer] = {}


def ask(model: str, table: Any, question: Any) -> Answer | str:
    """The answer, or the one line that says why there is none."""
    if model not in ENQUIRERS:
        ENQUIRERS[model] = loaded(model)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            answer = ENQUIRERS[model].ask(table, question)
        except ValueError as error:
            if not type(error).__module__.startswith("neural_enquirer."):
                raise
            return one_line(str(error))
    assert 0 <= answer.confidence <= 1.0001
    if answer.field is not None:
        (asked,) = answer.tables
        assert answer.value == asked.column(answer.field)[answer.row or 0]
    assert answer.told
    json.dumps(answer.to_json())
    return answer


def one_line(message: str) -> str:
    assert "\n" not in message
    assert len(message) < 500
    return message


def written(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


ODD = [
    *("1e309", "-1e309", "9" * 400, "NaN", "inf", "🏅", "القاهرة", "\u202eabc", "\0", "\ud800 2004", "0x10"),
    *("2004-02-30", "0001-01-01T00:00:00+05:00", "9999-12-31T23:59:59-12:00", "13/13/2004", "$", "5 %", ","),
    *("$1,200", "12 km", "a\nb", '"', "\t", " ", "''", "=cmd()", "<b>", "%s", "{}", "[red]x[/red]"),
]
TEXTS = st.one_of(
    st.text(max_size=20),
    st.text(st.characters(categories=["Cs", "Cc", "Lo", "So"]), max_size=8),
    st.sampled_from(ODD),
)
CELLS = st.one_of(
    TEXTS,
    st.none(),
    st.booleans(),
    st.integers(),
    st.sampled_from([10**400, float("inf"), float("nan"), -0.0, 5e-324, b"\xff\0", {1: {2}}, [[]]]),
    st.floats(),
    st.dates(),
    st.datetimes(timezones=st.none() | st.timezones()),
)
TABLES = st.lists(st.dictionaries(TEXTS, CELLS, max_size=5), max_size=6)
QUESTIONS = st.one_of(TEXTS, st.lists(TEXTS, max_size=12).map(" ".join))
SLOW = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("model", MODELS)
class TestAnything:
    @SLOW
    @given(table=TABLES, question=QUESTIONS)
    def test_tables_and_questions(self, model: str, table: Any, question: str) -> None:
        ask(model, table, question)

    @SLOW
    @given(
        content=st.binary(max_size=300),
        suffix=st.sampled_from(["csv", "tsv", "json", "jsonl", "txt", "gz", "db", "xlsx", "duckdb"]),
    )
    def test_files_of_any_bytes(self, model: str, content: bytes, suffix: str, tmp_path_factory: Any) -> None:
        ask(model, written(tmp_path_factory.mktemp("any"), f"a.{suffix}", content), "which one is first")

    @SLOW
    @given(lines=st.lists(st.lists(TEXTS, max_size=4), max_size=5), separator=st.sampled_from(",;\t|"))
    def test_files_of_any_text(self, model: str, lines: Any, separator: str, tmp_path_factory: Any) -> None:
        text = "\n".join(map(separator.join, lines)).encode("utf-8", "surrogatepass")
        ask(model, written(tmp_path_factory.mktemp("any"), "a.csv", text), "which one is first")

    @SLOW
    @given(records=TABLES.map(lambda records: json.dumps(records, default=str, skipkeys=True).encode()))
    def test_json(self, model: str, records: bytes, tmp_path_factory: Any) -> None:
        ask(model, written(tmp_path_factory.mktemp("any"), "a.json", records), "which one is first")


@pytest.mark.parametrize("model", MODELS)
class TestNamed:
    @pytest.mark.parametrize(
        ("name", "content", "outcome"),
        [
            ("no-rows.csv", b"a,b\n", "no-rows.csv has no rows"),
            ("one-column.csv", b"a\nx\ny\n", None),
            ("one-cell.csv", b"a\nx\n", None),
            ("repeated.csv", ",".join(["a"] * 2000).encode() + b"\n" + ",".join(["1"] * 2000).encode(), None),
            ("blank.csv", b"a,,,\nx,1,2,3\n", None),
            ("long-cell.csv", b"a,b\n" + b"x" * 1_000_000 + b",1\ny,2\n", None),
            ("long-words.csv", b'a,b\n"' + b"word " * 200_000 + b'",1\ny,2\n', None),
            ("longer-cell.csv", b"a,b\n" + b"x" * 5_000_000 + b",1\ny,2\n", "too long"),
            ("long-header.csv", b"a" * 1_000_000 + b",b\nx,2\n", None),
            ("random.csv", bytes(range(256)) * 40, "not a text file"),
            ("no-nul.csv", bytes(range(128, 256)) * 40, "neither UTF-8 nor Windows-1252 text"),
            ("utf32.csv", "a,b\nx,1\n".encode("utf-32"), "UTF-32"),
            ("emoji.csv", "🏅,b\n🥇,1\n🥈,2\n".encode(), None),
            ("right-to-left.csv", "مدينة,שנה\nالقاهرة,2004\nדמשק,2008\n".encode(), None),
            ("nul.csv", b"a,b\nx\0,1\n", "not a text file"),
            ("late-nul.csv", b"a,b\n" + b"x,1\n" * 3000 + b"x\0,1\n", None),
            ("huge.csv", b"a,b\n1e309,1\n2,3\n", None),
            ("huge.json", b'[{"a": 1e309}, {"a": 1}]', None),
            ("digits.json", b'[{"a": ' + b"9" * 5000 + b'}, {"a": 1}]', None),
            ("deep.json", b'[{"a": ' + b"[" * 5000 + b"]" * 5000 + b"}]", "cannot be read as JSON"),
            ("surrogate.csv", b"a,b\n\xed\xa0\x80,1\n", None),
            ("missing.csv", b"a,b\n,\n,\n", None),
        ],
    )
    def test_tables(self, model: str, name: str, content: bytes, outcome: str | None, tmp_path: Path) -> None:
        start = time.process_time()
        found = ask(model, written(tmp_path, name, content), "which a has the most b")
        assert time.process_time() - start < 20
        if outcome is None:
            assert isinstance(found, Answer), found
        else:
            assert outcome in str(found)

    @pytest.mark.parametrize(
        "cell", [10**5000, -(10**400), {(1, 2): 3}, float("inf"), object()], ids=range(5)
    )
    def test_cells(self, model: str, cell: object) -> None:
        assert isinstance(ask(model, [{"a": cell}, {"a": "x"}], "which a"), Answer)

    def test_cell_that_holds_itself(self, model: str) -> None:
        cell: list[object] = []
        cell.append(cell)
        assert isinstance(ask(model, [{"a": cell}], "which a"), Answer)

    def test_wide(self, model: str, tmp_path: Path) -> None:
        rows = [[f"field {i}" for i in range(2000)], *[[str(i * j) for i in range(2000)] for j in range(5)]]
        path = written(tmp_path, "wide.csv", "\n".join(map(",".join, rows)).encode())
        assert isinstance(ask(model, path, "what is the most field 1999"), Answer)

    @pytest.mark.parametrize(
        "question",
        [
            "which a " * 5000,
            "which 🏅 a",
            "\u202eما هي a",
            "a\0b",
            "\ud800 a",
            "a more than 1e309",
            "a before " + "9" * 400,
            "1 2 3 4 5 6 7 8 9 " * 500,
            "a 2004-02-30 99/99/9999 -0 --5 1,,2",
        ],
    )
    def test_questions(self, model: str, question: str) -> None:
        start = time.process_time()
        table = [{"a": "x", "b": 1, "c": datetime.date(2004, 1, 1)}, {"a": "y", "b": 2, "c": None}]
        assert isinstance(ask(model, table, question), Answer)
        assert time.process_time() - start < 20

    @pytest.mark.parametrize("question", ["a" * 1_000_000, "a before " + "9" * 5000])
    def test_endless_words(self, model: str, question: str) -> None:
        assert "letters; ask in plain words" in str(ask(model, [{"a": "x"}], question))


class TestCommandLine:
    @pytest.fixture(autouse=True)
    def _fake_model(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(Enquirer, "from_pretrained", lambda *_: Enquirer(FakePredictor()))

    @pytest.mark.parametrize(
        "options", [[], ["--json"], ["--explain", "--top", "3"], ["--figure", "why.png"]]
    )
    @pytest.mark.parametrize("case", ["odd", "long", "wide", "binary", "empty"])
    def test_ask(
        self, enquirer: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: Any, case: str
    ) -> None:
        monkeypatch.chdir(tmp_path)
        content = {
            "odd": "a,🏅,$x$\n\x1b[2J,مدينة,$1,\n".encode(),
            "long": b"a,b\n" + b"x" * 1_000_000 + b",1\n",
            "wide": ",".join(f"a{i}" for i in range(2000)).encode() + b"\n" + ",".join(["x"] * 2000).encode(),
            "binary": bytes(range(256)) * 20,
            "empty": b"",
        }[case]
        question = os.fsdecode(b"which a \xff\xfe \x1b[2J \xf0\x9f\x8f\x85")
        written(tmp_path, "t.csv", content)
        status, out, err = enquirer("ask", "t.csv", question, *options)
        assert "\x1b" not in out + err
        assert (status == 0 and out) or (status == 2 and err.count("\n") == 1)
        if "--explain" in options and case != "long":  # the long answer itself is told whole
            assert len(out) < 10_000

    @settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
    @given(
        typed=st.lists(
            TEXTS | st.sampled_from([":explain", ":sql", "/sql x", ":table", ":help", ":x", ":"]), max_size=5
        )
    )
    def test_chat(self, typed: list[str], tmp_path_factory: Any) -> None:
        from neural_enquirer.asking import command

        path = written(tmp_path_factory.mktemp("chat"), "t.csv", b"a,b\nx,1\n,2\n")
        content = "\n".join(typed).encode("utf-8", "surrogatepass")
        out = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
        before = sys.stdin
        sys.stdin = io.TextIOWrapper(io.BytesIO(content), encoding="utf-8")
        try:
            with contextlib.redirect_stdout(out):
                command.chat("open", [str(path)])
        finally:
            sys.stdin = before
