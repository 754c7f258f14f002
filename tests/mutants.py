"""Breaks lines that matter, one at a time, and tells which breakages no test notices.

    python tests/mutants.py [--only model/] [--list]

`mutants.toml` names the lines: a file, a text that stands in it once, what takes its place, and the tests
that should fail then. Everything happens in a temporary copy of the tree. The command fails where a mutant
survives, and before anything runs where the list no longer fits the tree.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
LIST = Path(__file__).with_suffix(".toml")
LONGEST = 900
"""Seconds after which tests of a mutant count as failed: it may never end."""


@dataclass(frozen=True)
class Mutant:
    """A breakage.

    Attributes:
        name: what is broken, in words.
        file: where, from the root of the tree.
        old: the text that is replaced; it stands there exactly once.
        new: what takes its place.
        tests: what should fail then: files or single tests, from the root of the tree.
    """

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    def problems(self, root: Path) -> list[str]:
        """Says what is wrong with it in this tree."""
        path = root / self.file
        found = path.read_text(encoding="utf-8").count(self.old) if path.is_file() else 0
        problems = [
            f"no tests {test}" for test in self.tests if not (root / test.partition("::")[0]).is_file()
        ]
        if found != 1:
            problems.append(f"the old text stands {found} times in {self.file}, not once")
        if self.old == self.new:
            problems.append("the new text is the old one")
        if not self.tests:
            problems.append("names no tests")
        return [f"{self.name}: {problem}" for problem in problems]


def read_mutants(only: str) -> list[Mutant]:
    """Reads those whose file's name contains a text."""
    listed = tomllib.loads(LIST.read_text(encoding="utf-8"))["mutant"]
    mutants = [Mutant(**{**one, "tests": tuple(one["tests"])}) for one in listed]
    return [mutant for mutant in mutants if only in mutant.file]


def failed_tests(root: Path, tests: Sequence[str]) -> bool:
    """Runs tests until the first one fails, with the package of this very tree; says whether one did."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    # A compiled file of the line before would be taken for that of a mutant of equal size and time.
    environment = {**os.environ, "PYTHONPATH": str(root / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            command, cwd=root, env=environment, capture_output=True, text=True, timeout=LONGEST, check=False
        )
    except subprocess.TimeoutExpired:
        return True
    if done.returncode not in (0, 1, 2):  # all passed, one failed, one could not be imported
        raise SystemExit(f"pytest itself failed:\n{done.stdout}{done.stderr}")
    return done.returncode != 0


def survives(mutant: Mutant, root: Path) -> bool:
    """Breaks the line in a copy of the tree, runs the tests, and mends it again."""
    path = root / mutant.file
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
    try:
        return not failed_tests(root, mutant.tests)
    finally:
        path.write_text(text, encoding="utf-8")


def survivors(mutants: Sequence[Mutant], root: Path) -> list[Mutant]:
    """Tries all mutants in a copy of the tree, and shows how it goes."""
    tests = sorted({test for mutant in mutants for test in mutant.tests})
    print(f"{len(tests)} tests or files of them, nothing broken", end="", flush=True)
    if failed_tests(root, tests):
        raise SystemExit(": they fail already; mend them first")
    print(": all pass")
    alive = []
    for number, mutant in enumerate(mutants, start=1):
        print(f"[{number}/{len(mutants)}] {Path(mutant.file).name}: {mutant.name}", end="", flush=True)
        start = time.perf_counter()
        if survives(mutant, root):
            alive.append(mutant)
        verdict = "SURVIVES" if mutant in alive else "caught"
        print(f": {verdict} ({time.perf_counter() - start:.0f} s)", flush=True)
    return alive


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", help="a part of the names of the files to break")
    parser.add_argument("--list", action="store_true", help="check the list against the tree and run nothing")
    arguments = parser.parse_args()
    mutants = read_mutants(arguments.only)
    if problems := [problem for mutant in mutants for problem in mutant.problems(ROOT)]:
        raise SystemExit("\n".join(problems))
    if arguments.list or not mutants:
        print(f"{len(mutants)} mutants, each of which stands once in the tree")
        return
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        root = Path(folder) / "tree"
        shutil.copytree(ROOT, root, ignore=shutil.ignore_patterns(".*", "__pycache__"))
        alive = survivors(mutants, root)
    print(f"{len(mutants) - len(alive)} of {len(mutants)} mutants were caught")
    if alive:
        raise SystemExit("\n".join(f"survived: {mutant.file}: {mutant.name}" for mutant in alive))


if __name__ == "__main__":
    main()
