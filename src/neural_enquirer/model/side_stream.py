"""A second stream of a GPU, for work that can be done beside other work."""

from contextlib import AbstractContextManager, nullcontext
from functools import cache

import torch
from torch import Tensor


class SideStream:
    """Work that begins now and ends at `join`, beside what is done in between; gradients go the same ways.

    Tensors that go in or come out are in use on both streams; unless told, the allocator would give the
    memory of one that is let go to the stream that made it, while the other may still read it. On a CPU
    everything is done in the order in which it is written.
    """

    def __init__(self, given: Tensor) -> None:
        """Begins after all that was done so far, with a tensor that is made."""
        self.stream = _stream(given.device) if given.is_cuda else None
        if self.stream is not None:
            self.stream.wait_stream(torch.cuda.current_stream(given.device))
            given.record_stream(self.stream)

    def work(self) -> AbstractContextManager[object]:
        """What is done in this context is done on the side."""
        return nullcontext() if self.stream is None else torch.cuda.stream(self.stream)

    def join(self, *results: Tensor) -> None:
        """Lets what comes next see the work's results."""
        if self.stream is not None:
            current = torch.cuda.current_stream(self.stream.device)
            current.wait_stream(self.stream)
            for result in results:
                result.record_stream(current)


@cache
def _stream(device: torch.device) -> torch.cuda.Stream:
    """Returns always the same stream, so that its memory is used again."""
    return torch.cuda.Stream(device)
