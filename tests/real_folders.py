"""Tiny folders in the form of the published data sets; every line is made up."""

import io
import json
import lzma
import tarfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

CITIES = 'city,country,people\r\nathens,greece,"3,150"\r\nsydney,australia,5300\r\nperth,australia,-\r\n'


def question(number: int, text: str, answers: Sequence[str], **more: Any) -> dict[str, Any]:
    return {"id": f"q{number}", "table": "cities", "question": text, "answers": answers} | more


def sql(select: int, aggregation: str, *where: tuple[int, str, str]) -> dict[str, Any]:
    conditions = [{"column": "", "col": col, "op": op, "value": value} for col, op, value in where]
    return {"select": "", "select_col": select, "agg": aggregation, "where": conditions}


QUESTIONS = [
    question(
        0, "Which country is Athens in?", ["greece"], cells=[[0, 1]], sql=sql(1, "none", (0, "=", "Athens"))
    ),
    question(
        1,
        "What cities are in Australia?",
        ["sydney", "perth"],
        cells=[[1, 0], [2, 0]],
        sql=sql(0, "none", (1, "=", "Australia")),
    ),
    question(2, "How many cities are there?", ["3"], cells=None, sql=sql(0, "count")),
]


def simple(folder: Path, split: str = "dev", questions: Sequence[dict[str, Any]] = QUESTIONS) -> Path:
    """The simple format, with a folder of tables."""
    (folder / "tables").mkdir(parents=True, exist_ok=True)
    (folder / "tables" / "cities.csv").write_bytes(CITIES.encode())
    lines = "".join(f"{json.dumps(line)}\n" for line in questions)
    (folder / f"questions-{split}.jsonl").write_text(lines)
    return folder


def packed(folder: Path, split: str = "dev") -> Path:
    """The simple format, compressed."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = "".join(f"{json.dumps(line)}\n" for line in QUESTIONS)
    (folder / f"questions-{split}.jsonl.xz").write_bytes(lzma.compress(lines.encode()))
    with tarfile.open(folder / f"tables-{split}.tar.xz", "w:xz") as archive:
        member = tarfile.TarInfo("tables/cities.csv")
        member.size = len(CITIES.encode())
        archive.addfile(member, io.BytesIO(CITIES.encode()))
    return folder


def wikisql(folder: Path, split: str = "dev") -> Path:
    """WikiSQL's own files."""
    folder.mkdir(parents=True, exist_ok=True)
    table = {
        "id": "1-1",
        "header": ["City", "Country", "People"],
        "types": ["text", "text", "real"],
        "rows": [["Athens", "Greece", 3150], ["Sydney", "Australia", 5300], ["Perth", "Australia", 2100.5]],
    }
    asked = [
        ("Where is Athens?", 1, 0, [[0, 0, "ATHENS"]]),
        ("Which cities have more than 2,100 people?", 0, 0, [[2, 1, "2,100"]]),
        ("How many people has the largest city in Australia?", 2, 1, [[1, 0, "Australia"]]),
        ("How many cities are in Australia?", 0, 3, [[1, 0, "Australia"]]),
        ("What is the average?", 2, 5, [[1, 0, "Australia"]]),
        ("Where is Rome?", 1, 0, [[0, 0, "Rome"]]),
    ]
    records = [
        {"phase": 1, "table_id": "1-1", "question": text, "sql": {"sel": select, "agg": agg, "conds": conds}}
        for text, select, agg, conds in asked
    ]
    (folder / f"{split}.tables.jsonl").write_text(f"{json.dumps(table)}\n")
    (folder / f"{split}.jsonl").write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return folder


def wiki_table_questions(folder: Path) -> Path:
    """WikiTableQuestions' own files."""
    (folder / "data").mkdir(parents=True)
    (folder / "csv" / "200-csv").mkdir(parents=True)
    table = '"Title","Year","Note"\n"The \\"Big\\" One","1999","a, b"\n"Łódź [1]","2001 (late)"\n'
    (folder / "csv" / "200-csv" / "0.csv").write_text(table, encoding="utf-8")
    lines = [
        "id\tutterance\tcontext\ttargetValue",
        'nt-0\twhich is from 1999\tcsv/200-csv/0.csv\tThe "Big" One',
        "nt-1\twhich years\tcsv/200-csv/0.csv\t1999|2001",
        "nt-2\tboth \\p signs\tcsv/200-csv/0.csv\ta\\pb",
    ]
    (folder / "data" / "random-split-1-dev.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def everyday(folder: Path, *tables: str) -> Path:
    """A part of everyday questions: about each table one with an answer and one without."""
    (folder / "tables").mkdir(parents=True)
    lines = []
    for name in tables:
        (folder / "tables" / name).write_text("city,country\nAthens,Greece\nPerth,Australia\n")
        asked = {"tables": [name], "question": "all cities", "reason": None}
        found = {"kind": "list", "answers": [["Athens", "Perth"], ["2 cities"]], "sql": "SELECT city FROM t"}
        nothing = {"kind": "unanswerable", "answers": [], "sql": None}
        lines += [asked | found | {"id": f"{name}-0"}, asked | nothing | {"id": f"{name}-1"}]
    (folder / "questions.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return folder
