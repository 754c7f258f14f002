"""Blends an open model with one that began with its weights: the mean of both keeps what each does best.

    python -m benchmarks.blend open runs/open-everyday --out runs/blend

A short further training teaches new kinds of questions and unteaches a little of the old ones; halfway
between the two, most of both is there. Words that only the second one knows keep its vectors.
"""

import argparse
from dataclasses import replace
from pathlib import Path

import torch
from torch import Tensor

from neural_enquirer import checkpoint
from neural_enquirer.checkpoint import Checkpoint


def blended(first: Checkpoint, second: Checkpoint, share: float) -> Checkpoint:
    """Returns the weighted mean of two models; `share` is that of the second."""
    before, after = first.model.state_dict(), second.model.state_dict()
    old, new = first.vocabulary.codes, second.vocabulary.codes
    both = [word for word in new if word in old]
    here = torch.tensor(
        [0, *(new[word] - 1 for word in both)]
    )  # padding has no row, the unknown word the first
    there = torch.tensor([0, *(old[word] - 1 for word in both)])
    weights: dict[str, Tensor] = {
        name: torch.lerp(before[name], value, share) for name, value in after.items() if name != "embedding"
    }
    weights["embedding"] = after["embedding"].clone()
    weights["embedding"][here] = torch.lerp(before["embedding"][there], after["embedding"][here], share)
    second.model.load_state_dict(weights)
    about = {**second.about, "blend": {"share": share, "with": dict(first.about)}}
    return replace(second, about=about, temperature=1.0)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--share", type=float, default=0.5)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    models = checkpoint.load(arguments.first), checkpoint.load(arguments.second)
    blended(*models, arguments.share).save(arguments.out)


if __name__ == "__main__":
    main()
