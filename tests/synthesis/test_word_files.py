"""Files of words are refused with one line that says where they are wrong."""

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from neural_enquirer.synthesis.open.shapes import JOINS, KINDS, LINKED_HEADERS, SHAPES, VALUES
from neural_enquirer.synthesis.word_files import DATA, VocabularyError, entries, read_lists

SYNTHESIS = DATA.parent / "synthesis"
OPENED = """
import sys
opened = set()
sys.addaudithook(lambda event, values: opened.add(str(values[0])) if event == "open" else None)
{code}
print("\\n".join(path for path in opened if path.endswith(".toml")), end="")
"""


@dataclass(frozen=True)
class Animal:
    name: str
    sounds: tuple[str, ...]
    legs: int = 4


def written(folder: Path, text: str, name: str = "animals.toml") -> Path:
    path = folder / "zoo" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def opened_by(code: str) -> set[Path]:
    done = subprocess.run(
        [sys.executable, "-c", OPENED.format(code=code)], capture_output=True, check=True, text=True
    )
    return {Path(line) for line in done.stdout.splitlines()}


def test_an_entry_becomes_a_dataclass(tmp_path: Path) -> None:
    text = '[cat]\nsounds = ["meow", "purr"]\n[cow]\nsounds = []\nlegs = 3'

    cat, cow = (
        entry.make(Animal, {"name": entry.name, **entry.keys}) for entry in entries([written(tmp_path, text)])
    )

    assert (cat, cow) == (Animal("cat", ("meow", "purr")), Animal("cow", (), legs=3))


@pytest.mark.parametrize(
    ("text", "message"), [("sound = []", "unexpected .*'sound'"), ("legs = 4", "missing")]
)
def test_an_entry_that_does_not_fit_is_refused(tmp_path: Path, text: str, message: str) -> None:
    (entry,) = entries([written(tmp_path, f"[cat]\n{text}")])

    with pytest.raises(VocabularyError, match=rf"^zoo/animals.toml, \[cat\]: .*{message}"):
        entry.make(Animal, {"name": "cat", **entry.keys})


def test_a_name_is_there_only_once(tmp_path: Path) -> None:
    files = [written(tmp_path, "[cat]"), written(tmp_path, "[dog]\n[cat]", "pets.toml")]

    with pytest.raises(VocabularyError, match=r"^zoo/pets.toml, \[cat\]: zoo/animals.toml has one of this"):
        list(entries(files))
    with pytest.raises(VocabularyError, match=r"^zoo/animals.toml: .* twice \(at line 2, column 5\)$"):
        list(entries([written(tmp_path, "[cat]\n[cat]")]))


def test_what_is_no_entry_is_refused(tmp_path: Path) -> None:
    with pytest.raises(VocabularyError, match=r"^zoo/animals.toml: 'legs' stands outside of any \[entry\]$"):
        list(entries([written(tmp_path, "legs = 4")]))
    with pytest.raises(VocabularyError, match=r"^zoo/animals.toml: .* \(at line 1, column 6\)$"):
        list(entries([written(tmp_path, "legs 4")]))


def test_lists_have_names(tmp_path: Path) -> None:
    text = 'slots.n = "a name"\nhello = ["hi {n}", "hi"]\nbye.soon = ["see you"]\nbye.late = []'

    assert read_lists(written(tmp_path, text), written(tmp_path, "hey = ['ho']", "pets.toml")) == {
        "hello": ("hi {n}", "hi"),
        "bye.soon": ("see you",),
        "bye.late": (),
        "hey": ("ho",),
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hello = 'hi'", "'hello' should be a list of texts"),
        ("hello = ['hi', 3]", "'hello' should be a list of texts"),
        ("hello = ['hi ']", "'hello' has spaces too many in 'hi '"),
        ("hello = ['hi {n}']", "'hello' has an unknown slot in 'hi {n}'"),
        ("hello = ['hi {n']", "'hello' has an unknown slot in 'hi {n'"),
        ("hello = ['hi']\n'bye.soon' = ['bye']\nbye.soon = ['bye']", "there is another list 'bye.soon'"),
    ],
)
def test_lists_that_do_not_fit_are_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(VocabularyError) as error:
        read_lists(written(tmp_path, text))

    assert str(error.value) == f"zoo/animals.toml: {message}"


def test_lists_that_are_drawn_from_are_those_that_are_there() -> None:
    code = "\n".join(path.read_text() for path in (SYNTHESIS / "open").glob("*.py"))
    code += "\n".join(path.read_text() for path in (SYNTHESIS / "programs").glob("*.py"))
    makers = (DATA / "vocabulary" / "makers.toml").read_text()
    written = {*re.findall(r"""["'](\w+)[."']""", code), *re.findall(r"[{+|<](\w+)", makers)}
    for lists in (SHAPES, JOINS, LINKED_HEADERS, VALUES, KINDS):
        names = {name.partition(".")[0] for name in lists if not name.endswith(("_who", "_which"))}
        assert names - written == set()
    used = set(re.findall(r"""(?:SHAPES|VALUES|JOINS|LINKED_HEADERS|KINDS)\[["'](\w+)["']\]""", code))
    assert used
    assert used <= {*SHAPES, *JOINS, *LINKED_HEADERS, *VALUES, *KINDS}


def test_every_file_is_loaded_by_the_synthesis() -> None:
    code = (
        "from neural_enquirer.synthesis import programs, tasks\n"
        "from neural_enquirer.synthesis.open import join_sampler, lexicon, sampler\n"
        "lexicon.all_families(), lexicon.all_topics()"
    )

    folders = (DATA / "vocabulary", DATA / "olympics")
    assert opened_by(code) == {path for folder in folders for path in folder.rglob("*.toml")}


def test_who_asks_loads_none() -> None:
    code = "from neural_enquirer.asking import command; from neural_enquirer.prediction import predictors"

    assert not opened_by(code)
