"""The open model over several tables."""

import pytest
import torch
from torch import Tensor

from neural_enquirer.encoding.open import OpenQuestion, collate, prepare
from neural_enquirer.encoding.open_multi import SeveralIndex, collate_several, prepare_several
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.model import row_attention, table_linker
from neural_enquirer.model.multi_table import MultiOutput
from neural_enquirer.model.open_multi_enquirer import OpenMultiConfig, OpenMultiEnquirer
from neural_enquirer.tables import Table

VOCABULARY = Vocabulary(("city", "of", "the", "which", "largest", "amount"), frozenset())
ORDERS = Table.of(
    [{"order": i, "customer": name, "amount": 10 * i} for i, name in enumerate("abcabd", start=1)]
)
CUSTOMERS = Table.of([{"name": name, "city": f"town {name}", "age": ord(name)} for name in "cab"])
CITIES = Table.of([{"town": f"town {name}", "land": f"land {name}"} for name in "abx"])
STRANGERS = Table.of([{"planet": "mars", "moons": 22}, {"planet": "venus", "moons": 0}])
QUESTION = "which city has the largest amount of order 4"


@pytest.fixture(scope="module")
def model() -> OpenMultiEnquirer:
    torch.manual_seed(3)
    config = OpenMultiConfig(
        executors=4, embedding_size=8, link_size=4, field_size=8, cell_size=8, annotation_size=8,
        hidden_size=12, state_size=6, attention_size=5,
    )  # fmt: skip
    made = OpenMultiEnquirer(config, torch.randn(len(VOCABULARY) - 1, 8))
    for weight in made.parameters():  # what begins as zero would hide mistakes
        torch.nn.init.normal_(weight, std=0.4)
    return made.eval()


@torch.no_grad()
def answer(model: OpenMultiEnquirer, *tables: Table, questions: tuple[str, ...] = (QUESTION,)) -> MultiOutput:
    index = SeveralIndex.of([TableIndex.of(table) for table in tables], ["x"] * len(tables))
    output = model(collate_several([prepare_several(text, index, VOCABULARY) for text in questions]))
    assert isinstance(output, MultiOutput)
    return output


def single(table: Table) -> OpenQuestion:
    return prepare(QUESTION, TableIndex.of(table), VOCABULARY)


def close(one: Tensor, other: Tensor) -> None:
    torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-5)


def test_a_single_table_is_answered_as_by_the_open_model(model: OpenMultiEnquirer) -> None:
    with torch.no_grad():
        alone = model(collate([single(ORDERS)]))
    several = answer(model, ORDERS)

    close(several.candidates(), alone.candidates())


def test_the_order_of_the_tables_does_not_matter(model: OpenMultiEnquirer) -> None:
    one, other = answer(model, ORDERS, CUSTOMERS), answer(model, CUSTOMERS, ORDERS)

    close(one.tables[0].answer_scores, other.tables[1].answer_scores)
    close(one.tables[1].answer_scores, other.tables[0].answer_scores)
    assert one.none_scores is not None
    assert other.none_scores is not None
    close(one.none_scores, other.none_scores)


def test_the_order_of_rows_does_not_matter_to_the_link(model: OpenMultiEnquirer) -> None:
    turned = Table(CUSTOMERS.fields, tuple(column[::-1] for column in CUSTOMERS.columns))

    link, other = answer(model, ORDERS, CUSTOMERS).links[0, 1], answer(model, ORDERS, turned).links[0, 1]

    close(link.fields, other.fields)
    close(link.rows, other.rows.flip(2))
    assert link.rows[0, 0, 1] > 0  # the first order is by a, who is the second customer
    assert link.rows[0, 5].sum() == 0  # d is no customer


def test_other_tables_are_listened_to(model: OpenMultiEnquirer) -> None:
    older = Table.of([{"name": name, "city": f"town {name}", "age": -ord(name)} for name in "cab"])

    ours, theirs = answer(model, ORDERS, CUSTOMERS), answer(model, ORDERS, older)

    assert not torch.allclose(ours.tables[0].answer_scores, theirs.tables[0].answer_scores)


def test_tables_without_anything_in_common(model: OpenMultiEnquirer) -> None:
    output = answer(model, ORDERS, STRANGERS)

    assert output.candidates().softmax(dim=1).sum().item() == pytest.approx(1)
    assert output.links[0, 1].rows.abs().max() == 0


def test_three_tables(model: OpenMultiEnquirer) -> None:
    output = answer(model, ORDERS, CUSTOMERS, CITIES)
    turned = answer(model, CITIES, ORDERS, CUSTOMERS)

    assert output.candidates().softmax(dim=1).sum().item() == pytest.approx(1)
    close(output.tables[2].answer_scores, turned.tables[0].answer_scores)
    assert output.links[1, 2].rows[0, 1, 0] > 0  # customer a lives in town a


def test_questions_together_are_answered_as_alone(model: OpenMultiEnquirer) -> None:
    texts = ("city of a", QUESTION)
    together = answer(model, ORDERS, CUSTOMERS, questions=texts).candidates()

    for i, text in enumerate(texts):
        close(together[i], answer(model, ORDERS, CUSTOMERS, questions=(text,)).candidates()[0])


def test_long_tables_are_worked_on_in_parts(
    model: OpenMultiEnquirer, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = answer(model, ORDERS, CUSTOMERS)
    monkeypatch.setattr(row_attention, "PAIRS_AT_ONCE", 4)
    monkeypatch.setattr(table_linker, "COMPARED_AT_ONCE", 1)

    parts = answer(model, ORDERS, CUSTOMERS)

    close(whole.candidates(), parts.candidates())
    close(whole.links[0, 1].fields, parts.links[0, 1].fields)


def test_a_new_model_begins_without_listening_to_other_tables() -> None:
    torch.manual_seed(0)
    made = OpenMultiEnquirer(OpenMultiConfig(executors=3), torch.randn(len(VOCABULARY) - 1, 64)).eval()
    with torch.no_grad():
        for name, weight in made.named_parameters():
            if ".relevant_" in name or ".linked_rows" in name:
                assert not weight.any()
