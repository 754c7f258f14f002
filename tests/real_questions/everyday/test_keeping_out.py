import pytest

from neural_enquirer.real_questions.everyday import EverydayQuestion, split
from neural_enquirer.real_questions.everyday.keeping_out import tenths_of


def question(*tables: str) -> EverydayQuestion:
    return EverydayQuestion(" ".join(tables), "?", "unanswerable", "no_row", tables, (), None)


@pytest.mark.parametrize(
    ("table", "out"),
    [
        ("r_UN.csv", True),
        ("w_204_91.csv", True),
        ("r_CAFE.csv", False),
        ("w_200_1.csv", False),
        ("r_ncaa_rpi.csv", True),
        ("ncaa/seasons.csv", True),  # cut from r_ncaa_rpi
        ("ncaa/teams.csv", True),
        ("midterms/presidents.csv", True),  # the other table of the pair is cut from r_midterms_house
        ("vice_presidents/presidents.csv", False),
        ("nba/players.csv", False),
        ("o_ferry/trips.csv", True),  # a pair that was written as one goes by its own name
        ("o_ferry/boats.csv", True),
    ],
)
def test_the_rule_stays_as_it_is(table: str, out: bool) -> None:
    assert (0 in tenths_of([table])) is out


def test_a_question_goes_where_its_tables_go() -> None:
    kept, learned, pair = (
        question("r_UN.csv"),
        question("r_CAFE.csv"),
        question("ncaa/teams.csv", "ncaa/seasons.csv"),
    )
    parted = split([kept, learned, pair, learned])
    assert parted.train == (learned, learned)
    assert parted.validation == (kept, pair)
    assert split([kept, learned], tenth=1).train == (kept,)
