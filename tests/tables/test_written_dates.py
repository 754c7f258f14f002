import datetime

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from neural_enquirer.tables.written_dates import CLEAR, DAY_FIRST, MONTH_FIRST, parsed

EXAMPLES = {
    "%Y": st.integers(1, 9999).map(str),
    "%m": st.integers(0, 14).flatmap(lambda number: st.sampled_from([f"{number}", f"{number:02}"])),
    "%d": st.integers(0, 33).flatmap(lambda number: st.sampled_from([f"{number}", f"{number:02}"])),
    "%B": st.sampled_from(["January", "MAY", "june", "december", "Juli"]),
    "%b": st.sampled_from(["Jan", "MAY", "jun", "Sept", "dec"]),
    "%H": st.integers(0, 25).map(str),
    "%M": st.integers(0, 61).map(str),
    "%S": st.integers(0, 61).map(str),
}


@st.composite
def dates(draw: st.DrawFn) -> str:
    text = draw(st.sampled_from([*CLEAR, *MONTH_FIRST, *DAY_FIRST]))
    for part, examples in EXAMPLES.items():
        text = text.replace(part, draw(examples))
    place = draw(st.integers(0, len(text)))
    return text[:place] + draw(st.sampled_from(["", "", "", " ", "  ", "x", ",", "."])) + text[place:]


def by_duckdb(text: str, formats: tuple[str, ...]) -> datetime.datetime | None:
    choices = ", ".join(f"'{form}'" for form in formats)
    found = duckdb.execute(f"SELECT try_strptime($1, [{choices}])", [text]).fetchall()[0][0]
    if isinstance(found, str) and "(BC)" in found:  # what Python's datetime has no year for is no date to us
        return None
    assert found is None or isinstance(found, datetime.datetime)
    return found


@pytest.mark.parametrize("formats", [CLEAR, MONTH_FIRST, DAY_FIRST])
@given(text=dates().map(str.strip))
def test_dates_are_read_as_a_database_reads_them(formats: tuple[str, ...], text: str) -> None:
    found = parsed([text], formats)
    assert (found and found[0]) == by_duckdb(text, formats)


@pytest.mark.parametrize("text", ["0/1/1", "0000-01-01", "1.1.0"])
def test_there_is_no_year_0(text: str) -> None:
    assert parsed([text], CLEAR) is None
    assert by_duckdb(text, CLEAR) is None


def test_each_text_may_have_its_own_format() -> None:
    day = datetime.datetime(2004, 8, 13)
    assert parsed(["13 August 2004", "Aug 13, 2004", "2004/08/13 00:00"], CLEAR) == [day, day, day]


def test_one_text_that_is_no_date_spoils_the_column() -> None:
    assert parsed(["13 August 2004", "soon in 2004"], CLEAR) is None
