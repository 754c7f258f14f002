"""Questions of templates as a set to be scored."""

import pytest

from neural_enquirer.evaluation import Answered, Response
from neural_enquirer.evaluation.templates import forms, score_templates, with_operations
from neural_enquirer.synthesis.examples import Example
from neural_enquirer.synthesis.open.join_sampler import TWO_TABLES
from neural_enquirer.synthesis.open.sampler import ONE_TABLE


@pytest.fixture(scope="module")
def examples() -> list[Example]:
    return ONE_TABLE.generate("test", examples=100)


def test_half_of_the_questions_are_of_every_operation(examples: list[Example]) -> None:
    questions = with_operations(examples)
    assert 95 <= len(questions) <= 100
    drawn = [question for question in questions if question.asked.kind not in ONE_TABLE.ratio]
    assert len(drawn) == pytest.approx(50, abs=10)
    assert {"count", "list", "lookup"} <= {question.asked.kind for question in drawn}
    assert {question.wording for question in drawn if question.asked.answerable} == {"literal", "natural"}
    assert len({question.asked.id for question in questions}) == len(questions)
    tables = {id(example.tables[0]) for example in examples}
    assert all(id(question.asked.tables[0]) in tables for question in questions)


def test_the_same_examples_give_the_same_questions(examples: list[Example]) -> None:
    texts = [[question.asked.question for question in with_operations(examples[:40])] for _ in range(2)]
    assert texts[0] == texts[1]


def test_two_tables_are_asked_together() -> None:
    questions = with_operations(TWO_TABLES.generate("test", examples=20))
    assert {len(question.asked.tables) for question in questions} == {2}


def test_the_answer_of_a_form_is_its_cell_or_nothing(examples: list[Example]) -> None:
    for question, example in zip(
        forms(examples), (e for e in examples if e.type != "unsupported"), strict=True
    ):
        assert question.asked.answerable == bool(example.cells)
        right = tuple(example.tables[0].text(row, column) for _, row, column in example.cells)
        assert question.asked.is_right(right)


def test_questions_whose_answer_nobody_knows_are_left_out(examples: list[Example]) -> None:
    unsupported = [Example(examples[0].tables, "how many", "unsupported", "literal", (), None)]
    assert forms(unsupported) == []
    assert all(question.asked.kind != "unsupported" for question in with_operations(unsupported))


def test_figures_by_wording(examples: list[Example]) -> None:
    questions = with_operations(examples)
    answered = [Answered(question.asked, Response((), 1.0)) for question in questions]
    found = score_templates(questions, answered)
    assert found["by_type"]["absent"] == 1
    assert found["by_type"]["select_where"] == 0
    assert list(found["by_wording"]) == ["literal", "natural"]
    assert {"select_where", "lookup"} <= found["by_wording"]["natural"]["by_type"].keys()
    only = [question for question in questions if question.wording == "natural"]
    assert "by_wording" not in score_templates(only, [Answered(one.asked, Response((), 1.0)) for one in only])
