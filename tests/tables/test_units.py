"""Units: what a symbol may mean, and how much of another it is."""

import pytest

from neural_enquirer.tables.units import Kind, meanings, meanings_of_money


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("", {Kind.NUMBER}),
        ("m", {Kind.LENGTH, Kind.DURATION, Kind.NUMBER}),
        ("M", {Kind.NUMBER, Kind.DATA}),
        ("km", {Kind.LENGTH}),
        ("KM", {Kind.LENGTH}),
        ("sq. ft.", {Kind.AREA}),
        ("km²", {Kind.AREA}),
        ("fl oz", {Kind.VOLUME}),
        ("oz of gold", {Kind.MASS}),
        ("'", {Kind.LENGTH, Kind.DURATION}),
        ("million km", {Kind.LENGTH}),
        ("bn USD", {Kind.MONEY}),
        ("people", {Kind.NUMBER}),
    ],
)
def test_what_stands_behind_a_number(text: str, kinds: set[Kind]) -> None:
    assert {meaning.unit.kind for meaning in meanings(text)} == kinds


@pytest.mark.parametrize(
    ("text", "kind", "base"),
    [
        ("mile", Kind.LENGTH, 1609.344),
        ("Stones", Kind.MASS, 6.35029318),
        ("hp", Kind.POWER, 745.699872),
        ("mW", Kind.POWER, 0.001),
        ("MW", Kind.POWER, 1e6),
        ("°F", Kind.TEMPERATURE, (1 - 32) / 1.8),
        ("million km", Kind.LENGTH, 1e9),
        ("weeks", Kind.DURATION, 7 * 86400),
        ("crore", Kind.NUMBER, 1e7),
        ("psi", Kind.PRESSURE, 6894.757),
    ],
)
def test_one_of_a_unit_in_the_first_of_its_kind(text: str, kind: Kind, base: float) -> None:
    unit, times = next(meaning for meaning in meanings(text) if meaning.unit.kind is kind)
    assert unit.based(times) == pytest.approx(base)
    assert unit.given(unit.based(times)) == pytest.approx(times)


def test_letters_behind_money_are_scales() -> None:
    assert [meanings_of_money(text, "$")[0].times for text in ("m", "k", "bn", "t", "/night", "")] == [
        1e6, 1e3, 1e9, 1e12, 1, 1,
    ]  # fmt: skip
