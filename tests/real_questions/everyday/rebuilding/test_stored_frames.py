import lzma
import os
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from neural_enquirer.real_questions import RealDataError
from neural_enquirer.real_questions.everyday.rebuilding.stored_frames import read_frame


def stored(value: object, protocol: int = 5) -> bytes:
    return lzma.compress(pickle.dumps(value, protocol=protocol))


def plain_frame() -> pd.DataFrame:
    """A frame as pandas 2 makes it: texts are objects, columns of a kind lie together."""
    frame = pd.DataFrame({"rownames": [1, 2, 3], "whole": [1.0, np.nan, -3.0], "part": [0.5, 2.0, 1e-7]})
    frame["text"] = np.array(["a", np.nan, "ü,\n"], dtype=object)
    frame["text"] = frame["text"].astype(object)
    frame["flag"] = [True, False, True]
    frame["last"] = [7, 8, 2**40]
    frame.columns = pd.Index(list(frame.columns), dtype=object)
    return frame


@pytest.mark.parametrize("protocol", [4, 5])
@pytest.mark.parametrize("together", [False, True])
def test_cells_are_those_of_the_frame(protocol: int, together: bool) -> None:
    frame = plain_frame()
    sheet = read_frame(stored(frame.copy() if together else frame, protocol))
    assert dict(sheet.columns) == {
        "rownames": ("1", "2", "3"),
        "whole": ("1", "", "-3"),
        "part": ("0.5", "2.0", "1e-07"),
        "text": ("a", "", "ü,\n"),
        "flag": ("True", "False", "True"),
        "last": ("7", "8", "1099511627776"),
    }


class Harmful:
    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, (str(self.path),)


def test_nothing_that_a_pickle_says_is_done(tmp_path: Path) -> None:
    folder = tmp_path / "made"
    with pytest.raises(RealDataError, match=r"it names \w+\.mkdir"):
        read_frame(stored(Harmful(folder)))
    assert not folder.exists()
    pickle.loads(lzma.decompress(stored(Harmful(folder))))
    assert folder.exists()  # it would have been


@pytest.mark.parametrize(
    "content",
    [b"no xz", lzma.compress(b""), lzma.compress(b"no pickle"), stored(3), stored({"a": 1}), stored({1, 2})],
)
def test_anything_else_is_refused(content: bytes) -> None:
    with pytest.raises(RealDataError, match="no plain data frame"):
        read_frame(content)


def test_a_frame_that_is_cut_off_is_refused() -> None:
    whole = pickle.dumps(plain_frame(), protocol=5)
    with pytest.raises(RealDataError, match="no plain data frame"):
        read_frame(lzma.compress(whole[:-200]))
