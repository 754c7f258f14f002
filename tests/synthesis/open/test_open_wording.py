from tables_for_questions import HEIGHT, NAME, drawn

from neural_enquirer.synthesis.open.columns import Column
from neural_enquirer.synthesis.open.draw import Draw, attempted
from neural_enquirer.synthesis.open.lexicon import family
from neural_enquirer.synthesis.open.plans import draw_plan
from neural_enquirer.synthesis.open.sentences import Sentence
from neural_enquirer.synthesis.open.wording import Wording


def test_a_phrase_that_fits_two_columns_is_not_used() -> None:
    elevation = Column("elevation", "number", [30, 10, 20], family("elevation"))
    alone = Wording(Draw("alone"), drawn(NAME, HEIGHT), natural=True)
    both = Wording(Draw("both"), drawn(NAME, HEIGHT, elevation), natural=True)

    assert alone.clear("highest", HEIGHT)
    assert not both.clear("highest", HEIGHT)
    assert both.clear("tallest", HEIGHT)
    assert {both.adjective(HEIGHT, most=True) for _ in range(50)} == {"tallest", None}


def test_a_value_needs_its_field_where_two_columns_have_it() -> None:
    home = Column("home team", "text", ["Roma", "Inter", "Roma"])
    away = Column("away team", "text", ["Inter", "Lazio", "Napoli"])
    words = Wording(Draw("teams"), drawn(NAME, home, away), natural=False)

    assert words.bare(home, "Roma")
    assert not words.bare(home, "Inter")


def test_literal_questions_say_nothing_but_header_words() -> None:
    table = drawn(NAME, HEIGHT)
    said = set()
    for number in range(300):
        draw = Draw("literal", number)
        plan = attempted(draw_plan, draw, table, "superlative", natural=False)
        if plan is not None:
            words = Wording(draw, table, natural=False)
            said.add(Sentence(table, plan, words).write().lower())
            assert not words.used_family

    assert len(said) > 100
    assert not any("tall" in question for question in said)


def test_natural_questions_use_the_words_of_families() -> None:
    table = drawn(NAME, HEIGHT)
    said = set()
    for number in range(300):
        draw = Draw("natural", number)
        plan = attempted(draw_plan, draw, table, "superlative", natural=True)
        if plan is not None:
            said.add(Sentence(table, plan, Wording(draw, table, natural=True)).write().lower())

    assert any("tallest" in question for question in said)
    assert any("shortest" in question for question in said)


def test_only_one_place_answers_where() -> None:
    city = Column("city", "text", ["Rom", "Bari", "Oslo"], family("city"), maker="city")
    country = Column("country", "text", ["Peru", "Chad", "Mali"], family("country"), maker="country")
    alone = Wording(Draw("alone"), drawn(NAME, city), natural=True)
    both = Wording(Draw("both"), drawn(NAME, city, country), natural=True)

    assert alone.clear("where is {e}", city)
    assert not both.clear("where is {e}", city)
    assert not both.clear("where is {e} located", city)


def test_a_word_that_two_columns_use_in_opposite_ways_is_not_used() -> None:
    age = Column("age", "number", [30, 10, 20], family("age"))
    built = Column("built", "number", [1930, 1910, 1920], family("built"), year=True)
    words = Wording(Draw("old"), drawn(NAME, age, built), natural=True)

    assert not words.clear("oldest", age)
    assert not words.clear("eldest", age)
    assert not words.clear("older than", age)
    assert not words.clear("that is the oldest", built)
    assert not words.clear("how old is {d}", age) or "how old is {e}" not in family("built").asks


def test_the_highest_rank_is_unclear() -> None:
    rank = Column("rank", "number", [3, 1, 2], family("rank"))
    words = Wording(Draw("rank"), drawn(NAME, rank), natural=True)

    words.superlative(HEIGHT, most=True)
    assert not words.unclear
    words.superlative(rank, most=True)
    assert words.unclear


def test_since_a_year_is_not_said_where_a_cell_is_of_that_year() -> None:
    built = Column("built", "number", [1930, 1910, 1920], family("built"), year=True)
    table = drawn(NAME, built)
    for number in range(2000):
        draw = Draw("since", number)
        plan = attempted(draw_plan, draw, table, "select_where", natural=True)
        if plan is None:
            continue
        question = Sentence(table, plan, Wording(draw, table, natural=True)).write().lower()
        assert not any(f"since {year}" in question for year in built.cells)
