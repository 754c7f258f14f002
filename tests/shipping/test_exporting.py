"""The open model in other runtimes: its graphs say what it says, for questions and tables of other sizes."""

import subprocess
import sys

import numpy as np
import pytest

from asked_games import GAMES, LANDS, VOCABULARY, linked
from neural_enquirer.checkpoint import Checkpoint
from neural_enquirer.encoding.actions import Derivation, Pool
from neural_enquirer.encoding.actions.grammar import symbols_of
from neural_enquirer.encoding.open import prepare_all
from neural_enquirer.encoding.padding import collate
from neural_enquirer.encoding.program_batch import collate as collate_schema
from neural_enquirer.model.export import GRAPHS
from neural_enquirer.runtime.beam_search import search
from neural_enquirer.runtime.heard import COUNT
from watched_models import QUESTION, long_table
from writing_models import in_numpy, writing_model

pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")


@pytest.fixture(scope="module")
def sessions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, "onnxruntime.InferenceSession"]:
    run_folder, folder = (tmp_path_factory.mktemp("export") / name for name in ("run", "graphs"))
    Checkpoint(writing_model(scale=0.3), VOCABULARY, "natural").save(run_folder)
    # In a process of its own: following a model turns its sizes into tensors, which the tests' checks refuse.
    command = [
        sys.executable,
        "-m",
        "neural_enquirer.cli",
        "models",
        "--export",
        folder,
        "--model",
        run_folder,
    ]
    subprocess.run(command, check=True, capture_output=True)
    names = {path.name for path in folder.iterdir()}
    assert names == {*GRAPHS, "config.json", "vocabulary.json"}
    return {name: onnxruntime.InferenceSession(folder / name) for name in GRAPHS}


def run(session: "onnxruntime.InferenceSession", known: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    outputs = [own.name for own in session.get_outputs()]
    inputs = {own.name: known[own.name] for own in session.get_inputs()}
    return dict(zip(outputs, session.run(outputs, inputs), strict=True))


@pytest.mark.parametrize("rows", [1, 30])
def test_cells_score_as_they_do_without_it(rows: int, sessions) -> None:
    light = in_numpy(writing_model(scale=0.3))
    (question,) = prepare_all([((long_table(rows),), f"{QUESTION} or 17 or more than 5")], VOCABULARY)
    batch = collate([question])
    known = {name: value.numpy() for name, value in vars(batch).items() if hasattr(value, "numpy")}
    known |= {name: value.numpy() for name, value in vars(batch.tables[0]).items() if value is not None}
    found = run(sessions["cells.onnx"], known)
    expected = light.execute(light.read(question), question)
    np.testing.assert_allclose(found["answer_scores"][0], expected.tables[0].answer_scores, atol=1e-4)
    assert found["none_scores"][0] == pytest.approx(expected.none_score, abs=1e-4)


@pytest.mark.parametrize("tables", [(GAMES,), (GAMES, LANDS)])
def test_programs_score_as_they_do_without_it(tables, sessions) -> None:
    """The likeliest program of the numpy decoder, step by step."""
    light, text = in_numpy(writing_model(scale=0.3)), "which city in greece had more than 9 days in 1900"
    asked, indexes = linked(text, tables)
    (question,) = prepare_all([(tables, text)], VOCABULARY)
    heard = light.hear(light.read(question), asked, indexes)
    best = search(light.decoder, [heard], [len(tables)], beam=8, least=-60.0)[0][0]
    schema = collate_schema([(asked, indexes)], VOCABULARY)
    known = run(sessions["hear.onnx"], {name: value.numpy() for name, value in vars(schema).items()})
    assert walked(sessions["step.onnx"], known, best.derivation, len(tables)) == pytest.approx(
        best.score, abs=1e-3
    )


def walked(session, known: dict[str, np.ndarray], derivation: Derivation, tables: int) -> float:
    """The score of a derivation by single steps."""
    sizes = (COUNT, *(known[name].shape[1] for name in ("fields", "mention_states", "quantity_states")))
    _, tokens, states = known["states"].shape
    memory = {
        "hidden": known["start"],
        "context": np.zeros((1, 1, states), np.float32),
        "used": np.zeros((1, 1, tokens), np.float32),
    }
    total, previous, given = 0.0, -1, 0
    for action, turn in zip(derivation, symbols_of(derivation, tables), strict=True):
        now = {"symbols": turn.symbol, "parents": turn.parent % (COUNT + 1), "given": given}
        inputs = {name: np.array([[value]]) for name, value in (now | {"previous": previous}).items()}
        found = run(session, known | memory | inputs)
        previous = sum(sizes[: int(action.pool)]) + action.number
        total += float(found["scores"][0, 0, previous])
        given = action.number if action.pool in (Pool.MENTION, Pool.QUANTITY) else given
        memory = {name: found[f"next_{name}"] for name in memory}
    return total
