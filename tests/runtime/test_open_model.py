"""The open model without torch: on drawn questions it says what the network says, padded or not."""

import numpy as np
import numpy.typing as npt
import pytest
import torch

from neural_enquirer.encoding.open import OpenQuestion, prepare_all
from neural_enquirer.encoding.padding import Sizes, collate
from neural_enquirer.model.open_enquirer import OpenEnquirer
from neural_enquirer.prediction import Tables
from neural_enquirer.runtime import cells, executor, row_attention, table_linker
from neural_enquirer.runtime.cascade import Output
from neural_enquirer.runtime.layers import softmax
from neural_enquirer.runtime.loading import as_floats
from neural_enquirer.runtime.open_model import OpenModel
from neural_enquirer.synthesis.open.join_sampler import TWO_TABLES
from neural_enquirer.synthesis.open.sampler import ONE_TABLE
from neural_enquirer.tables import Table
from watched_models import QUESTION, lands, long_table
from writing_models import VOCABULARY, in_numpy, writing_model

Asked = list[tuple[Tables, str]]


@pytest.fixture(scope="module")
def models() -> tuple[OpenEnquirer, OpenModel]:
    """With three executors that read, the second of which is the first to hear of other tables."""
    model = writing_model(scale=0.3, executors=4)
    return model, in_numpy(model)


def drawn() -> Asked:
    return [(one.tables, one.question) for one in ONE_TABLE.generate("test", seed=3, examples=120)]


def joined() -> Asked:
    return [(one.tables, one.question) for one in TWO_TABLES.generate("test", seed=3, examples=40)]


def odd() -> Asked:
    """Nothing said, one row, unknown words, numbers, cells that are missing, and three tables."""
    table = long_table(9)
    towns = Table.of({"town": ["a", "b", "c"], "land": ["land 1", None, "land 2"]}, "towns")
    sizes = Table.of({"land": [None, "land 1"], "size": [5, 4]}, "sizes")
    return [
        ((table,), ""),
        ((long_table(1),), "zyx wvu"),
        ((table, lands(2), long_table(4)), f"{QUESTION} or more than 17 but less than 60"),
        ((lands(30), long_table(31)), "which continent has the most people"),
        ((towns, sizes), "which town of land 1 has size 4"),
    ]


def candidates(output: Output) -> npt.NDArray[np.float32]:
    """The probabilities of all cells, and of none."""
    cells = [own.answer_scores.ravel() for own in output.tables]
    return softmax(np.array([*np.concatenate(cells), output.none_score], np.float32))


@torch.no_grad()
def padded(model: OpenEnquirer, questions: list[OpenQuestion]) -> list[npt.NDArray[np.float32]]:
    """The same of questions of one batch, without its padding."""
    output = model(collate(questions))
    chances = output.candidates().softmax(dim=1).numpy()
    sizes = Sizes.of(questions).tables
    found = []
    for own, question in zip(chances, questions, strict=True):
        parts, start = [], 0
        for size, table in zip(sizes, question.tables, strict=True):
            rows, fields = table.index.shape
            cells = own[start : start + size.rows * size.fields].reshape(size.rows, size.fields)
            parts.append(cells[:rows, :fields].ravel())
            start += size.rows * size.fields
        found.append(np.concatenate([*parts, own[start:]]))
    return found


def by_number(asked: Asked) -> list[list[OpenQuestion]]:
    """Questions with as many tables, some at a time."""
    prepared = prepare_all(asked, VOCABULARY)
    numbers = {len(one.tables) for one in prepared}
    groups = [[one for one in prepared if len(one.tables) == number] for number in sorted(numbers)]
    return [group[i : i + 7] for group in groups for i in range(0, len(group), 7)]


@pytest.mark.parametrize("asked", [drawn, joined, odd])
def test_it_says_what_the_network_says(asked, models: tuple[OpenEnquirer, OpenModel]) -> None:
    model, light = models
    for group in by_number(asked()):
        for question, expected in zip(group, padded(model, group), strict=True):
            found = candidates(light.execute(light.read(question), question))
            np.testing.assert_allclose(found, expected, atol=1e-5)
            assert found.argmax() == expected.argmax()


@pytest.mark.parametrize("cores", [1, 3])
def test_some_rows_at_a_time_give_the_same(
    cores: int, models: tuple[OpenEnquirer, OpenModel], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, light = models
    asked: Asked = [((long_table(60),), QUESTION), ((long_table(40), lands(30)), QUESTION)]
    questions = prepare_all(asked, VOCABULARY)
    whole = [candidates(light.execute(light.read(one), one)) for one in questions]
    monkeypatch.setattr(cells, "CELLS_AT_ONCE", 20)
    monkeypatch.setattr(row_attention, "PAIRS_AT_ONCE", 70)
    monkeypatch.setattr(table_linker, "COMPARED_AT_ONCE", 0)
    monkeypatch.setattr(executor, "cores", lambda: cores)
    for question, expected in zip(questions, whole, strict=True):
        parts = light.execute(light.read(question), question)
        np.testing.assert_allclose(candidates(parts), expected, atol=2e-4)


def test_numbers_of_two_bytes_are_read_as_they_are() -> None:
    every = np.arange(2**16, dtype=np.uint16).view(np.float16)
    finite = every[np.isfinite(every)]
    np.testing.assert_array_equal(as_floats(finite), finite.astype(np.float32))
