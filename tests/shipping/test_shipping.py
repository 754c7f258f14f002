"""Shipping: from a run to a model with a judge, in a folder of its own."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from neural_enquirer import checkpoint, shipping
from neural_enquirer.judge.features import FEATURES
from neural_enquirer.judge.storage import load_judge
from neural_enquirer.prediction.loading import load_predictor
from neural_enquirer.prediction.predictors import OpenPredictor
from neural_enquirer.real_questions import RealDataError
from neural_enquirer.real_questions.sets import AskedQuestion
from neural_enquirer.shipping import Shipment, ShippingError, collecting, shipment
from neural_enquirer.shipping.case_files import read_cases, write_cases
from neural_enquirer.shipping.judge import learned
from neural_enquirer.training import all_cores
from neural_enquirer.training.judge_learning import Case
from shipping_runs import HELD_OUT, OTHERS, QUESTIONS, closed_run, everyday, open_run
from watched_models import QUESTION, long_table

FILES = ["config.json", "judge.safetensors", "model.safetensors", "vocabulary.json"]


pytestmark = pytest.mark.usefixtures("small_blocks")


@pytest.fixture(autouse=True)
def _one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that blocks are small in it, too."""
    monkeypatch.setattr(all_cores, "_cores", lambda: 1)


@pytest.fixture
def planned(tmp_path: Path) -> Shipment:
    """An open model to be shipped."""
    data = everyday(tmp_path / "train", [*HELD_OUT, "other.csv"])
    run, results = open_run(tmp_path / "run"), tmp_path / "results"
    return Shipment(run, tmp_path / "out", (data,), results=results, blocks=1, drawn=12, forms=0)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def case(table: str, source: str = "everyday", right: int = 0) -> Case:
    rows = np.random.default_rng(len(table)).normal(size=(4, len(FEATURES))).astype(np.float32)
    return Case(rows, np.arange(4) == right, table, source)


def test_an_open_model_gets_a_judge_and_a_card(planned: Shipment) -> None:
    heard: list[tuple[str, int, int]] = []
    shipping.ship(planned, lambda *told: heard.append(told))
    assert names(planned.target) == FILES
    shipped = load_predictor(planned.target)
    assert isinstance(shipped, OpenPredictor)
    table = long_table(5)
    trained = checkpoint.load(planned.target)
    judged = shipped.judge([((table,), QUESTION)])[0].ranked
    unjudged = OpenPredictor(trained.light(), "unjudged").judge([((table,), QUESTION)])[0].ranked
    assert [one.probability for one in judged] != [one.probability for one in unjudged]
    assert trained.temperature != 1.0
    about = trained.about
    record = json.loads((planned.results / about["run"]).read_text())
    assert about["run"] == "runs/open/3.json"
    assert (record["best_epoch"], record["seconds"]["training"], len(record["epochs"])) == (2, 30.0, 3)
    apart, taught = about["judge"]["apart"]["everyday"]["questions"], about["judge"]["learned_from"]
    assert apart + taught["everyday"] == len(HELD_OUT) * len(QUESTIONS)  # and none of other.csv
    assert heard[-1][1] == heard[-1][2]
    assert names(planned.run) == ["config.json", "model.safetensors", "progress.json", "vocabulary.json"]


def test_further_runs_join_with_the_tables_that_they_held_out(planned: Shipment) -> None:
    data = everyday(planned.data[0].parent / "both" / "train", [*HELD_OUT, *OTHERS])
    about = shipping.ship(
        replace(planned, data=(data,), also=(open_run(planned.run.parent / "other", tenth=1),))
    )
    apart, taught = about["judge"]["apart"]["everyday"]["questions"], about["judge"]["learned_from"]
    assert apart + taught["everyday"] == (len(HELD_OUT) + len(OTHERS)) * len(QUESTIONS)
    assert about["run"] == "runs/open/3.json"
    assert about["judge"]["runs"] == ["runs/open/3.json", "runs/open/4.json"]


def test_a_run_that_began_with_a_model_keeps_its_judge_learning(planned: Shipment) -> None:
    shipping.ship(planned)
    first = replace(
        planned, run=open_run(planned.run.parent / "further"), target=planned.target / ".." / "on"
    )
    content = json.loads((first.run / "config.json").read_text())
    content["about"]["start"] = checkpoint.load(planned.target).about
    (first.run / "config.json").write_text(json.dumps(content))
    about = shipping.ship(replace(first, judge=planned.target))
    assert about["run"] == "runs/open/3-further.json"
    assert json.loads((planned.results / about["run"]).read_text())["start"] == "runs/open/3.json"
    assert about["judge"]["start"]["learned_from"] == about["judge"]["learned_from"]
    with pytest.raises(ShippingError, match="has no judge"):
        shipping.ship(replace(first, judge=first.run))


def test_goes_on_with_the_cases_that_are_there(planned: Shipment, monkeypatch: pytest.MonkeyPatch) -> None:
    answered: list[int] = []
    find, stops = collecting.cases_of, True

    def found(predictor: OpenPredictor, questions: Sequence[AskedQuestion], source: str) -> list[Case]:
        if stops and answered:
            raise KeyboardInterrupt
        answered.append(len(questions))
        return find(predictor, questions, source)

    monkeypatch.setattr(collecting, "cases_of", found)
    monkeypatch.setattr(shipment, "temperature_of", lambda *_: 2.0)
    with pytest.raises(KeyboardInterrupt):
        shipping.ship(planned)
    assert not planned.target.exists()
    stops = False
    about = shipping.ship(replace(planned, resume=True))
    apart, taught = about["judge"]["apart"]["all"]["questions"], about["judge"]["learned_from"]
    assert sum(answered) == apart + sum(taught.values())


def test_sets_weigh_as_the_square_roots_of_their_sizes() -> None:
    cases = [case("a", "large")] * 8 + [case("b", "small")] * 2 + [case("c", collecting.TEMPLATES)]
    weights = [one.weight for one in collecting.weighed(cases)]
    assert sum(weights[:8]) == pytest.approx(2 * sum(weights[8:10]))
    assert sum(weights[:10]) == pytest.approx(10)
    assert weights[10] == 1


def test_files_of_cases(tmp_path: Path) -> None:
    cases = [case("a"), replace(case("bc", "wikisql"), weight=0.5)]
    write_cases(tmp_path / "cases.npz", cases)
    for found, expected in zip(read_cases(tmp_path / "cases.npz"), cases, strict=True):
        assert np.array_equal(found.rows, expected.rows)
        assert np.array_equal(found.right, expected.right)
        assert (found.table, found.source, found.weight) == (expected.table, expected.source, expected.weight)
    (tmp_path / "cases.npz").write_bytes(b"PK")
    with pytest.raises(ShippingError, match="damaged"):
        read_cases(tmp_path / "cases.npz")


def test_figures_are_of_the_questions_kept_apart() -> None:
    """Where every first candidate is right, a judge that sees it says so, but of others' tables only."""
    found = learned([case("x" * i, "wikisql" if i % 2 else "everyday") for i in range(1, 60)])
    figures = found.about["apart"]
    assert figures["all"]["questions"] + sum(found.about["learned_from"].values()) == 59
    assert figures["all"]["questions"] == figures["wikisql"]["questions"] + figures["everyday"]["questions"]
    with pytest.raises(ShippingError, match="several tables"):
        learned([])


def test_a_closed_model_goes_with_its_result(tmp_path: Path) -> None:
    run = closed_run(tmp_path / "olympics-0", tmp_path / "results")
    planned = Shipment(run, tmp_path / "out", results=tmp_path / "results")
    shipping.ship(planned)
    shipping.ship(planned)  # replaces what it shipped
    about = checkpoint.load(tmp_path / "out").about
    assert (about["test"], about["run"]) == ({"overall": 0.25}, "runs/olympics/0.json")
    assert names(tmp_path) == ["olympics-0", "out", "results"]


def test_nothing_is_put_where_something_is_wrong(planned: Shipment, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = planned.run.parent
    closed = closed_run(folder / "olympics-0", folder / "tested")
    everyday(folder / "learned" / "train", ["other.csv"])
    for wrong, message in (
        (replace(planned, run=folder / "nowhere"), "holds no trained model"),
        (replace(planned, data=()), "--data DIR"),
        (replace(planned, data=(folder / "learned" / "train",)), "held out"),
        (replace(planned, data=(folder / "nowhere",)), "nowhere"),
        (replace(planned, target=planned.run), "progress.json"),
        (replace(planned, run=closed), "leave out --data"),
        (replace(planned, run=closed, data=()), "is missing"),
    ):
        with pytest.raises((ShippingError, RealDataError), match=message):
            shipping.ship(wrong)
    monkeypatch.setattr(shipment, "LARGEST", 1000)
    with pytest.raises(ShippingError, match="more than"):
        shipping.ship(replace(planned, run=closed, data=(), results=folder / "tested"))
    assert not planned.target.exists()
    assert load_judge(planned.run) is None
