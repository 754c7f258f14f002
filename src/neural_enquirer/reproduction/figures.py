"""The paper's figures of attention weights, from our models on the same questions, and ours beside them."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import torch

from neural_enquirer import checkpoint
from neural_enquirer.checkpoint import Checkpoint
from neural_enquirer.model.output import Output
from neural_enquirer.reproduction import figure_questions
from neural_enquirer.reproduction.attention_figure import ModelPanel, TablePanel, draw, panels_of, plot_tables
from neural_enquirer.reproduction.figure_questions import FigureQuestion, asked
from neural_enquirer.reproduction.stored import Results
from neural_enquirer.synthesis.examples import Example, ExampleSet
from neural_enquirer.training.accuracy import encode_questions

SHIPPED: Final = {
    "olympics-100k-n2n": "olympics-n2n",
    "olympics-100k-sbs-fast": "olympics-sbs",
    "olympics-100k-grounded": "olympics-grounded",
}
"""Experiments whose models come with the package."""


@dataclass(frozen=True)
class AttentionFigure:
    """One figure.

    Attributes:
        name: of the file.
        question: what is asked.
        models: titles and experiments, a panel each.
        chosen_by: the experiment whose model decides on the table …
        answers_right: … which is the first that it answers right, or wrong, as the paper's model does.
    """

    name: str
    question: FigureQuestion
    models: tuple[tuple[str, str], ...]
    chosen_by: str
    answers_right: bool = True


_N2N: Final = ("N2N", "olympics-100k-n2n")
_GROUNDED: Final = ("ours: N2N grounded", "olympics-100k-grounded")
_OOV: Final = ("N2N-OOV", "olympics-100k-oov-n2n")
_OOV_GROUNDED: Final = ("ours: N2N grounded, OOV", "olympics-100k-oov-grounded")
_TWO: Final = ("Neural Enquirer-M", "two-tables-paper")
_TWO_GROUNDED: Final = ("ours: grounded", "two-tables-grounded")
_LINKED: Final = ("ours: grounded, linked", "two-tables-linked")

FIGURES: Final = (
    AttentionFigure("q5", figure_questions.Q5, (_N2N, _GROUNDED), _N2N[1]),
    AttentionFigure("q7", figure_questions.Q7, (_N2N, _GROUNDED), _N2N[1]),
    AttentionFigure("q8", figure_questions.Q8, (_N2N, _GROUNDED), _N2N[1], answers_right=False),
    AttentionFigure("q7-sbs", figure_questions.Q7, (("SbS", "olympics-100k-sbs-fast"),), _N2N[1]),
    AttentionFigure("oov", figure_questions.UNSEEN, (_OOV, _OOV_GROUNDED), _OOV[1]),
    AttentionFigure("two-tables", figure_questions.TWO_TABLES, (_TWO, _TWO_GROUNDED, _LINKED), _TWO[1]),
)


BETWEEN_TABLES: Final = "between-tables"
"""The file of what the linked model's tables asked each other."""


def experiments() -> tuple[str, ...]:
    """Returns the experiments whose models are shown."""
    return tuple(dict.fromkeys(name for figure in FIGURES for _, name in figure.models))


def draw_all(results: Results, runs: Path, folder: Path) -> Iterator[tuple[str, str | None]]:
    """Draws every figure with the models that are there; returns each name, and what is missing if so."""
    for figure in FIGURES:
        found = {name: trained(name, results, runs) for _, name in figure.models}
        models = {name: own for name, own in found.items() if own is not None}
        if models:
            _draw(figure, models, trained(figure.chosen_by, results, runs), folder)
        missing = [name for name in found if name not in models]
        yield figure.name, f"no trained model of {missing[0]} is in {runs}" if missing else None
    if (linked := trained(_LINKED[1], results, runs)) is not None:
        _draw_between_tables(linked, folder / f"{BETWEEN_TABLES}.png")
        yield BETWEEN_TABLES, None


def trained(experiment: str, results: Results, runs: Path) -> Checkpoint | None:
    """Returns the best on validation examples of the models that are kept, or the one of the package."""
    kept = [
        run
        for run in results.runs().get(experiment, [])
        if (runs / f"{experiment}-{run['seed']}" / "config.json").is_file()
    ]
    if kept:
        best = max(kept, key=lambda run: max(float(epoch["overall"]) for epoch in run["epochs"]))
        return checkpoint.load(runs / f"{experiment}-{best['seed']}")
    return checkpoint.load(SHIPPED[experiment]) if experiment in SHIPPED else None


def _draw(
    figure: AttentionFigure, models: dict[str, Checkpoint], chosen: Checkpoint | None, folder: Path
) -> None:
    questions = asked(figure.question)
    index = 0 if chosen is None else _first(chosen, questions, right=figure.answers_right)
    one = questions.select([index])
    panels = [_panel(title, models[name], one) for title, name in figure.models if name in models]
    form = next(iter(models.values())).form
    shown = figure.question.text if form == "natural" else figure.question.form
    draw(folder / f"{figure.name}.png", shown, panels)


def _draw_between_tables(model: Checkpoint, path: Path) -> None:
    one = asked(figure_questions.TWO_TABLES).select([0])
    example = one.example(0)
    picture = plot_tables(one.logical_forms[0], example.tables, _answered(model, one), example.cells[0])
    picture.savefig(path, dpi=90)


def _first(model: Checkpoint, questions: ExampleSet, *, right: bool) -> int:
    """Returns the first question that the model answers right, or wrong; the first of all without one."""
    is_right = _answered(model, questions).candidates().argmax(dim=1).numpy() == questions.answer_places()
    fitting = np.flatnonzero(is_right == right)
    return int(fitting[0]) if len(fitting) else 0


@torch.no_grad()
def _answered(model: Checkpoint, questions: ExampleSet) -> Output:
    """Returns how the questions are answered."""
    knowing = model.knowing(questions.entity_words)
    output: Output = knowing.model(encode_questions(knowing, questions))
    return output


def _panel(title: str, model: Checkpoint, one: ExampleSet) -> ModelPanel:
    example = one.example(0)
    panels = panels_of(example.tables, _answered(model, one), example.cells[0])
    return ModelPanel(f"{title}: {_told(example, panels)}", panels)


def _told(example: Example, panels: list[TablePanel]) -> str:
    """Says what the model answers, how sure it is, and whether that is right."""
    best = max(range(len(panels)), key=lambda index: float(panels[index].probabilities.max()))
    probabilities = panels[best].probabilities
    row, column = divmod(int(probabilities.argmax()), probabilities.shape[1])
    answer = panels[best].table.text(row, column)
    verdict = "right" if (best, row, column) in example.cells else "wrong; the right cell is framed"
    return f"answers {answer} ({probabilities.max():.0%}), {verdict}"
