"""Makes the pictures of the README: the page with an answer and the rows behind it, and the answer's figure.

    python -m benchmarks.screenshot

Needs a Chromium. The page takes the system's fonts; it looks its best with Inter (Debian: fonts-inter).
"""

import argparse
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Browser, expect

from benchmarks.browser import chromium, serving

ROOT = Path(__file__).parents[1]
TABLE = ROOT / "examples" / "olympics.csv"
QUESTION = "Which city had the most athletes before 1950?"
ANSWER = "London"


def photograph_page(browser: Browser, address: str, path: Path, scheme: str = "light") -> None:
    page = browser.new_page(
        viewport={"width": 1440, "height": 1000},
        device_scale_factor=1.5,
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
    )
    page.goto(f"{address}/#{urlencode({'table': TABLE.stem, 'question': QUESTION})}")
    expect(page.locator("#value")).to_have_text(ANSWER, timeout=60_000)
    page.locator("#program .panel", has_text="before 1950").click()
    expect(page.locator("#only")).to_be_visible()
    page.evaluate("document.activeElement.blur()")
    page.mouse.move(0, 0)
    page.evaluate("window.scrollTo(0, 0)")
    page.screenshot(path=path)
    page.close()


def draw_figure(path: Path) -> None:
    command = [sys.executable, "-m", "neural_enquirer.cli", "ask", TABLE, QUESTION, "--figure", path]
    subprocess.run([str(part) for part in command], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--out", type=Path, default=ROOT / "docs", help="a folder (default: docs)")
    folder: Path = parser.parse_args().out
    draw_figure(folder / "why.png")
    with serving() as address, chromium() as browser:
        photograph_page(browser, address, folder / "page.png")
        photograph_page(browser, address, folder / "page-dark.png", scheme="dark")


if __name__ == "__main__":
    main()
