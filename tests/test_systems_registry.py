"""The registry of systems: every part is where its entry says, and a further system is a further entry."""

import dataclasses
import sys
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from neural_enquirer.encoding.batch import Batch
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.evaluation.closed import score_on
from neural_enquirer.model.network import Beginning, Network
from neural_enquirer.model.output import Output, TableOutput
from neural_enquirer.synthesis.tasks import generate
from neural_enquirer.systems import SYSTEMS
from neural_enquirer.training.experiment import Experiment
from neural_enquirer.training.starting import start_run


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_part_is_there(name: str) -> None:
    system = SYSTEMS[name]
    for part in dataclasses.fields(system):
        assert not getattr(system, part.name) or callable(system.part(part.name))
    assert dataclasses.is_dataclass(system.part("config"))
    assert not system.network or system.part("network").kind == name


@dataclass(frozen=True)
class GuesserConfig:
    fields: int = 10

    def new_network(self, vocabulary: Vocabulary, beginning: Beginning) -> "Guesser":
        return Guesser(self, torch.zeros(len(vocabulary), self.fields))


class Guesser(Network):
    """Answers by the last word of the question alone: it learns in which column answers stand."""

    kind = "guesser"

    def __init__(self, config: GuesserConfig, scores: Tensor) -> None:
        super().__init__()
        self.config, self.scores = config, nn.Parameter(scores.clone())

    @classmethod
    def restored(cls, config: Any, tensors: Any, *_: object) -> "Guesser":
        return cls(GuesserConfig(**config), tensors["scores"])

    @property
    def known_codes(self) -> int:
        return len(self.scores)

    def forward(self, batch: Batch) -> Output:
        rows = batch.table.cells.shape[1]
        scores = self.scores[batch.words[:, -1].long()]
        return Output.of_one(TableOutput(scores[:, None].repeat(1, rows, 1), (), ()))


def test_a_further_system_is_a_further_entry(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    module = SimpleNamespace(GuesserConfig=GuesserConfig, Guesser=Guesser, __spec__=None)
    monkeypatch.setitem(sys.modules, "neural_enquirer.guesser", module)
    entry = dataclasses.replace(
        SYSTEMS["neural-programmer"], config="guesser:GuesserConfig", network="guesser:Guesser"
    )
    monkeypatch.setitem(SYSTEMS, "guesser", entry)  # type: ignore[arg-type]
    experiment = Experiment.from_dict(
        {
            "system": "guesser",
            "task": {"examples": 40, "held_out": 20},
            "training": {"epochs": 1, "batch_size": 20},
        }
    )
    (report,) = start_run(experiment, directory=tmp_path).run()
    assert Experiment.from_dict(experiment.to_dict()) == experiment
    found = score_on(tmp_path, generate("olympics-100k", "validation", examples=20), "cpu")
    assert found.overall == pytest.approx(report.overall)
