"""What the first executor hands over from table to table."""

import torch

from neural_enquirer.checkpoint import Checkpoint
from neural_enquirer.encoding.closed import vocabulary_of
from neural_enquirer.reproduction.join_probe import _farthest, _read_off, probe
from neural_enquirer.synthesis.tasks import generate
from neural_enquirer.training.experiment import Experiment
from neural_enquirer.training.loop import new_model


def test_an_untrained_model_hands_nothing_over() -> None:
    drawn = generate("olympics-two-tables", "validation", examples=600)
    task = {"name": "olympics-two-tables", "form": "sql"}
    experiment = Experiment.from_dict({"task": task, "model": {"executors": 3, "linked": True}})
    vocabulary = vocabulary_of(drawn)
    starts = probe(Checkpoint(new_model(experiment, vocabulary, 0).eval(), vocabulary, "sql"), drawn)
    assert list(starts) == ["games", "countries"]
    for found in starts.values():
        assert max(found.right, found.marked, found.named) < 0.3
        assert 0.05 < found.alone_first < 0.5
        assert 0.05 < found.alone_second < 0.5
        assert 0.05 < found.read_country < 0.5
        assert 0.05 < found.read_condition < 0.5
        assert 0.08 < found.attended < 0.12
        assert found.linked is not None
        assert 0 < found.linked < 1
        assert found.key_weight is not None
        assert 0.1 < found.key_weight < 0.5


def test_what_is_there_is_found() -> None:
    rng = torch.Generator().manual_seed(0)
    country = torch.randint(0, 4, (400,), generator=rng)
    assert _read_off(torch.nn.functional.one_hot(country, 4).float(), country).all()
    annotations = torch.randn(3, 5, 4, generator=rng)
    annotations[[0, 1, 2], [4, 0, 2]] += 20
    assert _farthest(annotations).tolist() == [4, 0, 2]
