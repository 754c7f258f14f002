"""The models of the package do what they are shipped for."""

import json
from pathlib import Path

import torch

from neural_enquirer import checkpoint
from neural_enquirer.encoding.batch import Batch
from neural_enquirer.synthesis.tasks import generate
from neural_enquirer.training.accuracy import encode_questions


def test_the_step_by_step_model_reads_the_field_of_every_step() -> None:
    """At each executor it weighs highest the field that the program reads there, as it was taught to."""
    trained = checkpoint.load("olympics-sbs")
    batch = encode_questions(trained, generate("olympics-100k", "test", examples=400))
    assert isinstance(batch, Batch)
    with torch.no_grad():
        output = trained.model(batch)
    read = torch.stack(output.table.field_scores, dim=1).argmax(dim=2)
    steps = batch.steps[:, : read.shape[1]]  # the last one is the answer's
    known = steps >= 0
    assert known.sum(dim=0).tolist() == [200, 100, 200, 300]
    assert (read == steps)[known].float().mean() >= 0.99


RESULTS = Path(__file__).parents[1] / "results"
PRETRAINED = Path(checkpoint.__file__).parent / "pretrained"
OF_NO_STORED_RUN = {"olympics-grounded", "olympics-n2n", "olympics-sbs"}
"""Shipped before cards named runs, from runs that were not kept: to be shipped again from stored ones."""


def test_cards_name_the_stored_run_that_a_model_comes_from() -> None:
    unnamed = set()
    for path in sorted(PRETRAINED.glob("*/config.json")):
        about = json.loads(path.read_text(encoding="utf-8"))["about"]
        if "run" not in about:
            unnamed.add(path.parent.name)
            continue
        for name in (about["run"], *about.get("judge", {}).get("runs", ())):
            assert (RESULTS / name).is_file(), name
        stored = json.loads((RESULTS / about["run"]).read_text(encoding="utf-8"))
        assert (stored["seed"], stored["experiment"]) == (about["seed"], about["experiment"])
    assert unnamed == OF_NO_STORED_RUN
