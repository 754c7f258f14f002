"""The grammar of drawn questions, and the names of fields in it."""

import re

import pytest

from neural_enquirer.synthesis.open.draw import Draw
from neural_enquirer.synthesis.programs.phrases import CARRIERS, PHRASES, phrase_words, said
from neural_enquirer.synthesis.programs.subject import Asked, Subject
from neural_enquirer.tables import Table
from neural_enquirer.tables.cell_types import FieldType


def field(header, cells):
    return Asked(Table.of_columns([header], [cells]), 0)


def test_conditions_are_said_behind_a_noun_as_a_clause_and_in_key_words():
    forms = [{name.removeprefix(style) for name in PHRASES if name.startswith(style)} for style in STYLES]
    assert forms[0] == forms[1] == forms[2]
    assert len(forms[0]) == 22


STYLES = ("after_", "clause_", "brief_")


def test_a_phrase_is_used_only_where_its_slots_are_known():
    draw = Draw("test", 1)
    texts = {said(draw, "of_name", {"f": "height", "e": "Big Ben"}) for _ in range(500)}
    assert len(texts) > 40
    assert not any("{" in text or "how many" in text or "who" in text for text in texts)
    assert said(draw, "of_name", {}) is None


def test_conditions_are_never_left_out():
    draw, slots = Draw("test", 2), {"p": "cars", "many": "red cars", "m": "in red", "where": "color is red"}
    assert all("red" in said(draw, "count", slots, conditions=True) for _ in range(300))
    assert any("red" not in said(draw, "extreme_value", slots | {"s": "top", "b": "hp"}) for _ in range(300))


def test_verbs_agree_with_a_field_of_several():
    draw = Draw("test", 3)
    texts = {said(draw, "clause_equal", {"f": "goals", "v": "3"}) for _ in range(100)}
    assert "the goals are 3" in texts
    assert not any(re.search("goals (is|was)", text) for text in texts)


def test_words_to_learn_are_those_that_ask():
    assert {"average", "distinct", "percentage", "missing"} <= phrase_words()
    assert not phrase_words() & {"marmalade", "bitcoin"}
    assert {"many", "m", "where"} <= CARRIERS


@pytest.mark.parametrize(
    ("header", "cells", "roles"),
    [
        ("Pts.", [3, 1, 0, 7], {"amount", "counted", "added"}),
        ("pop_2010", [3100, 2, 15], {"amount", "added"}),
        ("Year", [1990, 1991, 2004], {"year"}),
        ("Ratified", [1990, 1991, 2004], {"year"}),
        ("Rank", [1, 2, 3], {"rank"}),
        ("id", [17, 18, 40], set()),
        ("Average speed (km/h)", [90.5, 88.0, 71.25], {"amount"}),
        ("Driver", ["Ann Lee", "Bo Day", "Cy Fox"], {"person"}),
        ("City", ["Rome", "Rome", "Oslo"], {"place", "category"}),
        ("Depth", ["98 m", "1,200 m", "7 m [a]"], {"amount"}),
        ("Score", ["5 - 3", "2 - 2", "0 - 1"], set()),
    ],
)
def test_what_a_field_is_good_for(header, cells, roles):
    asked = field(header, cells)
    names = ("amount", "counted", "added", "year", "rank", "person", "place", "category")
    assert {name for name in names if getattr(asked, name)} == roles


def test_fields_are_called_in_plain_words():
    table = Table.of_columns(["mpg_c", "mpg_h", "U.S. chart", "Notes"], [[1, 2], [3, 4], [5, 6], ["a", "b"]])
    assert [each.name for each in Subject(table).fields] == ["mpg c", "mpg h", "us chart"]


def test_rows_are_called_by_names_that_hardly_recur():
    columns = (["Jan 3", "Jan 9", "May 1"], ["Rome", "Rome", "Oslo"], ["Ann Lee", "Bo Day", "Cy Fox"])
    subject = Subject(Table.of_columns(["Date", "City", "Winner"], columns))
    assert subject.key is not None
    assert subject.key.header == "Winner"
    assert subject.noun == "winner"
    without = Subject(Table.of_columns(["City", "Days"], [["Rome", "Rome", "Rome", "Oslo"], [1, 2, 3, 4]]))
    assert without.key is None
    assert without.head is not None
    assert without.head.header == "City"
    assert without.noun == ""
    assert without.fields[1].type is FieldType.NUMBER
