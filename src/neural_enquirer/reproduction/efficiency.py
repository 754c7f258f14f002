"""The paper's figure on efficiency: accuracy on test questions over the time of training."""

from pathlib import Path
from typing import Any, Final

import torch

from neural_enquirer.reproduction.efficiency_curve import Curve
from neural_enquirer.reproduction.experiments import find_experiment
from neural_enquirer.reproduction.stored import Results, marked, met_test_forms, table

MEASURED: Final = (
    ("parser", "semantic parser", "semantic-parser-25k", "cpu"),
    ("programmer", "Neural Programmer", "neural-programmer-25k", "cpu"),
    ("programmer", "Neural Programmer", "neural-programmer-25k", "cuda"),
    ("enquirer", "N2N", "olympics-25k-n2n", "cpu"),
    ("enquirer", "N2N", "olympics-25k-n2n", "cuda"),
    ("grounded", "ours: N2N grounded", "olympics-25k-grounded", "cpu"),
    ("grounded", "ours: N2N grounded", "olympics-25k-grounded", "cuda"),
)
"""What is measured: part of the file's name, title, experiment, and device."""
STORED: Final = (("sbs", "SbS", "olympics-25k-sbs-cpu"),)
"""Long runs that are drawn beside them, by their validation: part of the name, title, and run."""
BARS: Final = (0.5, 0.65, 0.8, 0.9)
"""Accuracies whose first time is told; SEMPRE ended at 0.65 in the paper."""


def plan(results: Results) -> list[Curve]:
    """Returns the curves that are still to be measured, and that this machine has the devices for."""
    devices = ("cpu", "cuda") if torch.cuda.is_available() else ("cpu",)
    wanted = [
        Curve(
            find_experiment(experiment),
            results.folder / f"efficiency-{name}-{device}.json",
            title,
            device=device,
        )
        for name, title, experiment, device in MEASURED
        if device in devices
    ]
    stored = {curve.out.name: results.read(curve.out.name) or {} for curve in wanted}
    done = {name for name, own in stored.items() if own.get("complete") and not met_test_forms(own)}
    return [curve for curve in wanted if curve.out.name not in done]


def curves(results: Results) -> dict[str, dict[str, Any]]:
    """Returns what was measured, by file: points of seconds and accuracy for one system on one machine.

    The validation of long runs is added.
    """
    measured = results.matching("efficiency-*.json")
    if not measured:
        return {}
    added = {
        f"efficiency-{name}": _of_run(title, runs[0])
        for name, title, stored in STORED
        if (runs := results.runs().get(stored))
    }
    return dict(sorted((measured | added).items()))


def _of_run(title: str, run: dict[str, Any]) -> dict[str, Any]:
    points = [{"seconds": epoch["seconds"], "accuracy": epoch["overall"]} for epoch in run["epochs"]]
    kept: dict[str, Any] = {key: run[key] for key in ("experiment", "renaming") if key in run}
    return {"name": title, "hardware": f"{run['hardware']}; validation", "points": points, **kept}


def reached(results: Results) -> str | None:
    """Returns the seconds after which each system first reached some accuracies."""
    rows = []
    for curve in curves(results).values():
        points = curve["points"]
        firsts = [next((p["seconds"] for p in points if p["accuracy"] >= bar), None) for bar in BARS]
        best = max(point["accuracy"] for point in points)
        cells = ["–" if first is None else f"{first:.3g}" for first in firsts]
        rows.append([marked(curve["name"], [curve]), *cells, f"{100 * best:.1f}", curve["hardware"]])
    head = ["seconds of training until", *(f"{bar:.0%}" for bar in BARS), "best, %", "hardware"]
    return table(head, rows) if rows else None


def draw(results: Results, path: Path) -> bool:
    """Draws the curves; returns whether there are any."""
    measured = curves(results)
    if not measured:
        return False
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.8, 4.2), layout="constrained")
    axes = figure.add_subplot()
    for curve in measured.values():
        seconds = [point["seconds"] for point in curve["points"]]
        accuracies = [100 * point["accuracy"] for point in curve["points"]]
        line = "--" if "CPU" in curve["hardware"] else "-"
        marker = "o" if len(seconds) == 1 else ""  # a line through one point cannot be seen
        label = f"{curve['name']} ({curve['hardware']})"
        axes.plot(seconds, accuracies, line, label=label, linewidth=1.5, marker=marker, clip_on=False)
    axes.set(xscale="log", xlabel="seconds of training", ylabel="% of questions right", ylim=(0, 100))
    axes.grid(visible=True, color="#dddddd", linewidth=0.5)
    figure.legend(fontsize=7, loc="outside lower center", ncols=2)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)
    return True
