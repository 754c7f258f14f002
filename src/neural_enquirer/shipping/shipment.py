"""From a run to a shipped model: what is still to be learned, its card, and its folder."""

import shutil
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from neural_enquirer import checkpoint
from neural_enquirer.checkpoint import Checkpoint
from neural_enquirer.checkpoint_files import tenth_held_out
from neural_enquirer.judge.storage import FILE as JUDGE_FILE
from neural_enquirer.judge.storage import load_judge, save_judge
from neural_enquirer.judge.verdict import Judge
from neural_enquirer.shipping.collecting import DRAWN, FORMS, collect, read_sources, weighed
from neural_enquirer.shipping.judge import learned
from neural_enquirer.shipping.problems import ShippingError
from neural_enquirer.shipping.run_record import keep_record, stored_result
from neural_enquirer.shipping.temperature import BLOCKS, temperature_of
from neural_enquirer.shipping.workers import Told, nobody
from neural_enquirer.systems import OPEN
from neural_enquirer.training.judge_learning import Case

LARGEST: Final = 10_000_000
"""Bytes that a shipped model may have."""
_FILES: Final = frozenset({"config.json", "vocabulary.json", "model.safetensors", JUDGE_FILE})
"""Of a shipped model; a folder with others is not replaced."""
_CASES: Final = "cases"
"""The folder in a run that keeps cases until it is shipped."""


@dataclass(frozen=True)
class Shipment:
    """What is shipped and from what.

    Attributes:
        run: the folder of a trained model.
        target: the folder where it goes; a shipped model there is replaced.
        data: folders of real questions, from which an open model's judge is learned.
        also: the folders of further runs of the same kind, which held out other tables: the judge learns
            from what they answer about these as well.
        judge: the folder of a model whose judge goes on learning; None to learn one anew.
        seed: of the questions that are drawn, and of the judge's weights.
        results: the folder of results, where the run's own is found or put.
        resume: whether to go on from the cases that were collected before.
        blocks: of template questions, from which the temperature is learned.
        drawn: how many template questions over real tables the judge learns from.
        forms: how many blocks of template questions over drawn tables.
    """

    run: Path
    target: Path
    data: tuple[Path, ...] = ()
    also: tuple[Path, ...] = ()
    judge: Path | None = None
    seed: int = 1
    results: Path = Path("results")
    resume: bool = False
    blocks: int = BLOCKS
    drawn: int = DRAWN
    forms: int = FORMS


def ship(shipment: Shipment, told: Told = nobody) -> dict[str, Any]:
    """Ships a model; it appears whole or not at all. Returns what its card says.

    Raises:
        ShippingError: if the model or what goes with it does not do.
        CheckpointError: if the run holds no model.
        RealDataError: if a folder of questions cannot be read.
    """
    if not (shipment.run / "config.json").is_file():
        raise ShippingError(f"{shipment.run} holds no trained model; name the folder of a run")
    _check_target(shipment.target)
    trained = checkpoint.load(shipment.run.resolve())
    if trained.model.kind == OPEN:
        return _ship_open(shipment, trained, told)
    return _ship_closed(shipment, trained)


def _ship_closed(shipment: Shipment, trained: Checkpoint) -> dict[str, Any]:
    """A model of the paper's closed vocabulary goes as it is, with the result of its test."""
    if shipment.data:
        raise ShippingError("only an open model learns from real questions; leave out --data")
    stored = stored_result(shipment.run, trained, shipment.results)
    about = {**trained.about, "run": stored.file}
    about |= {name: stored.content[name] for name in ("experiment", "test") if name in stored.content}
    _put(replace(trained, about=about), None, shipment.target)
    return about


def _ship_open(shipment: Shipment, trained: Checkpoint, told: Told) -> dict[str, Any]:
    if not shipment.data:
        raise ShippingError("an open model needs real questions to learn a judge from: --data DIR")
    runs = (shipment.run.resolve(), *(run.resolve() for run in shipment.also))
    temperatures, cases = [], []
    for run in runs:
        temperature, found = _answered(shipment, run, told)
        temperatures.append(temperature)
        cases += found
    start = None if shipment.judge is None else load_judge(shipment.judge)
    if shipment.judge is not None and start is None:
        raise ShippingError(f"{shipment.judge} has no judge to begin with; name a shipped open model")
    judge = learned(weighed(cases), shipment.seed, start)
    if shipment.judge is not None:
        judge.about["start"] = checkpoint.load(shipment.judge.resolve()).about.get("judge")
    about = {**trained.about, "judge": judge.about}
    records = [stored.file for run in runs if (stored := keep_record(run, shipment.results))]
    if records:
        about["run"], judge.about["runs"] = records[0], records
    _put(replace(trained, about=about, temperature=temperatures[0]), judge.judge, shipment.target)
    for run in runs:
        shutil.rmtree(run / _CASES, ignore_errors=True)
    return about


def _answered(shipment: Shipment, run: Path, told: Told) -> tuple[float, list[Case]]:
    """The temperature of a run's cascade, and its cases about the tables that it never learned from."""
    kept = run / _CASES
    if not shipment.resume:
        shutil.rmtree(kept, ignore_errors=True)
    told("reading questions", 0, len(shipment.data))
    sources = read_sources(shipment.data, tenth_held_out(run), shipment.drawn, shipment.seed, shipment.forms)
    temperature = temperature_of(run, shipment.seed, shipment.blocks, told)
    return temperature, collect(run, sources, temperature, kept, told)


def _check_target(target: Path) -> None:
    """Sees to it that nothing but a shipped model is replaced."""
    if target.exists() and not target.is_dir():
        raise ShippingError(f"{target} is a file; name a folder")
    others = sorted({path.name for path in target.iterdir()} - _FILES) if target.exists() else []
    if others:
        raise ShippingError(f"{target} holds more than a shipped model, such as {others[0]}; name another")


def _put(trained: Checkpoint, judge: Judge | None, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as scratch:
        fresh = Path(scratch) / "new"
        trained.save(fresh, half=judge is not None)
        if judge is not None:
            save_judge(fresh, judge)
        size = sum(path.stat().st_size for path in fresh.iterdir())
        if size > LARGEST:
            raise ShippingError(f"the model has {size / 1e6:.1f} MB, more than {LARGEST / 1e6:.0f} MB")
        if target.exists():
            target.rename(Path(scratch) / "old")
        fresh.rename(target)
