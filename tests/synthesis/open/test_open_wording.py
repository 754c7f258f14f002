from neural_enquirer.synthesis.open.columns import Column
from neural_enquirer.synthesis.open.draw import Draw
from neural_enquirer.synthesis.open.families import family
from neural_enquirer.synthesis.open.plans import draw_plan
from neural_enquirer.synthesis.open.sentences import Sentence
from neural_enquirer.synthesis.open.tables import DrawnTable
from neural_enquirer.synthesis.open.wording import Wording
from neural_enquirer.table import Field, FieldType, Table


def drawn(*columns: Column) -> DrawnTable:
    types = {"text": FieldType.TEXT, "number": FieldType.NUMBER, "date": FieldType.DATE}
    fields = tuple(Field(column.header, types[column.kind]) for column in columns)
    table = Table(fields, tuple(tuple(column.cells) for column in columns))
    homes: dict[str, int] = {}
    for column in columns:
        for text in {str(cell).casefold() for cell in column.cells if column.kind == "text"}:
            homes[text] = homes.get(text, 0) + 1
    return DrawnTable(table, list(columns), columns[0], None, "train", homes)


NAME = Column("name", "name", "text", None, ["Aro", "Bela", "Cul"], maker="place", key=True)
HEIGHT = Column("height", "height", "number", family("height"), [3, 1, 2])


def test_a_phrase_that_fits_two_columns_is_not_used() -> None:
    elevation = Column("elevation", "elevation", "number", family("elevation"), [30, 10, 20])
    alone = Wording(Draw("alone"), drawn(NAME, HEIGHT), natural=True)
    both = Wording(Draw("both"), drawn(NAME, HEIGHT, elevation), natural=True)

    assert alone.clear("highest", HEIGHT)
    assert not both.clear("highest", HEIGHT)
    assert both.clear("tallest", HEIGHT)
    assert {both.adjective(HEIGHT, most=True) for _ in range(50)} == {"tallest", None}


def test_a_value_needs_its_field_where_two_columns_have_it() -> None:
    home = Column("home team", "home team", "text", None, ["Roma", "Inter", "Roma"])
    away = Column("away team", "away team", "text", None, ["Inter", "Lazio", "Napoli"])
    words = Wording(Draw("teams"), drawn(NAME, home, away), natural=False)

    assert words.bare(home, "Roma")
    assert not words.bare(home, "Inter")


def test_literal_questions_say_nothing_but_header_words() -> None:
    table = drawn(NAME, HEIGHT)
    said = set()
    for number in range(300):
        draw = Draw("literal", number)
        plan = draw_plan(draw, table, "superlative", natural=False)
        if plan is not None:
            words = Wording(draw, table, natural=False)
            said.add(Sentence(draw, table, plan, words).write().lower())
            assert not words.used_family

    assert len(said) > 100
    assert not any("tall" in question for question in said)


def test_natural_questions_use_the_words_of_families() -> None:
    table = drawn(NAME, HEIGHT)
    said = set()
    for number in range(300):
        draw = Draw("natural", number)
        plan = draw_plan(draw, table, "superlative", natural=True)
        if plan is not None:
            said.add(Sentence(draw, table, plan, Wording(draw, table, natural=True)).write().lower())

    assert any("tallest" in question for question in said)
    assert any("shortest" in question for question in said)
