from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from web_server import client_of, fake_app


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    """A client of a server with the usual limits and the table `games`."""
    with client_of(fake_app()) as client:
        yield client
