"""`enquirer generate`: writes data sets."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final

import typer

from neural_enquirer.asking.progress import progress

_FEWEST_EXAMPLES: Final = 20
"""A data set cut down by --examples keeps enough questions of every type to be worth checking."""


def generate(
    task: Annotated[
        str, typer.Argument(metavar="TASK", help="Which data set, such as olympics-25k or open.")
    ],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="A folder that does not exist yet.")],
    seed: Annotated[int, typer.Option(help="The same seed gives the same bytes.")] = 0,
    examples: Annotated[
        int | None,
        typer.Option(metavar="N", help="Training examples; validation and test shrink or grow alike."),
    ] = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="Check every answer: run the program of its question.")
    ] = False,
) -> None:
    """Write a data set: Parquet files for train, validation and test, and dataset.json."""
    from neural_enquirer.installed import check_installed

    check_installed("pyarrow", "train", "enquirer generate")
    from neural_enquirer.synthesis import tasks
    from neural_enquirer.synthesis.open.sampler import ONE_TABLE
    from neural_enquirer.synthesis.splits import TaskError
    from neural_enquirer.whole_folder import whole_folder

    known = (*tasks.TASKS, ONE_TABLE.name)
    if task not in known:
        raise TaskError(f"unknown task '{task}'; the tasks are {', '.join(known)}")
    write = _write_open if task == ONE_TABLE.name else _write_olympic
    sizes = _sizes(ONE_TABLE.sizes if task == ONE_TABLE.name else tasks.TASKS[task].examples, examples)
    with whole_folder(out) as folder:
        write(folder, task, seed, sizes, verify)
    counts = ", ".join(f"{count:,} {split}" for split, count in sizes.items())
    print(f"{out}: {counts} examples{', every answer verified' if verify else ''}")


def _write_olympic(folder: Path, task: str, seed: int, sizes: Mapping[str, int], verify: bool) -> None:
    from neural_enquirer.synthesis import storage, tasks, verification

    with progress("generating", sum(sizes.values())) as advance:
        splits = {
            split: tasks.generate(task, split, seed=seed, examples=count, progress=advance)
            for split, count in sizes.items()
        }
    if verify:
        with progress("verifying", sum(sizes.values())) as advance:
            for split in splits.values():
                verification.verify(map(split.example, range(len(split))), progress=advance)
    storage.write_dataset(folder, task, seed, splits)


def _write_open(folder: Path, task: str, seed: int, sizes: Mapping[str, int], verify: bool) -> None:
    from neural_enquirer.synthesis import storage, verification
    from neural_enquirer.synthesis.open.sampler import ONE_TABLE

    with progress("generating", sum(sizes.values())) as advance:
        splits = {
            split: ONE_TABLE.generate(split, seed=seed, examples=count, progress=advance)
            for split, count in sizes.items()
        }
    if verify:
        with progress("verifying", sum(sizes.values())) as advance:
            for split in splits.values():
                verification.verify(split, progress=advance)
    storage.write_open_dataset(folder, seed, splits)


def _sizes(sizes: Mapping[str, int], examples: int | None) -> dict[str, int]:
    """The size of each split, scaled to as many training examples as are wanted."""
    if examples is None:
        return dict(sizes)
    if examples < 1:
        raise typer.BadParameter(f"there must be 1 example or more, not {examples}")
    scaled = {
        split: max(_FEWEST_EXAMPLES, round(size * examples / sizes["train"])) for split, size in sizes.items()
    }
    return scaled | {"train": examples}
