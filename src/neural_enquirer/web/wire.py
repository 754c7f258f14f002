"""What goes over the wire: JSON, and the sentence with which a request is turned away."""

import json
from typing import Any


def json_bytes(content: Any) -> bytes:
    """JSON in plain ASCII: cells may hold what cannot be written as UTF-8.

    What JSON has no word for, such as infinity, is a fault of the program.
    """
    return json.dumps(content, allow_nan=False, separators=(",", ":")).encode("ascii")


class RequestError(Exception):
    """A request that is turned away.

    Attributes:
        status: of the HTTP response.
        sentence: what is wrong and what to do.
    """

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence


def busy(what: str) -> RequestError:
    """Too much at once: the client may come again."""
    return RequestError(503, f"The server has too many {what} at once; try again in a moment.")
