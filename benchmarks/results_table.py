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


TABLES = {"accuracies": table, "speed": speed}


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
        for path in (ROOT / "README.md", ROOT / "results" / "README.md"):
            path.write_text(with_tables(path.read_text()))
    for make in TABLES.values():
        print(make())


if __name__ == "__main__":
    main()
