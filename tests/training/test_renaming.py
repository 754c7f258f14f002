from dataclasses import replace

import pytest
import torch

from decoding import table_of, texts
from neural_enquirer.encoding.batch import Batch
from neural_enquirer.encoding.closed import encode, vocabulary_of
from neural_enquirer.programs.paper import the_cell
from neural_enquirer.programs.paper_parsing import parse_paper
from neural_enquirer.synthesis.tasks import generate
from neural_enquirer.training.forms import TrainingForms
from neural_enquirer.training.renaming import Renaming, as_number, order_preserving

EXAMPLES = generate("olympics-25k", "train", examples=100)
VOCABULARY = vocabulary_of(EXAMPLES)
FORMS = TrainingForms.of(EXAMPLES, VOCABULARY)
BATCH = replace(encode(EXAMPLES, VOCABULARY, "sql"), forms=FORMS.places)
RENAMING = Renaming.of(VOCABULARY, BATCH, FORMS.allowed)


@pytest.fixture(scope="module")
def renamed() -> Batch:
    torch.manual_seed(0)
    return RENAMING(BATCH)


def test_the_answer_stays_where_it_is(renamed: Batch) -> None:
    """The renamed question, asked of the renamed table, is answered by the same cell."""
    for index in range(len(BATCH)):
        program = parse_paper(" ".join(texts(VOCABULARY, renamed.words[index].tolist())))
        cell = the_cell(program, [table_of(VOCABULARY, renamed, index)])
        assert cell.row * 10 + cell.column == BATCH.answers[index]


def test_names_change_and_everything_else_stays(renamed: Batch) -> None:
    assert (renamed.table.cells != BATCH.table.cells).float().mean() > 0.8
    assert torch.equal(renamed.table.fields, BATCH.table.fields)
    assert torch.equal(renamed.table.mentions, BATCH.table.mentions)
    same = renamed.words == BATCH.words
    for ours, theirs in zip(renamed.words[~same].tolist(), BATCH.words[~same].tolist(), strict=True):
        before, after = VOCABULARY.words[theirs - 2], VOCABULARY.words[ours - 2]
        assert (before in VOCABULARY.entities) == (after in VOCABULARY.entities)
        assert before in VOCABULARY.entities or as_number(before) is not None


def test_a_field_keeps_its_kind_of_entities(renamed: Batch) -> None:
    for name in ("host_city", "host_country"):
        field = BATCH.table.fields == VOCABULARY.codes[name]
        before = set(BATCH.table.cells.transpose(1, 2)[field].unique().tolist())
        after = set(renamed.table.cells.transpose(1, 2)[field].unique().tolist())
        assert after <= before


def test_every_call_draws_other_names() -> None:
    assert not torch.equal(RENAMING(BATCH).table.cells, RENAMING(BATCH).table.cells)


def test_a_question_whose_every_draw_is_kept_for_testing_keeps_its_own_names() -> None:
    """Only the first ten examples may be renamed at all."""
    allowed = torch.zeros_like(FORMS.allowed)
    places = FORMS.places.clone()
    places[10:, 0] = len(allowed)
    renaming = Renaming.of(VOCABULARY, BATCH, torch.cat([torch.ones_like(allowed), allowed[:1]]))
    renamed = renaming(replace(BATCH, forms=places))
    assert torch.equal(renamed.words[10:], BATCH.words[10:])
    assert torch.equal(renamed.table.cells[10:], BATCH.table.cells[10:])
    assert (renamed.table.cells[:10] != BATCH.table.cells[:10]).float().mean() > 0.8


def test_of_the_draws_one_that_is_allowed_is_taken() -> None:
    """Half of the values are forbidden: hardly a question is left without a good draw of four."""
    allowed = FORMS.allowed.clone()
    allowed[:, 2::2] = False
    torch.manual_seed(1)
    renamed = Renaming.of(VOCABULARY, BATCH, allowed)(BATCH)
    value = FORMS.places[:, 1]
    where = BATCH.words == value[:, None]
    named = (value > 0) & where.any(dim=1)
    after = renamed.words.gather(1, where.long().argmax(dim=1)[:, None])[:, 0].long()
    changed = named & (renamed.table.cells != BATCH.table.cells).flatten(1).any(dim=1)
    assert bool(allowed[FORMS.places[:, 0], after][changed].all())
    assert changed.sum() > 0.65 * named.sum()  # one draw alone would be good in 0.4 of them


def test_questions_without_their_forms_are_not_renamed() -> None:
    with pytest.raises(ValueError, match="logical forms are known"):
        RENAMING(replace(BATCH, forms=None))


def test_equal_words_stay_equal_and_different_ones_different(renamed: Batch) -> None:
    for before, after in zip(BATCH.table.cells.flatten(1), renamed.table.cells.flatten(1), strict=True):
        equal = before[:, None] == before[None, :]
        assert torch.equal(equal, after[:, None] == after[None, :])


def test_order_preserving_by_hand() -> None:
    """Numbers 1 and 3 are there; of the five, 0 and 4 have the lowest chance."""
    there = torch.tensor([[False, True, False, True, False]])
    chance = torch.tensor([[0.1, 0.8, 0.9, 0.7, 0.2]])
    assert order_preserving(there, chance)[there].tolist() == [0, 4]


@pytest.mark.parametrize(
    ("word", "number"),
    [("3,500", 3500), ("12", 12), ("1.5", 1.5), ("athens", None), ("nan", None), (",", None)],
)
def test_as_number(word: str, number: float | None) -> None:
    assert as_number(word) == number
