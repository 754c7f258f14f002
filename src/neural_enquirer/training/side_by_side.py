"""Runs of the open model side by side: drawn and encoded once, each learns with another tenth held out."""

import multiprocessing
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import torch

from neural_enquirer.training.all_cores import end_processes
from neural_enquirer.training.display import run_and_show
from neural_enquirer.training.experiment import Experiment
from neural_enquirer.training.loop import Trainer, choose_device
from neural_enquirer.training.open_task import OpenParts, open_parts
from neural_enquirer.training.state import PROGRESS, TrainingError, read_progress


def train_side_by_side(
    experiment: Experiment, folders: Sequence[Path], out: Path, runs: int, device: str = "auto"
) -> tuple[Path, ...]:
    """Trains as many runs as there are, all at a time, each by its own seed; those that ended are kept.

    The seed of a run is also the tenth of the tables that it holds out.

    Args:
        experiment: what is learned and how.
        folders: of real questions.
        out: where the folder of each run goes, called by its seed.
        runs: how many.
        device: on which they share.

    Returns:
        The folders of the runs.

    Raises:
        RealDataError: if a folder holds no questions.
        TrainingError: if a run cannot start, or ended before its time.
    """
    own = {seed: _held_out(experiment, seed) for seed in range(runs)}
    unfinished = {seed: each for seed, each in own.items() if not _is_done(out / str(seed), each)}
    if unfinished:
        torch.set_num_threads(1)  # threads would not outlive the fork
        parts = open_parts(experiment, folders, set(own))
        _train_all(parts, unfinished, out, device)
    return tuple(out / str(seed) for seed in own)


def _train_all(parts: OpenParts, experiments: Mapping[int, Experiment], out: Path, device: str) -> None:
    # Forked, so that all runs share what was encoded: until here no other thread may be left, and nobody may
    # have asked for a GPU, not even whether there is one.
    end_processes()
    context = multiprocessing.get_context("fork")
    jobs = [
        context.Process(target=_train, args=(parts, experiment, seed, out / str(seed), device))
        for seed, experiment in experiments.items()
    ]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join()
    failed = [seed for seed, experiment in experiments.items() if not _is_done(out / str(seed), experiment)]
    if failed:
        raise TrainingError(f"the run in {out / str(failed[0])} ended early; start again to go on from there")


def _train(parts: OpenParts, experiment: Experiment, seed: int, directory: Path, device: str) -> None:
    data = parts.without(experiment.task.tenth)
    resume = (directory / PROGRESS).is_file()
    try:
        target = choose_device(device)
        run_and_show(Trainer(experiment, data, seed=seed, device=target, directory=directory, resume=resume))
    except TrainingError as error:
        sys.exit(str(error))


def _held_out(experiment: Experiment, tenth: int) -> Experiment:
    return replace(experiment, task=replace(experiment.task, tenth=tenth))


def _is_done(directory: Path, experiment: Experiment) -> bool:
    """Whether a run of this experiment has been trained to its end."""
    if not (directory / PROGRESS).is_file():
        return False
    progress = read_progress(directory)
    if progress.experiment != experiment.to_dict():
        raise TrainingError(f"{directory} holds a run of another experiment; name another folder")
    return len(progress.epochs) == experiment.training.epochs
