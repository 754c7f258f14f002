"""The open model over tables that are asked together, and over one of them."""

import pytest
import torch
from torch import Tensor

from neural_enquirer.encoding.open import prepare_all
from neural_enquirer.encoding.open_batch import OpenBatch
from neural_enquirer.encoding.padding import collate
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.model.cascade import Cascade, TableView
from neural_enquirer.model.open_enquirer import OpenConfig, OpenEnquirer
from neural_enquirer.model.output import Output
from neural_enquirer.tables import Table
from neural_enquirer.training.losses import answer_loss

VOCABULARY = Vocabulary(("city", "of", "the", "which", "largest", "amount"), frozenset())
ORDERS = Table.of(
    [{"order": i, "customer": name, "amount": 10 * i} for i, name in enumerate("abcabd", start=1)]
)
CUSTOMERS = Table.of([{"name": name, "city": f"town {name}", "age": ord(name)} for name in "cab"])
CITIES = Table.of([{"town": f"town {name}", "land": f"land {name}"} for name in "abx"])
STRANGERS = Table.of([{"planet": "mars", "moons": 22}, {"planet": "venus", "moons": 0}])
QUESTION = "which city has the largest amount of order 4"


@pytest.fixture(scope="module")
def model() -> OpenEnquirer:
    torch.manual_seed(3)
    config = OpenConfig(
        executors=4, embedding_size=8, link_size=4, field_size=8, cell_size=8, annotation_size=8,
        hidden_size=12, state_size=6, attention_size=5,
    )  # fmt: skip
    made = OpenEnquirer(config, torch.randn(len(VOCABULARY) - 1, 8))
    for weight in made.parameters():  # what begins as zero would hide mistakes
        torch.nn.init.normal_(weight, std=0.4)
    return made.eval()


@torch.no_grad()
def deaf(model: OpenEnquirer) -> Cascade:
    """A cascade of the same weights that knows of no other tables."""
    cascade = Cascade(model.cascade.sizes, answer_sees_fields=True)
    known, own = cascade.state_dict(), model.cascade.state_dict()
    cascade.load_state_dict({name: own[name] for name in known})
    return cascade


def answer(model: OpenEnquirer, *tables: Table, questions: tuple[str, ...] = (QUESTION,)) -> Output:
    output: Output = model(asked(*tables, questions=questions))
    return output


def asked(*tables: Table, questions: tuple[str, ...] = (QUESTION,)) -> OpenBatch:
    return collate(prepare_all([(tables, text) for text in questions], VOCABULARY))


def close(one: Tensor, other: Tensor) -> None:
    torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-5)


def test_a_single_table_is_answered_by_the_cascade_of_the_paper(model: OpenEnquirer) -> None:
    batch = asked(ORDERS)
    (table,) = batch.tables
    with torch.no_grad():
        reading = model.read(batch)
        meanings = model.cell_encoder.meanings(reading.names[0], reading.evidence[0])
        view = TableView(reading.names[0], model.cell_encoder(meanings, table), *table.masks)
        alone = deaf(model)(reading.query, [view]).table
    output = answer(model, ORDERS)

    present = output.tables[0].answer_scores.isfinite()
    assert present.any()
    assert torch.equal(output.tables[0].answer_scores[present], alone.answer_scores[present])
    assert all(map(torch.equal, output.tables[0].field_scores, alone.field_scores))


def test_a_reading_has_the_fields_of_all_tables(model: OpenEnquirer) -> None:
    with torch.no_grad():
        reading = model.read(asked(ORDERS, CUSTOMERS))
        turned = model.read(asked(CUSTOMERS, ORDERS))

    assert reading.alpha.shape[2] == reading.fields.shape[1] == 4 + 4  # and the order of rows
    close(reading.alpha[..., :4], turned.alphas[1])
    close(reading.fields[:, 4:], turned.names[0])
    close(reading.states, turned.states)
    close(reading.evidence[0].mentions, turned.evidence[0].mentions)
    spans = reading.evidence[0].mentions, reading.evidence[0].quantities
    assert {span.shape[2] for span in spans} == {reading.states.shape[2]}


def test_gradients_are_finite_and_reach_every_weight(model: OpenEnquirer) -> None:
    batch = collate(prepare_all([((ORDERS, CUSTOMERS), QUESTION)], VOCABULARY), answers=[((1, 0, 1),)])
    answer_loss(model(batch), batch).backward()
    for name, parameter in model.named_parameters():
        if not name.startswith("decoder."):
            assert parameter.grad is not None, name
            assert parameter.grad.isfinite().all(), name
    model.zero_grad()


def test_the_order_of_the_tables_does_not_matter(model: OpenEnquirer) -> None:
    one, other = answer(model, ORDERS, CUSTOMERS), answer(model, CUSTOMERS, ORDERS)

    close(one.tables[0].answer_scores, other.tables[1].answer_scores)
    close(one.tables[1].answer_scores, other.tables[0].answer_scores)
    assert one.none_scores is not None
    assert other.none_scores is not None
    close(one.none_scores, other.none_scores)


def test_the_order_of_rows_does_not_matter_to_the_link(model: OpenEnquirer) -> None:
    turned = Table(CUSTOMERS.fields, tuple(column[::-1] for column in CUSTOMERS.columns))

    link, other = answer(model, ORDERS, CUSTOMERS).links[0, 1], answer(model, ORDERS, turned).links[0, 1]

    close(link.fields, other.fields)
    close(link.rows, other.rows.flip(2))
    assert link.rows[0, 0, 1] > 0  # the first order is by a, who is the second customer
    assert link.rows[0, 5].sum() == 0  # d is no customer


def test_other_tables_are_listened_to(model: OpenEnquirer) -> None:
    older = Table.of([{"name": name, "city": f"town {name}", "age": -ord(name)} for name in "cab"])

    ours, theirs = answer(model, ORDERS, CUSTOMERS), answer(model, ORDERS, older)

    assert not torch.allclose(ours.tables[0].answer_scores, theirs.tables[0].answer_scores)


def test_tables_without_anything_in_common(model: OpenEnquirer) -> None:
    output = answer(model, ORDERS, STRANGERS)

    assert output.candidates().softmax(dim=1).sum().item() == pytest.approx(1)
    assert output.links[0, 1].rows.abs().max() == 0


def test_three_tables(model: OpenEnquirer) -> None:
    output = answer(model, ORDERS, CUSTOMERS, CITIES)
    turned = answer(model, CITIES, ORDERS, CUSTOMERS)

    assert output.candidates().softmax(dim=1).sum().item() == pytest.approx(1)
    close(output.tables[2].answer_scores, turned.tables[0].answer_scores)
    assert output.links[1, 2].rows[0, 1, 0] > 0  # customer a lives in town a


def test_questions_together_are_answered_as_alone(model: OpenEnquirer) -> None:
    texts = ("city of a", QUESTION)
    together = answer(model, ORDERS, CUSTOMERS, questions=texts).candidates()

    for i, text in enumerate(texts):
        close(together[i], answer(model, ORDERS, CUSTOMERS, questions=(text,)).candidates()[0])


def test_a_new_model_begins_without_listening_to_other_tables() -> None:
    torch.manual_seed(0)
    made = OpenEnquirer(OpenConfig(executors=3), torch.randn(len(VOCABULARY) - 1, 64)).eval()
    with torch.no_grad():
        for name, weight in made.named_parameters():
            if ".relevant_" in name or ".linked_rows" in name:
                assert not weight.any()
