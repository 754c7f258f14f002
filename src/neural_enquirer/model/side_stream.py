"""A second stream of a GPU, for work that can be done beside other work."""

from contextlib import AbstractContextManager, nullcontext
from functools import cache

import torch


class SideStream:
    """Work that begins now and ends at `join`, beside what is done in between; gradients go the same ways.

    On a CPU everything is done in the order in which it is written.
    """

    def __init__(self, device: torch.device) -> None:
        """Begins after all that was done so far."""
        self.stream = _stream(device) if device.type == "cuda" else None
        if self.stream is not None:
            self.stream.wait_stream(torch.cuda.current_stream(device))

    def work(self) -> AbstractContextManager[object]:
        """What is done in this context is done on the side."""
        return nullcontext() if self.stream is None else torch.cuda.stream(self.stream)

    def join(self) -> None:
        """Lets what comes next see the work's results."""
        if self.stream is not None:
            torch.cuda.current_stream(self.stream.device).wait_stream(self.stream)


@cache
def _stream(device: torch.device) -> torch.cuda.Stream:
    """Returns always the same stream, so that its memory is used again."""
    return torch.cuda.Stream(device)
