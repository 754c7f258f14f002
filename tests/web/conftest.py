from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from fastapi.testclient import TestClient
from page_visits import PATIENCE, PROGRAMS, Readings, Visit
from playwright.sync_api import Browser
from web_server import client_of, fake_app, on_a_socket

from benchmarks.browser import chromium, find_chromium
from neural_enquirer import Enquirer
from neural_enquirer.web.server import create_app


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    """A client of a server with the usual limits and the table `games`."""
    with client_of(fake_app()) as client:
        yield client


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if find_chromium() is None:
        pytest.skip("no chromium, chromium-browser or google-chrome on PATH; install one to test the page")
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def corrections(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the page's server keeps corrections."""
    return tmp_path_factory.mktemp("kept") / "corrections.jsonl"


@pytest.fixture(scope="module")
def address(corrections: Path) -> Iterator[str]:
    """The page's, with the tables of the examples."""
    with on_a_socket(create_app(Enquirer(Readings(PROGRAMS)), [], corrections=corrections)) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def settings() -> dict[str, Any]:
    """Of the browser's window; tests of small or dark ones have their own."""
    return {"viewport": {"width": 1280, "height": 800}}


@pytest.fixture
def visit(browser: Browser, address: str, settings: dict[str, Any]) -> Iterator[Visit]:
    """A page in a browser session of its own, which must not complain nor ask other hosts."""
    context = browser.new_context(
        reduced_motion="reduce",
        accept_downloads=True,
        permissions=["clipboard-read", "clipboard-write"],
        **settings,
    )
    context.set_default_timeout(PATIENCE)
    visit = Visit(context.new_page(), address)
    yield visit
    context.close()
    assert visit.errors == []
    asked = {urlsplit(url).netloc for url in visit.requests if not url.startswith(("blob:", "data:"))}
    assert asked == {urlsplit(address).netloc}
