"""Word meanings: words that were never learned are read by their fixed vectors."""

from collections.abc import Iterator

import pytest
import torch
from jaxtyping import Float
from torch import Tensor

from neural_enquirer.encoding.open import prepare_all, vector_rows
from neural_enquirer.encoding.open_batch import OpenBatch
from neural_enquirer.encoding.padding import collate
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.model.open_enquirer import OpenConfig, OpenEnquirer
from neural_enquirer.tables import Table

VOCABULARY = Vocabulary(("which", "is", "the", "most", "heavy"), frozenset(), vectors=True)
TABLE = Table.of([{"animal": "cow", "weight": 700, "price": 900}, {"animal": "hen", "weight": 2, "price": 9}])
SIZES = {"embedding_size": 8, "link_size": 4, "field_size": 8, "cell_size": 8, "hidden_size": 8}


def made(**settings: object) -> OpenEnquirer:
    torch.manual_seed(0)
    config = OpenConfig(executors=2, state_size=4, word_vectors=True, **SIZES, **settings)  # type: ignore[arg-type]
    return OpenEnquirer(config, torch.randn(len(VOCABULARY) - 1, 8), vector_rows(VOCABULARY)).eval()


def asked(question: str) -> OpenBatch:
    return collate(prepare_all([((TABLE,), question)], VOCABULARY))


def links(model: OpenEnquirer, question: str) -> Iterator[list[float]]:
    """How much each word speaks of each field but the order of rows."""
    alpha: Float[Tensor, "batch token field"] = model.read(asked(question)).alpha
    yield from alpha[0, :, :3].tolist()


def test_an_unlearned_word_speaks_of_the_header_that_it_is_close_to() -> None:
    model = made()
    with torch.no_grad():
        model.linker.of_word.weight.zero_()  # what was learned says nothing
        animal, weight, price = list(links(model, "which is the most hefty"))[-1]
    assert weight > 1.5 * max(animal, price)


def test_unlearned_words_are_read_as_what_their_vectors_say() -> None:
    model = made()
    hefty, bulky, nonsense = (model.read(asked(f"which is {word}")) for word in ("hefty", "bulky", "zzxq"))
    assert not torch.allclose(hefty.states, bulky.states)
    with torch.no_grad():
        assert model.meanings is not None
        model.meanings.project.weight.zero_()
        model.meanings.close.zero_()
        hefty, bulky = (model.read(asked(f"which is {word}")) for word in ("hefty", "bulky"))
    assert torch.allclose(hefty.states, bulky.states)
    assert not torch.allclose(hefty.states, nonsense.states)


def test_a_forgotten_word_is_read_like_one_that_was_never_learned() -> None:
    model = made(word_dropout=0.999).train()
    torch.manual_seed(1)
    forgotten = model.read(asked("heavy")).states
    with torch.no_grad():
        model.embedding[VOCABULARY.codes["heavy"] - 1] += 5
    torch.manual_seed(1)
    assert torch.equal(forgotten, model.read(asked("heavy")).states)
    assert not torch.allclose(forgotten, model.eval().read(asked("heavy")).states)


def test_rows_and_setting_belong_together() -> None:
    with pytest.raises(ValueError, match="rows"):
        OpenEnquirer(OpenConfig(word_vectors=True), torch.randn(3, 64))


def test_fixed_vectors_are_not_stored() -> None:
    stored = {name for name in made().state_dict() if name.startswith("meanings")}
    assert stored == {"meanings.project.weight", "meanings.close"}
