"""The page in a real browser: finds the system's Chromium and starts the server."""

import contextlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_chromium() -> str | None:
    """The system's browser; None where it has none."""
    return next((path for name in _NAMES if (path := shutil.which(name))), None)


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    """The system's browser, without a window."""
    # The sandbox does not run as root, which is who containers mostly run as.
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=arguments)
        try:
            yield browser
        finally:
            browser.close()


@contextlib.contextmanager
def serving(tables: Sequence[str | Path] = ()) -> Iterator[str]:
    """Runs `enquirer serve` on a free port; gives the page's address."""
    command = [sys.executable, "-m", "neural_enquirer.cli", "serve", "--port", "0", "--no-open"]
    server = subprocess.Popen([*command, *map(str, tables)], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        said = server.stdout.readline()
        address = re.search(r"https?://[^ ]+", said)
        if address is None:
            raise RuntimeError(f"the server did not start; it said: {said!r}")
        yield address[0].rstrip("/")
    finally:
        server.terminate()
        server.wait(timeout=20)
        server.stdout.close()
