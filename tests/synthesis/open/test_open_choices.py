import pytest
from tables_for_questions import HEIGHT, NAME, drawn

from neural_enquirer.synthesis.open.columns import Column
from neural_enquirer.synthesis.open.draw import Draw, attempted
from neural_enquirer.synthesis.open.lexicon import family
from neural_enquirer.synthesis.open.tables import draw_table
from neural_enquirer.synthesis.open.without_program import Either, draw_either, write_either
from neural_enquirer.synthesis.open.wording import Wording


def brute_force(plan: Either) -> int:
    """The row that is meant: both are sorted by the field that decides."""
    pairs = sorted((plan.by.cells[row], row) for row in plan.rows)
    return pairs[-1 if plan.most else 0][1]


@pytest.mark.parametrize("wording", ["literal", "natural"])
def test_the_answer_is_the_one_that_has_more(wording: str) -> None:
    found = 0
    for number in range(600):
        draw = Draw("either", wording, number)
        table = draw_table(draw, "train", wording)
        plan = attempted(draw_either, draw, table, wording == "natural")
        if plan is None:
            continue
        found += 1
        one, other = plan.rows
        names = [str(cell).casefold() for cell in plan.named.cells]
        assert plan.row == brute_force(plan)
        assert plan.by.cells[one] != plan.by.cells[other]
        assert names.count(names[one]) == names.count(names[other]) == 1
        assert plan.target.cells[plan.row] is not None
        assert plan.target is not plan.by
    assert found > 200


def test_both_names_are_said() -> None:
    table = drawn(NAME, HEIGHT)
    said = set()
    for number in range(300):
        draw = Draw("said", number)
        plan = attempted(draw_either, draw, table, natural=True)
        if plan is not None:
            question = write_either(draw, table, plan, Wording(draw, table, natural=True)).lower()
            for row in plan.rows:
                assert str(NAME.cells[row]).lower() in question
            said.add(question)

    assert any("which is taller, " in question for question in said)
    assert any(question.startswith("is ") for question in said)
    assert not any("{" in question for question in said)


def test_no_rank_is_called_high_or_low() -> None:
    rank = Column("rank", "number", [3, 1, 2], family("rank"))
    table = drawn(NAME, rank)
    for number in range(200):
        draw = Draw("rank", number)
        words = Wording(draw, table, natural=True)
        plan = attempted(draw_either, draw, table, natural=True)
        if plan is not None:
            question = write_either(draw, table, plan, words).lower()
            if not words.unclear:
                assert not any(f"{word} rank " in f"{question} " for word in ("higher", "highest", "lower"))


def test_literal_choices_use_no_words_of_families() -> None:
    table = drawn(NAME, HEIGHT)
    for number in range(200):
        draw = Draw("literal", number)
        words = Wording(draw, table, natural=False)
        plan = attempted(draw_either, draw, table, natural=False)
        if plan is not None:
            assert "tall" not in write_either(draw, table, plan, words).lower()
            assert not words.used_family
