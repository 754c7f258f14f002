import pytest

from neural_enquirer.real_questions.everyday.scoring import is_right, same


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Rome", " ROME. "),
        ("Rome", '"rome"'),
        ("“Rome”", "Rome"),
        ("New  York", "new york"),
        ("straße", "STRASSE"),
        ("yes", "True"),
        ("N", "false"),
        ("1234", "1,234"),
        ("1,234.0", "1234"),
        ("$5", "5 $"),
        ("5", "5 %"),
        ("5", "5 km"),
        ("-5", "-$5"),
        ("- 5", "-5"),
        ("-0.5", "-.5"),
        ("1e3", "1000"),
        ("3.1416", "3.1415"),
        ("12000", "12011"),
        ("0", "0.0"),
        ("1999-01-05", "January 5, 1999"),
        ("1999-01-05", "5 jan 1999"),
        ("1999-01-05", "01/05/1999"),
        ("1999-01-05", "1/5/99"),
        ("1999-01-05", "5.1.1999"),
        ("1999-01-05", "1999-01-05T00:00:00"),
        ("1999-01-05 10:30:00", "1999/01/05"),
        ("2:05:03", "02:05:03"),
        ("2:05:03.00", "2:05:03"),
    ],
)
def test_the_same(one: str, other: str) -> None:
    assert same(one, other)
    assert same(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Rome", "Roma"),
        ("José", "Jose"),
        ("yes", "no"),
        ("yes", "1"),
        ("2005", "2006"),  # a year one off
        ("9999", "9998"),
        ("12000", "12013"),
        ("3.14", "3.15"),
        ("5", "-5"),
        ("5", "5 very long unit names"),
        ("5", "five"),
        ("5", "1e400"),
        ("1999-01-05", "1999-05-01"),
        ("2:05:03", "2:05:04"),
        ("2:05", "2:05:00"),
        ("", "0"),
    ],
)
def test_not_the_same(one: str, other: str) -> None:
    assert not same(one, other)
    assert not same(other, one)


@pytest.mark.parametrize(
    ("given", "accepted", "right"),
    [
        (("Rome",), (("Rome",),), True),
        (("Roma",), (("Rome",), ("Roma",)), True),
        (("Oslo",), (("Rome",), ("Roma",)), False),
        ((), (("Rome",),), False),
        (("b", "A"), (("a", "b"),), True),
        (("a", "a"), (("a", "b"),), False),
        (("a", "b", "b"), (("a", "b"),), False),
        (("a",), (("a", "a"),), False),
        ((), (), True),
        (("Rome",), (), False),
    ],
)
def test_right_answers(given: tuple[str, ...], accepted: tuple[tuple[str, ...], ...], right: bool) -> None:
    assert is_right(given, accepted) is right
