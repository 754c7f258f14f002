"""Runs that nobody made, for pages about them."""

import json
from pathlib import Path


def store(folder: Path, name: str, seed: int, *, nest: float) -> None:
    """Writes the result of a run; overall it is half as bad as on nested questions."""
    result = {
        "experiment": {"task": {"name": "olympics-25k"}, "training": {"epochs": 2}},
        "seed": seed,
        "hardware": "an abacus",
        "test": {"overall": (1 + nest) / 2, "by_type": {"nest": nest}, "examples": 20},
        "seconds": {"training": 30.0, "to_validation": {"0.9": 12.0, "0.99": None, "0.995": None}},
        "epochs": [{"epoch": 1, "overall": nest}, {"epoch": 2, "overall": nest}],
        **({"note": "slow"} if seed else {}),
    }
    path = folder / "runs" / name / f"{seed}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(result))
