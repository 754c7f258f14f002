"""The tables of accuracies and speed in README and results/, made from results/*.json.

`python -m benchmarks.results_table` prints it; with `--write` it also puts it into README.md and
results/README.md, between their markers.
"""

import argparse
import json
import statistics
from collections import defaultdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
BEGIN = "<!-- {name}: made by python -m benchmarks.results_table --write -->"
END = "<!-- end of {name} -->"

TITLES = {
    "olympics-100k-n2n": "N2N, the paper's settings, 100K",
    "olympics-100k-sbs": "SbS, the paper's settings, 100K",
    "olympics-100k-sbs-fast": "SbS, fast preset, 100K",
    "olympics-100k-grounded": "N2N grounded, 100K",
    "olympics-25k-grounded": "N2N grounded, 25K",
    "olympics-25k-sbs": "SbS, 25K, on two CPU cores",
}
"""The rows, in this order, by experiment."""

PAPER = {
    "olympics-100k-n2n": (99.3, 99.9, 98.5, 64.7, 90.6),
    "olympics-100k-sbs": (100.0, 100.0, 99.8, 99.7, 99.9),
    "olympics-100k-sbs-fast": (100.0, 100.0, 99.8, 99.7, 99.9),
    "olympics-100k-grounded": (99.3, 99.9, 98.5, 64.7, 90.6),
    "olympics-25k-grounded": (96.2, 98.9, 80.4, 60.5, 84.0),
    "olympics-25k-sbs": (99.7, 99.5, 94.3, 92.1, 96.4),
}
"""The paper's row that each is held against: the one with the same supervision and number of examples."""

TYPES = ("select_where", "superlative", "where_superlative", "nest")


def runs() -> dict[str, list[dict[str, Any]]]:
    """Returns the stored runs of each experiment."""
    found = defaultdict(list)
    for path in sorted((ROOT / "results").glob("*.json")):
        content = json.loads(path.read_text())
        if "test" in content:
            found[path.stem.rsplit("-", 1)[0]].append(content)
    return found


def cell(values: list[float]) -> str:
    """Returns the median in percent and, in brackets, the least and the most."""
    percent = [100 * value for value in values]
    median = f"{statistics.median(percent):.2f}"
    spread = f" ({min(percent):.2f}–{max(percent):.2f})" if len(values) > 1 else ""
    return median + spread


def table() -> str:
    """Returns the table as Markdown."""
    lines = [
        "| | SELECT_WHERE | SUPERLATIVE | WHERE_SUPERLATIVE | NEST | overall | seeds | epochs | minutes |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    stored = runs()
    for name, title in TITLES.items():
        if name not in stored:
            continue
        tests = [run["test"] for run in stored[name]]
        ours = [cell([test["by_type"][kind] for test in tests]) for kind in TYPES]
        ours.append(cell([test["overall"] for test in tests]))
        epochs = "/".join(str(count) for count in sorted({len(run["epochs"]) for run in stored[name]}))
        minutes = statistics.median(run["seconds"]["training"] / 60 for run in stored[name])
        lines.append(f"| **{title}** | {' | '.join(ours)} | {len(tests)} | {epochs} | {minutes:.1f} |")
        lines.append(f"| *paper* | {' | '.join(f'*{value}*' for value in PAPER[name])} | | | |")
    return "\n".join(lines)


def speed() -> str:
    """Returns the table of examples per second as Markdown."""
    lines = ["| | ours | reference | ratio |", "|---|---|---|---|"]
    for path in sorted((ROOT / "results").glob("training-speed-*.json")):
        content = json.loads(path.read_text())
        for what, row in content.items():
            if isinstance(row, dict) and "ratio" in row:
                lines.append(
                    f"| {content['hardware']}: {what} | {row['ours']:,.0f} | {row['reference']:,.0f} "
                    f"| {row['ratio']:.1f} |"
                )
    return "\n".join(lines)


def stored(name: str) -> dict[str, Any]:
    """Returns a stored result."""
    content: dict[str, Any] = json.loads((ROOT / "results" / name).read_text(encoding="utf-8"))
    return content


def open_accuracy() -> str:
    """Returns the accuracy of the open model on held-out schemas as Markdown, in percent."""
    content = stored("open-accuracy.json")
    lines = [
        "| | SELECT_WHERE | SUPERLATIVE | WHERE_SUPERLATIVE | NEST | absent, refused | answerable, refused "
        "| unsupported, refused | questions |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for wording in ("literal", "natural"):
        own = content[wording]
        values = [own["by_type"][kind] for kind in TYPES]
        values += [own[f"{kind} refused"] for kind in ("absent", "answerable", "unsupported")]
        cells = " | ".join(f"{100 * value:.2f}" for value in values)
        lines.append(f"| **{wording} wording** | {cells} | {own['questions']:,} |")
    return "\n".join(lines)


def answering_speed() -> str:
    """Returns how fast the open model answers beside TAPAS as Markdown."""
    content = stored("answering-speed-cpu.json")
    one, many, long = content["one question"], content["batches"], content["long table"]
    tiny, base = content["TAPAS"]["tiny"], content["TAPAS"]["base"]
    of_one, of_many = "ms, one question", "questions/s"
    rows = [
        ("one question on a 10 × 10 table, ms", one["ms, a new table"], "≤ 10", of_one),
        (
            "questions/s, each on a 10 × 10 table of its own",
            many["questions/s, a table each"],
            "≥ 2,000",
            of_many,
        ),
        ("questions/s, all on one 10 × 10 table", many["questions/s, one table"], "≥ 2,000", ""),
        ("the network alone, one question, ms", content["network"][of_one], "", f"network, {of_one}"),
        ("the network alone, questions/s", content["network"][of_many], "", f"network, {of_many}"),
        ("`enquirer ask` from the shell, s", content["from the shell, s"], "≤ 3", ""),
        ("100,000 rows × 10 fields: reading the CSV, s", long["seconds, reading"], "", ""),
        ("… and the first question, s", long["seconds, reading and first question"], "≤ 5", ""),
        ("… another question, s", long["seconds, second question"], "", ""),
        ("… memory at most, MB", long["peak memory, MB"], "≤ 2,000", ""),
    ]
    lines = [f"| {content['hardware']} | ours | bar | TAPAS tiny | TAPAS base |", "|---|---|---|---|---|"]
    for name, ours, bar, key in rows:
        cells = [number(ours), bar, *(number(other.get(key)) for other in (tiny, base))]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def number(value: float | dict[str, float] | None) -> str:
    """Returns a number, or the median of some, in three digits or more; nothing for none."""
    if value is None:
        return ""
    value = value["median"] if isinstance(value, dict) else value
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def long_tables() -> str:
    """Returns the accuracy on long tables as Markdown, in percent, in brackets that of the first look."""
    content = stored("long-tables.json")["right"]
    kinds = list(next(iter(content.values()))["closer"])
    lines = [f"| rows | {' | '.join(kinds)} | questions |", "|---" * (len(kinds) + 2) + "|"]
    for rows, scores in content.items():
        cells = [f"{100 * scores['closer'][kind]:.0f} ({100 * scores['once'][kind]:.0f})" for kind in kinds]
        lines.append(f"| {int(rows):,} | {' | '.join(cells)} | {scores['questions']} |")
    return "\n".join(lines)


SETS = {"wikisql": "WikiSQL rebuilt", "wiki_table_questions": "WikiTableQuestions"}
SHARES = {
    "one_cell_no_aggregation": "one cell, no aggregation",
    "one_cell": "one cell",
    "overall": "all questions",
    "refused": "refused",
}


def real_questions() -> str:
    """Returns the shares of development questions answered right, over runs, in percent, as Markdown."""
    content = stored("real-questions.json")["sets"]
    lines = [f"| development questions | {' | '.join(SHARES.values())} | questions | seeds |"]
    lines.append("|---" * (len(SHARES) + 3) + "|")
    for name, title in SETS.items():
        found = content[name]["runs"]
        cells = [cell([run[key] for run in found]) if key in found[0] else "" for key in SHARES]
        lines.append(f"| **{title}** | {' | '.join(cells)} | {found[0]['examples']:,} | {len(found)} |")
    return "\n".join(lines)


def real_breakdown() -> str:
    """Returns the accuracies over all questions by kind of question and table, as Markdown."""
    content = stored("real-questions.json")["sets"]
    lines = ["| all development questions | % right, median (least–most) | questions |", "|---|---|---|"]
    for name, title in SETS.items():
        found = content[name]["runs"]
        for aspect, parts in found[0]["breakdown"].items():
            for part, first in parts.items():
                shares = [run["breakdown"][aspect][part]["accuracy"] for run in found]
                lines.append(f"| {title}, {aspect}: {part} | {cell(shares)} | {first['examples']:,} |")
    return "\n".join(lines)


TABLES = {
    "real questions": real_questions,
    "real breakdown": real_breakdown,
    "accuracies": table,
    "speed": speed,
    "open accuracy": open_accuracy,
    "answering speed": answering_speed,
    "long tables": long_tables,
}


DOCUMENTS = ("README.md", "results/README.md", "docs/real-questions.md")


def with_tables(text: str) -> str:
    """Returns a document with the tables of today between their markers."""
    for name, make in TABLES.items():
        begin, end = BEGIN.format(name=name), END.format(name=name)
        if begin in text:
            before, _, rest = text.partition(begin)
            after = rest.partition(end)[2]
            text = f"{before}{begin}\n{make()}\n{end}{after}"
    return text


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true")
    if parser.parse_args().write:
        for name in DOCUMENTS:
            path = ROOT / name
            path.write_text(with_tables(path.read_text()))
    for make in TABLES.values():
        print(make(), end="\n\n")


if __name__ == "__main__":
    main()
