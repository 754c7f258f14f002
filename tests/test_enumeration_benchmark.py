from pathlib import Path

import pytest

from benchmarks import enumeration
from neural_enquirer.programs import parse
from neural_enquirer.real_questions import read_real
from real_folders import packed


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("count(rows(a = 1))", {"count", "=, contains"}),
        ("cells(a, largest(2, b))", {"cells", "n largest, smallest"}),
        ("count(rows(a > cells(a, rows(b = x))))", {"count", "compared with another row's", "=, contains"}),
        ("cells(a, largest(measure, groups(a, count)))", {"cells", "groups: largest, smallest"}),
        ("maximum(measure, groups(a, count))", {"groups: of measures"}),
        (
            "sum(number_in(a), after(rows(not b contains x)))",
            {"sum", "number in a text", "after, before", "<>, not", "=, contains"},
        ),
    ],
)
def test_operations_of_a_program(program: str, expected: set[str]) -> None:
    found = set(enumeration.operations(parse(program)))
    assert found == expected
    assert found <= set(enumeration.OPERATIONS)


def test_a_program_is_the_sets_own_query(tmp_path: Path) -> None:
    example = read_real(packed(tmp_path / "data"), "dev")[1]
    assert enumeration.is_own_query(example, parse("cells(city, rows(country = australia))"))
    assert not enumeration.is_own_query(example, parse("cells(city, rows(country <> greece))"))
    assert not enumeration.is_own_query(example, parse("cells(people, rows(country = australia))"))
    assert not enumeration.is_own_query(example, parse("cells(city, last(rows(country = australia)))"))


def test_the_tables_replace_those_that_were_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{enumeration._BEGIN}\nold\n{enumeration._END}\nafter\n")
    arguments = ["enumeration", str(packed(tmp_path / "data")), "--check-all", "--write", str(page)]
    monkeypatch.setattr("sys.argv", arguments)
    assert enumeration.main() == 0
    text = page.read_text()
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert "old" not in text
    assert "| questions | 3 |" in text
    assert "| with a program | 100.0% |" in text
    assert "0 programs do not give the answer" in capsys.readouterr().out
