"""`enquirer generate`: writes data sets."""

import functools
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

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
    from neural_enquirer.synthesis import storage, tasks
    from neural_enquirer.synthesis.open.sampler import ONE_TABLE
    from neural_enquirer.synthesis.splits import TaskError
    from neural_enquirer.whole_folder import whole_folder

    known = (*tasks.TASKS, ONE_TABLE.name)
    if task not in known:
        raise TaskError(f"unknown task '{task}'; the tasks are {', '.join(known)}")
    is_open = task == ONE_TABLE.name
    draw = ONE_TABLE.generate if is_open else functools.partial(tasks.generate, task)
    sizes = _sizes(ONE_TABLE.sizes if is_open else tasks.TASKS[task].examples, examples)
    with whole_folder(out) as folder:
        splits = _drawn(draw, seed, sizes, verify)
        if is_open:
            storage.write_open_dataset(folder, seed, splits)
        else:
            storage.write_dataset(folder, task, seed, splits)
    counts = ", ".join(f"{count:,} {split}" for split, count in sizes.items())
    print(f"{out}: {counts} examples{', every answer verified' if verify else ''}")


def _drawn(draw: Callable[..., Any], seed: int, sizes: Mapping[str, int], verify: bool) -> dict[str, Any]:
    """The splits of a data set, every answer of which is checked where that is wanted."""
    from neural_enquirer.synthesis.verification import verify as check

    with progress("generating", sum(sizes.values())) as advance:
        splits = {
            split: draw(split, seed=seed, examples=count, progress=advance) for split, count in sizes.items()
        }
    if verify:
        with progress("verifying", sum(sizes.values())) as advance:
            for split in splits.values():
                check(
                    split if isinstance(split, Sequence) else map(split.example, range(len(split))), advance
                )
    return splits


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
