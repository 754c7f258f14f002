"""Programs as trees: their parts, and parts replaced by others."""

from neural_enquirer.programs import parse
from neural_enquirer.programs.language import Field, Where
from neural_enquirer.programs.trees import changed, field_of, leaves, narrowed, over, parts, swapped, without

PROGRAM = parse("cells(country, largest(gold, rows(continent = Asia, rows(year > 2000))))")


def test_a_part_stands_before_its_own_parts() -> None:
    found = [part.name for part in parts(PROGRAM) if isinstance(part, Field)]
    assert found == ["country", "gold", "year", "continent"]


def test_conditions_are_swapped_added_and_dropped() -> None:
    asia, since = leaves(PROGRAM)[::-1]
    (europe,) = leaves(parse("count(rows(continent = Europe))"))
    assert leaves(swapped(PROGRAM, asia, europe)) == (since, europe)
    assert set(leaves(narrowed(PROGRAM, europe))) == {asia, since, europe}
    assert leaves(without(PROGRAM, lambda leaf: field_of(leaf.term) == Field("year"))) == (asia,)
    assert without(PROGRAM, lambda _: True) == parse("cells(country, largest(gold))")


def test_a_program_is_moved_to_other_rows() -> None:
    rows = next(part for part in parts(PROGRAM) if isinstance(part, Where))
    assert over(parse("average(gold)"), rows) == parse(
        "average(gold, rows(continent = Asia, rows(year > 2000)))"
    )


def test_what_a_change_gives_is_not_changed_again() -> None:
    doubled = changed(PROGRAM, lambda part: Field(part.name * 2) if isinstance(part, Field) else part)
    names = {part.name for part in parts(doubled) if isinstance(part, Field)}
    assert names == {"countrycountry", "goldgold", "yearyear", "continentcontinent"}
