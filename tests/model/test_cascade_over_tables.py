"""The cascade over several tables: what must hold whatever its weights are."""

from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from neural_enquirer.model.cascade import Cascade, TableView
from neural_enquirer.model.executor_set import Sizes
from neural_enquirer.model.output import Output
from neural_enquirer.model.row_attention import LinkedAttention, RowAttention
from neural_enquirer.model.table_linker import TableLinker, pair_features, same_values

SIZES: dict[str, Any] = {
    "field_size": 4,
    "cell_size": 3,
    "query_size": 6,
    "annotation_size": 5,
    "hidden_size": 7,
    "executors": 4,
    "attention_size": 8,
}
BATCH = 3
KINDS = pytest.mark.parametrize(
    "settings", [{"linked": False}, {"linked": True}, {"linked": True, "answer_sees_fields": True}]
)


def cascade(**settings: Any) -> Cascade:
    torch.manual_seed(0)
    return Cascade(Sizes(**SIZES), asks=True, **settings).double().eval()


def table(rows: int, fields: int, seed: int = 0, first_value: int = 1) -> TableView:
    rng = torch.Generator().manual_seed(100 * rows + 10 * fields + seed)
    return TableView(
        names=torch.randn(BATCH, fields, SIZES["field_size"], generator=rng, dtype=torch.float64),
        cells=torch.randn(BATCH, fields, rows, SIZES["cell_size"], generator=rng, dtype=torch.float64),
        values=torch.randint(first_value, first_value + 9, (BATCH, rows, fields), generator=rng),
    )


def padded(view: TableView, rows: int = 2, fields: int = 1) -> TableView:
    """The same table with as much padding behind it, in which anything may stand."""
    batch, width, height, _ = view.cells.shape
    assert view.values is not None
    return TableView(
        names=functional.pad(view.names, (0, 0, 0, fields), value=7.0),
        cells=functional.pad(view.cells, (0, 0, 0, rows, 0, fields), value=-3.0),
        field_mask=(torch.arange(width + fields) < width).expand(batch, -1),
        row_mask=(torch.arange(height + rows) < height).expand(batch, -1),
        values=functional.pad(view.values, (0, fields, 0, rows)),
    )


def query() -> Tensor:
    return torch.randn(BATCH, 6, generator=torch.Generator().manual_seed(5), dtype=torch.float64)


def same(ours: Output, k: int, theirs: Output, other_k: int) -> None:
    """Asserts that one table of an output is another one's."""
    one, other = ours.tables[k], theirs.tables[other_k]
    torch.testing.assert_close(one.answer_scores, other.answer_scores)
    torch.testing.assert_close(one.field_scores, other.field_scores)
    for memory, expected in zip(one.memories, other.memories, strict=True):
        torch.testing.assert_close(vars(memory), vars(expected))


@KINDS
def test_one_table_is_the_single_table_cascade(settings: dict[str, Any]) -> None:
    several = cascade(**settings)
    shared = {key: value for key, value in settings.items() if key != "linked"}
    single = Cascade(Sizes(**SIZES), **shared).double()
    known = single.state_dict()
    single.load_state_dict({name: value for name, value in several.state_dict().items() if name in known})
    view = table(4, 3)
    ours = several(query(), [view])
    theirs = single(query(), [view])
    torch.testing.assert_close(ours.table.answer_scores, theirs.table.answer_scores, rtol=0, atol=0)
    torch.testing.assert_close(ours.table.field_scores, theirs.table.field_scores, rtol=0, atol=0)


@KINDS
@pytest.mark.parametrize("order", [(1, 0), (2, 0, 1), (1, 2, 0)])
def test_the_order_of_the_tables_does_not_matter(settings: dict[str, Any], order: tuple[int, ...]) -> None:
    model = cascade(**settings)
    tables = [table(4, 3), table(5, 2), table(2, 4)][: len(order)]
    before = model(query(), tables)
    after = model(query(), [tables[k] for k in order])
    for place, k in enumerate(order):
        same(after, place, before, k)
    first, second = order[0], order[1]
    torch.testing.assert_close(after.asked[1].weights[0, 1], before.asked[1].weights[first, second])
    if settings["linked"]:
        torch.testing.assert_close(after.links[0, 1].fields, before.links[first, second].fields)


@KINDS
def test_executors_of_its_own_for_each_table(settings: dict[str, Any]) -> None:
    """With equal weights they are the shared ones; with others, each goes with its table."""
    shared, own = cascade(**settings), cascade(**settings, sets=2)
    tables = [table(4, 3), table(5, 2)]
    own.load_state_dict(shared.state_dict(), strict=False)
    own.further[0].load_state_dict(shared.state_dict(), strict=False)
    expected = shared(query(), tables)
    torch.testing.assert_close(own(query(), tables).candidates(), expected.candidates())
    with torch.no_grad():
        own.further[0].executors[0].reader.score.weight.neg_()
    changed = own(query(), tables)
    torch.testing.assert_close(changed.tables[0].field_scores[0], expected.tables[0].field_scores[0])
    torch.testing.assert_close(changed.tables[1].field_scores[0], -expected.tables[1].field_scores[0])
    assert not torch.allclose(changed.tables[0].answer_scores, expected.tables[0].answer_scores)


@KINDS
@pytest.mark.parametrize("count", [2, 3])
def test_padding_changes_nothing(settings: dict[str, Any], count: int) -> None:
    model = cascade(**settings)
    tables = [table(4, 3), table(5, 2), table(2, 4)][:count]
    plain = model(query(), tables)
    wide = model(query(), [padded(view) for view in tables])
    for ours, theirs in zip(wide.tables, plain.tables, strict=True):
        rows, fields = theirs.answer_scores.shape[1:]
        torch.testing.assert_close(ours.answer_scores[:, :rows, :fields], theirs.answer_scores)
        assert (ours.answer_scores[:, rows:] == -torch.inf).all()
        assert (ours.answer_scores[:, :, fields:] == -torch.inf).all()
    weights, expected = wide.asked[2].weights[0, 1], plain.asked[2].weights[0, 1]
    torch.testing.assert_close(weights[:, : expected.shape[1], : expected.shape[2]], expected)
    assert (weights[:, :, expected.shape[2] :] == 0).all()


@KINDS
def test_all_weights_are_distributions(settings: dict[str, Any]) -> None:
    output = cascade(**settings)(query(), [table(4, 3), table(5, 2), table(2, 4)])
    total = sum(part.sum(dim=(1, 2)) for part in output.probabilities())
    torch.testing.assert_close(total, torch.ones(BATCH, dtype=torch.float64))
    assert output.asked[0].weights == {}
    for layer in output.asked[1:]:
        assert len(layer.weights) == 6
        for weights in layer.weights.values():
            torch.testing.assert_close(weights.sum(dim=2), torch.ones_like(weights[:, :, 0]))
        for weights in layer.linked.values():
            assert (weights >= 0).all()
            assert (weights.sum(dim=2) <= 1).all()
    assert all((link.fields.sum(dim=(1, 2)) <= 1).all() for link in output.links.values())


def test_none_of_them_is_one_more_candidate() -> None:
    output = cascade(linked=False)(query(), [table(4, 3), table(5, 2)])
    with_none = replace(output, none_scores=torch.full((BATCH,), 50.0, dtype=torch.float64))
    assert with_none.candidates().shape == (BATCH, 12 + 10 + 1)
    assert (with_none.probabilities()[0] < 1e-9).all()


def test_tables_see_each_other_only_through_what_was_found_before() -> None:
    """The first executor and all field weights of the second know their own table only."""
    model = cascade(linked=True)
    own = table(4, 3)
    one, other = (model(query(), [own, table(5, 2, seed)]) for seed in (0, 1))
    torch.testing.assert_close(one.tables[0].field_scores[:2], other.tables[0].field_scores[:2])
    torch.testing.assert_close(one.tables[0].memories[0].rows, other.tables[0].memories[0].rows)
    assert not torch.allclose(one.tables[0].memories[1].rows, other.tables[0].memories[1].rows)


def test_tables_without_a_value_in_common_have_no_link() -> None:
    """Where no row fits, nothing is fetched through links, and answers do not depend on them."""
    model = cascade(linked=True)
    tables = [table(4, 3), table(5, 2, first_value=20)]
    output = model(query(), tables)
    assert (output.links[0, 1].fields == 0).all()
    assert (output.links[0, 1].rows == 0).all()
    assert (output.asked[1].linked[0, 1] < 1e-6).all()
    assert output.candidates().isfinite().all()
    unknown = [replace(view, values=torch.zeros_like(view.values)) for view in tables]
    torch.testing.assert_close(model(query(), unknown).candidates(), output.candidates())


@KINDS
@pytest.mark.parametrize("sets", [1, 3])
def test_gradients_are_finite_and_reach_every_weight(settings: dict[str, Any], sets: int) -> None:
    model = cascade(**settings, sets=sets)
    scores = model(query(), [padded(table(4, 3)), table(5, 2), table(2, 4)]).candidates()
    functional.cross_entropy(scores, torch.tensor([0, 7, 30])).backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.isfinite().all(), name
        assert parameter.grad.abs().max() > 0, name


def test_attention_is_that_of_the_concatenated_inputs() -> None:
    """γ with its inputs side by side, as the paper writes it, for one pair of rows."""
    torch.manual_seed(1)
    attention = RowAttention(3, 6, 5, 8).double()
    model = cascade(linked=False)
    output = model(query(), [table(4, 3), table(5, 2)])
    memory, other = (part.memories[0] for part in output.tables)
    read = torch.randn(BATCH, 4, 3, dtype=torch.float64)
    scores = attention(attention.own_term(read, query(), memory), attention.other_term(other), None)
    inputs = {
        "read": read[2, 1],
        "query": query()[2],
        "rows": memory.rows[2, 1],
        "table": memory.table[2],
        "other_rows": other.rows[2, 3],
        "other_table": other.table[2],
    }
    weight = torch.cat([attention.hidden.weight[name] for name in inputs], dim=1)
    hidden = torch.tanh(weight @ torch.cat(list(inputs.values())) + attention.hidden.bias)
    torch.testing.assert_close(scores[2, 1, 3], attention.score(hidden)[0])


def test_features_tell_a_key_from_other_fields() -> None:
    games = torch.tensor([[[11, 1], [12, 2], [11, 3], [13, 9]]])  # country, medals
    countries = torch.tensor([[[12, 9], [11, 8], [13, 8], [0, 0]]])  # country, size; one row is padding
    equal = same_values(games, countries)
    features = pair_features(equal.any(dim=2), equal.any(dim=1), games, countries)
    # The share of rows found in the other table: greater, lesser; the same where they are distinct there.
    torch.testing.assert_close(features[0, 0, 0], torch.tensor([1.0, 1.0, 1.0, 0.75]))
    torch.testing.assert_close(features[0, 1, 1], torch.tensor([1 / 3, 0.25, 1 / 3, 1 / 6]))
    assert (features[0, 0, 1] == 0).all()


@torch.no_grad()
def test_links_are_the_shared_values_of_the_linking_fields() -> None:
    torch.manual_seed(2)
    linker = TableLinker(4, 6, 8)
    games = torch.tensor([[[11, 1], [12, 2], [11, 3]]])
    countries = torch.tensor([[[12, 3], [11, 8]]])
    names, other_names, asked = torch.randn(1, 2, 4), torch.randn(1, 2, 4), torch.randn(1, 6)
    link = linker(asked, names, other_names, games, countries)
    country, size = float(link.fields[0, 0, 0]), float(link.fields[0, 1, 1])
    assert float(link.fields[0, 0, 1]) == 0 == float(link.fields[0, 1, 0])  # no value in common
    torch.testing.assert_close(link.rows[0], torch.tensor([[0, country], [country, 0], [size, country]]))
    swapped = linker(asked, other_names, names, countries, games)
    torch.testing.assert_close(swapped.fields, link.reversed().fields)
    torch.testing.assert_close(swapped.rows, link.reversed().rows)


def test_a_row_without_a_link_fetches_nothing() -> None:
    weights = LinkedAttention()(torch.zeros(1, 2, 3), torch.tensor([[[0.0, 1.0, 1.0], [0.0, 0.0, 0.0]]]))
    assert weights[0, 0, 0] < 1e-6
    torch.testing.assert_close(weights[0, 0, 1], weights[0, 0, 2])
    assert weights[0, 0].sum() > 0.95
    assert weights[0, 1].sum() < 1e-6
