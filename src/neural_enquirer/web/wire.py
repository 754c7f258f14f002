"""JSON as it goes over the wire."""

import json
from typing import Any


def json_bytes(content: Any) -> bytes:
    """JSON in plain ASCII: cells may hold what cannot be written as UTF-8.

    What JSON has no word for, such as infinity, is a fault of the program.
    """
    return json.dumps(content, allow_nan=False, separators=(",", ":")).encode("ascii")
