"""The data of the trials on joins."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.two_tables_trials import FACTS, LISTED, TRIALS, Cells, learn, repeated, with_facts
from neural_enquirer.synthesis.two_tables import GAME_FIELDS


def test_facts_are_the_same_in_all_tables() -> None:
    first, second = (with_facts(np.random.default_rng(seed), 50) for seed in range(2))
    known = {row[LISTED]: row[FACTS.start :].tolist() for table in first for row in table}
    for row in second.reshape(-1, second.shape[2]):
        assert row[FACTS.start :].tolist() == known.get(row[LISTED], row[FACTS.start :].tolist())
    assert len({str(facts) for facts in known.values()}) > len(known) // 2


def test_some_countries_host_often_and_all_are_listed() -> None:
    cells = repeated(np.random.default_rng(0), 50)
    hosts, listed = cells[:, :, GAME_FIELDS.index("country")], cells[:, :, LISTED]
    assert all(set(own) < set(ten) and len(set(ten)) == 10 for own, ten in zip(hosts, listed, strict=True))


def test_a_trial_is_trained_with_its_settings_on_its_data(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []

    def spied(rng: np.random.Generator, count: int) -> Cells:
        drawn.append(count)
        return repeated(rng, count)

    asked = replace(TRIALS["paper-0.3-four-executors"], data="others", cells=spied)
    monkeypatch.setitem(TRIALS, "spied", asked)
    small = ["task.examples=100", "task.held_out=20", "training.epochs=2", "model.state_size=4"]
    found = learn("spied", "cpu", 0.0, small)
    assert drawn
    assert len(found["epochs"]) == 1  # Time was up.
    assert (found["model"], found["data"]) == ("four executors", "others")
    assert found["training"] == "AdaDelta, mean objective, words at scale 0.3"
