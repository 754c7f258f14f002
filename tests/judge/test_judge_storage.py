import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load, save

from neural_enquirer.judge.features import FEATURES
from neural_enquirer.judge.storage import FILE, JudgeError, load_judge, save_judge
from neural_enquirer.judge.verdict import Judge


@pytest.fixture
def judge() -> Judge:
    draw = np.random.default_rng(0)
    sizes = (len(FEATURES), 5, 3, 1)
    weights = [draw.normal(size=(sizes[i + 1], sizes[i])).astype(np.float32) for i in range(3)]
    biases = [draw.normal(size=size).astype(np.float32) for size in sizes[1:]]
    return Judge(
        np.ones(sizes[0], np.float32), np.full(sizes[0], 2, np.float32), tuple(weights), tuple(biases)
    )


def test_a_judge_that_is_kept_judges_as_before(tmp_path: Path, judge: Judge) -> None:
    save_judge(tmp_path, judge)
    again = load_judge(tmp_path)
    assert again is not None
    rows = np.random.default_rng(1).normal(size=(4, len(FEATURES))).astype(np.float32)
    assert again.probabilities(rows).tolist() == judge.probabilities(rows).tolist()
    assert judge.probabilities(rows).sum() == pytest.approx(1)
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


def test_a_judge_of_other_features_is_not_used(tmp_path: Path, judge: Judge) -> None:
    save_judge(tmp_path, judge)
    tensors = load((tmp_path / FILE).read_bytes())
    names = list(FEATURES)
    for known in (names[1:], [*names[1:], "mood"], [*names, "mood"]):
        (tmp_path / FILE).write_bytes(save(tensors, {"features": json.dumps(known)}))
        with pytest.raises(JudgeError, match="other features"):
            load_judge(tmp_path)
    (tmp_path / FILE).write_bytes(save(tensors))
    with pytest.raises(JudgeError, match="ship the model again"):
        load_judge(tmp_path)


def test_features_that_came_later_mean_nothing_to_a_judge(tmp_path: Path, judge: Judge) -> None:
    """A judge finds its features by their names, wherever they stand now."""
    save_judge(tmp_path, judge)
    tensors = load((tmp_path / FILE).read_bytes())
    names, later = list(FEATURES), 7
    order = [place for place in range(len(names))[::-1] if place != later]
    tensors |= {name: tensors[name][order].copy() for name in ("mean", "scale")}
    tensors["weight.0"] = tensors["weight.0"][:, order].copy()
    known = [names[place] for place in order]
    (tmp_path / FILE).write_bytes(save(tensors, {"features": json.dumps(known)}))
    again = load_judge(tmp_path)
    assert again is not None
    rows = np.random.default_rng(1).normal(size=(4, len(names))).astype(np.float32)
    found = again.probabilities(rows)
    rows[:, later] = judge.mean[later]
    np.testing.assert_allclose(found, judge.probabilities(rows), rtol=1e-4)
    rows[:, later] = 100
    assert again.probabilities(rows).tolist() == found.tolist()


def test_no_judge_is_none_and_a_damaged_one_is_told(tmp_path: Path, judge: Judge) -> None:
    assert load_judge(tmp_path) is None
    save_judge(tmp_path, judge)
    (tmp_path / FILE).write_bytes((tmp_path / FILE).read_bytes()[:100])
    with pytest.raises(JudgeError, match="damaged"):
        load_judge(tmp_path)
