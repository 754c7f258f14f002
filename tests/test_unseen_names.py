import re

import numpy as np
import pytest

from benchmarks.unseen_names import CITIES, conditions, look_ups, made_up, renamed, trial_measured
from neural_enquirer.programs.paper import the_cell
from neural_enquirer.programs.result import Cell


def test_other_names_leave_the_answer_where_it_is() -> None:
    asked = look_ups("validation", 300)
    pools = made_up("new", 80)
    again = renamed(asked, pools)
    names = {name for pool in pools for name in pool}
    assert set(again.entity_words) == names
    for index in range(len(asked)):
        before, after = asked.example(index), again.example(index)
        assert the_cell(after.program, after.tables) == Cell(*before.cells[0])
        assert set(re.findall(r"new_\w+", after.question)) == {again.logical_forms[index].rsplit(" ", 1)[1]}
        assert not set(CITIES) & set(re.findall(r"\w+", after.question))
        assert after.question.count(" ") == before.question.count(" ")


def test_names_of_one_kind_may_stand_for_the_other() -> None:
    asked = look_ups("validation", 100)
    cities, countries = made_up("new", 80)
    swapped = renamed(asked, (countries, cities))
    is_city = conditions(asked) == "host_city"
    assert np.array_equal(is_city, ["_country_" in form for form in swapped.logical_forms])


def test_a_small_trial_is_measured() -> None:
    found = trial_measured("240-names", seed=0, drawn=200, epochs=1)
    assert found["questions"] == len(look_ups("train", 200))
    kinds = found["new names"]
    assert kinds["as both"] + kinds["as one"] + kinds["as neither"] == pytest.approx(1)
    for names in ("known", "new"):
        read = found[f"reads, {names}"]
        assert 0 < read["its field"] < 1  # One of ten fields, after so little training.
        assert 0 < read["the other field"] < 1
