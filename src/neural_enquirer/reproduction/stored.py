"""Results on disk: what the runs and benchmarks of a folder wrote, read back."""

import json
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from neural_enquirer.reproduction.experiments import ReproductionError
from neural_enquirer.training.experiment import TrainingConfig
from neural_enquirer.training.renaming import WITHIN_TRAINING

DAGGER = "†"
"""Marks what was trained while renaming did not ask the split."""
QUICK_NOTE = "made at a tiny size, only to see it work"
"""The note of every run that was made so."""
QUICK_REMARK = "Made with --quick, at a tiny size and only to see it work: the figures mean nothing."


@dataclass(frozen=True)
class Results:
    """A folder of results."""

    folder: Path

    def read(self, name: str) -> dict[str, Any] | None:
        """Returns what a file holds; None where it is not there.

        Raises:
            ReproductionError: if it is damaged.
        """
        path = self.folder / name
        if not path.is_file():
            return None
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise ReproductionError(f"{path} is damaged; delete it and run the reproduction again") from error
        return content if isinstance(content, dict) else None

    def runs(self) -> dict[str, list[dict[str, Any]]]:
        """Returns the runs by experiment, the first seed first."""
        found: dict[str, dict[int, dict[str, Any]]] = {}
        for name, content in self.matching("runs/*/*.json").items():
            if "test" in content:
                _, experiment, seed = name.split("/")
                found.setdefault(experiment, {})[int(seed)] = content
        return {name: [by_seed[seed] for seed in sorted(by_seed)] for name, by_seed in sorted(found.items())}

    def matching(self, pattern: str) -> dict[str, dict[str, Any]]:
        """Returns the contents of all files that fit a pattern, by their names without the suffix."""
        names = sorted(path.relative_to(self.folder).as_posix() for path in self.folder.glob(pattern))
        return {
            name.removesuffix(".json"): content for name in names if (content := self.read(name)) is not None
        }

    def notes(self) -> list[tuple[str, str]]:
        """Returns what there is to say of single files, each with its name."""
        found = self.matching("**/*.json")
        return [(name, str(content["note"])) for name, content in found.items() if "note" in content]


def met_test_forms(content: Mapping[str, Any]) -> bool:
    """Returns whether a stored result was trained while renaming did not ask the split (see `renaming`)."""
    renamed = content.get("experiment", {}).get("training", {}).get("renaming", False)
    return bool(renamed) and content.get("renaming") != WITHIN_TRAINING


def marked(name: str, runs: Sequence[Mapping[str, Any]]) -> str:
    """Returns the name of some runs, with a mark if any of them met test forms in training."""
    return f"{name} {DAGGER}" if any(map(met_test_forms, runs)) else name


def about_renaming(training: TrainingConfig) -> dict[str, str]:
    """Returns what a result says of its renaming, if it has any."""
    return {"renaming": WITHIN_TRAINING} if training.renaming else {}


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Returns a table as Markdown."""
    lines = [f"| {' | '.join(cells)} |" for cells in (head, *rows)]
    return "\n".join([lines[0], f"|{'|'.join(['---'] * len(head))}|", *lines[1:]])


def tested(runs: Sequence[Mapping[str, Any]], kind: str) -> list[float]:
    """Returns the test accuracies of some runs, overall or of one type of question, in percent."""
    tests = [run["test"] for run in runs]
    shares = [test["overall"] if kind == "overall" else test["by_type"].get(kind) for test in tests]
    return [100 * share for share in shares if share is not None]


def median(values: Sequence[float]) -> str:
    """Returns the median with two digits, or nothing."""
    return f"{statistics.median(values):.2f}" if values else ""


def spread(values: Sequence[float]) -> str:
    """Returns the least and the most, or nothing where they do not differ in number."""
    return f"{min(values):.2f}–{max(values):.2f}" if len(values) > 1 else ""


def median_and_spread(values: Sequence[float]) -> str:
    """Returns the median and, in brackets, the least and the most."""
    return median(values) + (f" ({spread(values)})" if len(values) > 1 else "")


def minutes(runs: Sequence[Mapping[str, Any]]) -> float:
    """Returns the median of the minutes of training."""
    return float(statistics.median(run["seconds"]["training"] / 60 for run in runs))


def machines(runs: Sequence[Mapping[str, Any]]) -> str:
    """Names the machines that some runs were made on, each once."""
    return "; ".join(dict.fromkeys(run["hardware"] for run in runs))


def changed_settings(run: Mapping[str, Any], today: Mapping[str, Any]) -> list[str]:
    """Returns the settings of a stored run that its experiment file says otherwise by now."""
    return [
        f"{section}.{key}"
        for section, own in today.items()
        if isinstance(own, dict)
        for key, value in own.items()
        if run["experiment"].get(section, {}).get(key, value) != value
    ]
