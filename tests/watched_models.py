"""Small open models with random weights, and what they say while a predictor asks them."""

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from neural_enquirer.checkpoint import Checkpoint
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.model.network import Network
from neural_enquirer.model.open_enquirer import OpenConfig, OpenEnquirer
from neural_enquirer.tables import Table

VOCABULARY = Vocabulary(("which", "city", "has", "the", "most", "people", "in", "of"), frozenset())
QUESTION = "which city has the most people in land 3"
TEMPERATURE = 2.5

Found = TypeVar("Found")


def long_table(rows: int) -> Table:
    draw = np.random.default_rng(rows)
    people = draw.permutation(10 * rows)[:rows].tolist()
    return Table.of(
        [{"city": f"town {i}", "land": f"land {i % 7}", "people": many} for i, many in enumerate(people)]
    )


def lands(rows: int = 7) -> Table:
    return Table.of([{"land": f"land {i}", "continent": f"continent {i % 3}"} for i in range(rows)])


def open_model() -> OpenEnquirer:
    torch.manual_seed(0)
    model = OpenEnquirer(OpenConfig(executors=3), torch.randn(len(VOCABULARY) - 1, 64))
    torch.nn.init.constant_(model.none_score.bias, -20)  # never refuses
    return model.eval()


def watched(model: Network, temperature: float = TEMPERATURE) -> tuple[Checkpoint, list[Any]]:
    """A checkpoint of the model, and a list to which everything is added that the model says."""
    outputs: list[Any] = []
    model.register_forward_hook(lambda _model, _inputs, output: outputs.append(output))
    return Checkpoint(model, VOCABULARY, "natural", temperature=temperature), outputs


def chances(scores: Tensor) -> npt.NDArray[np.float32]:
    """The softmax of scores over the temperature, without padding."""
    return (scores[scores.isfinite()] / TEMPERATURE).softmax(dim=0).numpy()


def balanced(model: OpenEnquirer, outputs: list[Any], ask: Callable[[], Found], more: float) -> Found:
    """What is found where "no answer" scores as high as the best cell of the first look, and so much more."""
    ask()
    *cells, none = outputs[0].candidates()[0].tolist()
    outputs.clear()
    with torch.no_grad():
        model.none_score.bias += max(cells) - none + more
    return ask()
