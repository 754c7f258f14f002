import io
import tarfile
from pathlib import Path

import pytest

from neural_enquirer.real_questions import RealDataError
from neural_enquirer.real_questions.everyday.rebuilding.wiki_tables import read_wiki_tables

PLACE = "csv/204-csv/7.csv"
PUBLISHED = b'"Title","Note"\n"The \\"Big\\" One","a\nb"\n"x, y","back\\\\slash"\n'
PLAIN = b'Title,Note\r\n"The ""Big"" One","a\nb"\r\n"x, y",back\\slash\r\n'


def published(folder: Path) -> None:
    (folder / "csv" / "204-csv").mkdir(parents=True)
    (folder / PLACE).write_bytes(PUBLISHED)


def simple(folder: Path) -> None:
    (folder / "tables").mkdir()
    (folder / "tables" / "204-7.csv").write_bytes(PLAIN)


def packed(folder: Path) -> None:
    for split, name in (("dev", "204-8"), ("train", "204-7")):
        with tarfile.open(folder / f"tables-{split}.tar.xz", "w:xz") as archive:
            archive.addfile(tarfile.TarInfo("tables/nothing.csv"))
            member = tarfile.TarInfo(f"tables/{name}.csv")
            member.size = len(PLAIN)
            archive.addfile(member, io.BytesIO(PLAIN))


@pytest.mark.parametrize("form", [published, simple, packed])
def test_every_form_gives_the_same_bytes(tmp_path: Path, form: object) -> None:
    assert callable(form)
    form(tmp_path)
    assert read_wiki_tables(tmp_path, [PLACE, "csv/204-csv/9.csv"]) == {PLACE: PLAIN}


def test_a_damaged_archive(tmp_path: Path) -> None:
    (tmp_path / "tables-train.tar.xz").write_bytes(b"no archive")
    with pytest.raises(RealDataError, match="damaged"):
        read_wiki_tables(tmp_path, [PLACE])
