import json
import re
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

import neural_enquirer
from neural_enquirer import checkpoint, checkpoint_files
from neural_enquirer.checkpoint import Checkpoint, CheckpointError
from neural_enquirer.encoding.closed import encode, vocabulary_of
from neural_enquirer.encoding.words import UNKNOWN, entity_vectors
from neural_enquirer.synthesis.tasks import generate
from neural_enquirer.training.experiment import Experiment
from neural_enquirer.training.loop import new_model

EXAMPLES = generate("olympics-25k", "train", examples=30)
EXPERIMENT = Experiment.from_dict(
    {
        "model": {"grounded": True, "state_size": 10},
        "training": {"freeze_entities": True, "entity_scale": 0.5},
    }
)


@pytest.fixture
def saved() -> Checkpoint:
    vocabulary = vocabulary_of(EXAMPLES)
    about = {"experiment": EXPERIMENT.to_dict(), "validation": {"overall": 0.25}}
    return Checkpoint(
        new_model(EXPERIMENT, vocabulary, seed=1), vocabulary, "natural", about, temperature=1.7
    )


@pytest.fixture
def folder(saved: Checkpoint, tmp_path: Path) -> Path:
    saved.save(tmp_path / "model")
    return tmp_path / "model"


def test_round_trip(saved: Checkpoint, folder: Path) -> None:
    loaded = checkpoint.load(folder)
    ours, theirs = loaded.model.state_dict(), saved.model.state_dict()
    assert ours.keys() == theirs.keys()
    assert all(torch.equal(ours[name], theirs[name]) for name in theirs)
    assert (loaded.vocabulary, loaded.form, loaded.about) == (saved.vocabulary, saved.form, saved.about)
    assert loaded.model.config == saved.model.config
    assert loaded.temperature == 1.7
    assert not loaded.model.training
    batch = encode(EXAMPLES, saved.vocabulary)
    assert torch.equal(loaded.model(batch).candidates(), saved.model.eval()(batch).candidates())


def test_three_files_and_nothing_else(folder: Path) -> None:
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["config.json", "model.safetensors", "vocabulary.json"]


def test_saving_again_replaces(saved: Checkpoint, folder: Path) -> None:
    with torch.no_grad():
        saved.model.embedding.fill_(3.0)
    saved.save(folder)
    assert (checkpoint.load(folder).model.embedding == 3.0).all()


def assert_refused(folder: Path | str, message: str) -> None:
    with pytest.raises(CheckpointError, match=message) as error:
        checkpoint.load(folder)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("length", [0, 5, 100, 2000])
def test_a_truncated_file(folder: Path, length: int) -> None:
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:length])
    assert_refused(folder, "model.safetensors is truncated or not a safetensors file")


def test_a_file_of_something_else(folder: Path) -> None:
    (folder / "model.safetensors").write_bytes(b"PK\x03\x04" + bytes(1000))
    assert_refused(folder, "truncated or not a safetensors file")


def test_the_weights_of_something_else(folder: Path) -> None:
    save_file({"layer.weight": torch.zeros(3)}, folder / "model.safetensors")
    assert_refused(folder, "config.json and model.safetensors in .* do not belong together")


def test_the_weights_of_another_size(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    config["model"]["hidden_size"] += 1
    (folder / "config.json").write_text(json.dumps(config))
    assert_refused(folder, "do not belong together")


def test_the_vocabulary_of_another_model(folder: Path) -> None:
    (folder / "vocabulary.json").write_text(json.dumps({"words": ["a"], "entities": []}))
    assert_refused(folder, "vocabulary.json and model.safetensors in .* do not belong together")


@pytest.mark.parametrize("name", ["model.safetensors", "vocabulary.json"])
def test_a_missing_file(folder: Path, name: str) -> None:
    (folder / name).unlink()
    assert_refused(folder, f"{name} is missing")


@pytest.mark.parametrize("content", ["", "{", "[]", '{"words": 3}', '{"entities": []}'])
def test_a_damaged_vocabulary(folder: Path, content: str) -> None:
    (folder / "vocabulary.json").write_text(content)
    assert_refused(folder, "vocabulary.json is missing or damaged")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "config.json is missing or not JSON"),
        ("{", "config.json is missing or not JSON"),
        ("[]", "not a checkpoint of this program"),
        ('{"format": "other/9"}', "not a checkpoint of this program"),
        ('{"format": "neural-enquirer/1"}', "do not belong together"),
        ('{"format": "neural-enquirer/1", "model": {"depth": 1}, "form": "sql"}', "do not belong together"),
    ],
)
def test_a_foreign_or_damaged_config(folder: Path, content: str, message: str) -> None:
    (folder / "config.json").write_text(content)
    assert_refused(folder, message)


def test_an_unknown_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(checkpoint_files, "shipped", lambda: {"large": tmp_path, "small": tmp_path})
    assert_refused("medium", "no model 'medium': give a folder with a config.json or one of: large, small")


def test_a_shipped_name(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setattr(checkpoint_files, "shipped", lambda: {"small": folder})
    assert checkpoint.load("small").form == "natural"


def test_every_shipped_model_loads() -> None:
    for name in checkpoint_files.shipped():
        stored = checkpoint.load(name).about["experiment"]
        read = Experiment.from_dict(stored).to_dict()
        # A setting that came after a model was trained is not among its own; each of its own is still known.
        assert {section: read[section] | stored[section] for section in stored} == read
        assert "entity_scale" in stored["training"]  # which unseen entities are given


class TestKnowing:
    def test_unseen_entities_get_their_fixed_vectors(self, saved: Checkpoint) -> None:
        knowing = saved.knowing(frozenset({"Atlantis", "Utopia"}))
        found = knowing.model.word_vectors()[knowing.vocabulary.encode(["atlantis", "utopia"])]
        expected = 0.5 * torch.from_numpy(entity_vectors(["atlantis", "utopia"], 20))
        torch.testing.assert_close(found, expected)

    def test_all_else_stays(self, saved: Checkpoint) -> None:
        knowing = saved.knowing(frozenset({"Atlantis"}))
        count = len(saved.vocabulary)
        assert torch.equal(knowing.model.word_vectors()[:count], saved.model.word_vectors())
        batch = encode(EXAMPLES, saved.vocabulary)
        assert torch.equal(knowing.model(batch).candidates(), saved.model.eval()(batch).candidates())
        assert knowing.about == saved.about

    def test_nothing_new(self, saved: Checkpoint) -> None:
        assert saved.knowing(EXAMPLES.entity_words) is saved

    def test_the_entities_of_the_unseen_test_set(self, saved: Checkpoint) -> None:
        """None of them stays unknown, and each has a vector of its own."""
        test = generate("olympics-oov", "test", examples=50)
        assert (encode(test, saved.vocabulary).table.cells == UNKNOWN).any()
        knowing = saved.knowing(test.entity_words)
        batch = encode(test, knowing.vocabulary)
        assert not (batch.table.cells == UNKNOWN).any()
        vectors = knowing.model.word_vectors()[batch.table.cells.unique()]
        assert len(torch.unique(vectors, dim=0)) == len(vectors)


def test_nothing_is_ever_unpickled() -> None:
    """Loading a file from elsewhere must never run code in it."""
    package = Path(neural_enquirer.__file__).parent
    for path in package.rglob("*.py"):
        found = re.search(
            r"torch\.(?:load|save)\b|\b(?:import|from) (?:_?c?[pP]ickle|dill|joblib|shelve)\b|Unpickler",
            path.read_text(),
        )
        assert found is None, f"{path}: {found}"
