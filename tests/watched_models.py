"""Small open models with random weights, and what they say while a predictor asks them."""

import numpy as np
import numpy.typing as npt
import torch

from neural_enquirer.checkpoint import Checkpoint
from neural_enquirer.encoding.open import OpenQuestion
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.model.open_enquirer import OpenConfig, OpenEnquirer
from neural_enquirer.prediction import Prediction, Tables
from neural_enquirer.prediction.predictors import OpenPredictor
from neural_enquirer.runtime.cascade import Output
from neural_enquirer.runtime.loading import Loaded
from neural_enquirer.runtime.reading import Reading
from neural_enquirer.tables import Table

VOCABULARY = Vocabulary(("which", "city", "has", "the", "most", "people", "in", "of"), frozenset())
QUESTION = "which city has the most people in land 3"
TEMPERATURE = 2.5


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


def watched(model: OpenEnquirer, temperature: float = TEMPERATURE) -> tuple[Loaded, list[Output]]:
    """The model without torch, and a list to which everything is added that its cascade says."""
    loaded = Checkpoint(model, VOCABULARY, "natural", temperature=temperature).light()
    outputs: list[Output] = []
    execute = loaded.model.execute

    def listened(reading: Reading, question: OpenQuestion) -> Output:
        outputs.append(execute(reading, question))
        return outputs[-1]

    loaded.model.execute = listened  # type: ignore[method-assign]
    return loaded, outputs


def candidates(output: Output) -> npt.NDArray[np.float32]:
    """The scores of all cells, and of no answer."""
    cells = [own.answer_scores.ravel() for own in output.tables]
    return np.concatenate([*cells, [] if output.none_score is None else [output.none_score]])


def chances(scores: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The softmax of scores over the temperature, without what never answers."""
    exponentials = np.exp(scores[np.isfinite(scores)] / TEMPERATURE)
    return np.asarray(exponentials / exponentials.sum())


def balanced(tables: Tables, more: float) -> tuple[Prediction, list[Output]]:
    """What is found where "no answer" scores as high as the best cell of the first look, and so much more."""
    model = open_model()
    trained, outputs = watched(model)
    OpenPredictor(trained, "random").predict([(tables, QUESTION)])
    *cells, none = candidates(outputs[0]).tolist()
    with torch.no_grad():
        model.none_score.bias += max(cells) - none + more
    trained, outputs = watched(model)
    (found,) = OpenPredictor(trained, "random").predict([(tables, QUESTION)])
    return found, outputs
