"""Word table: words that were never learned are read by numpy as by torch."""

import numpy as np
import pytest
import torch

from neural_enquirer.checkpoint import Checkpoint
from neural_enquirer.encoding.open import OpenQuestion, prepare_all, vector_rows
from neural_enquirer.encoding.padding import collate
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.model.open_enquirer import OpenConfig, OpenEnquirer
from neural_enquirer.tables import Table

TABLE = Table.of(
    [{"animal": "cow", "body weight": 700, "zzxq": 1}, {"animal": "hen", "body weight": 2, "zzxq": 3}]
)


def checkpoint(vectors: bool) -> Checkpoint:
    torch.manual_seed(0)
    vocabulary = Vocabulary(("which", "is", "the", "most", "heavy"), frozenset(), vectors=vectors)
    rows = vector_rows(vocabulary) if vectors else None
    model = OpenEnquirer(OpenConfig(executors=2, word_vectors=vectors), torch.randn(6, 64), rows)
    return Checkpoint(model.eval(), vocabulary, "natural")


def asked(question: str, vocabulary: Vocabulary) -> OpenQuestion:
    (prepared,) = prepare_all([((TABLE,), question)], vocabulary)
    return prepared


@pytest.mark.parametrize("vectors", [True, False])
def test_numpy_reads_what_torch_reads(vectors: bool) -> None:
    trained = checkpoint(vectors)
    light = trained.light()
    for question in ("which animal is the most hefty", "is the zzxq heavy", "qqxz", "heaviest"):
        prepared = asked(question, trained.vocabulary)
        found = light.model.read(prepared)
        with torch.no_grad():
            wanted = trained.model.read(collate([prepared]))  # type: ignore[operator]
        assert found.alpha == pytest.approx(wanted.alpha[0].numpy(), abs=1e-5)
        assert found.query == pytest.approx(wanted.query[0].numpy(), abs=1e-5)


def test_a_word_that_was_never_learned_speaks_of_what_it_means() -> None:
    trained = checkpoint(vectors=True)
    with torch.no_grad():
        trained.model.linker.of_word.weight.zero_()  # type: ignore[union-attr, operator]
    reading = trained.light().model.read(asked("hefty", trained.vocabulary))
    assert np.argmax(reading.alpha[0]) == 1
