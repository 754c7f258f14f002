"""Files of cases, so that collecting them can be stopped, or done on another machine."""

import io
import os
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from neural_enquirer.shipping.problems import ShippingError
from neural_enquirer.training.judge_learning import Case


def write_cases(path: Path, cases: Sequence[Case]) -> None:
    """Writes cases to a file, which appears whole or not at all."""
    content = io.BytesIO()
    np.savez_compressed(
        content,
        lengths=np.array([len(case.rows) for case in cases]),
        rows=np.concatenate([case.rows for case in cases]),
        right=np.concatenate([case.right for case in cases]),
        tables=np.array([case.table for case in cases]),
        sources=np.array([case.source for case in cases]),
        weights=np.array([case.weight for case in cases]),
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}")
    unfinished.write_bytes(content.getvalue())
    os.replace(unfinished, path)


def read_cases(path: Path) -> list[Case]:
    """Reads cases.

    Raises:
        ShippingError: where the file is damaged.
    """
    try:
        with np.load(path, allow_pickle=False) as stored:
            ends = stored["lengths"].cumsum()[:-1]
            each = (
                np.split(stored["rows"], ends),
                np.split(stored["right"], ends),
                stored["tables"].tolist(),
                stored["sources"].tolist(),
                stored["weights"].tolist(),
            )
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise ShippingError(f"{path} is damaged; delete it") from error
    return [Case(*one) for one in zip(*each, strict=True)]
