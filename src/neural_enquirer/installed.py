"""What is installed: some packages are there for those who train, and asking goes without them."""

import importlib.util

__all__ = ["NotInstalledError", "check_installed"]


class NotInstalledError(ValueError):
    """Something needs a package that is not there; the message is one line that says what to install."""


def check_installed(package: str, extra: str, what: str) -> None:
    """Sees to it that a package is there for something that needs it.

    Args:
        package: its name.
        extra: the extra of this package that brings it.
        what: what needs it.

    Raises:
        NotInstalledError: where it is not there.
    """
    if importlib.util.find_spec(package) is None:
        raise NotInstalledError(
            f"{what} needs {package}, which is not installed; run: pip install '.[{extra}]'"
        )
