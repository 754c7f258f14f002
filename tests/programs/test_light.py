import subprocess
import sys


def test_programs_need_neither_torch_nor_sqlglot_to_run() -> None:
    code = "import sys, neural_enquirer.programs as p; p.parse('count(rows())'); print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "numpy" in loaded
    assert not {"torch", "sqlglot", "pyarrow", "duckdb", "matplotlib"} & set(loaded)


def test_sql_needs_no_torch() -> None:
    code = "import sys; from neural_enquirer.programs import from_sql, sentence, to_sql; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "sqlglot" in loaded
    assert "torch" not in loaded
