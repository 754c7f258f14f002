"""One training step: on the CPU call by call, on a GPU captured once as a graph and replayed."""

import contextlib
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.utils import deterministic

from neural_enquirer.encoding.any_batch import Shelf
from neural_enquirer.encoding.batch import Batch
from neural_enquirer.training.experiment import TrainingConfig
from neural_enquirer.training.optimization import FlatParameters

Loss = Callable[[Any, Any], Float[Tensor, ""]]
Change = Callable[[Batch], Batch]
"""Makes other examples of some, with the same answers: see `renaming` and `widening`."""

WARMUP_STEPS = 3
"""Steps before a capture, in which libraries choose their kernels and allocate what they need."""


@contextlib.contextmanager
def fixed_order(device: torch.device) -> Iterator[None]:
    """Lets gradients be summed in the same order each time, so that a seed gives the same weights again.

    A vocabulary is small and a batch full of its words. Left alone, torch adds the gradients of words that
    occur often in whatever order a GPU gets to them. What has no fixed order is computed all the same.
    """
    if device.type != "cuda":
        yield
        return
    enabled = torch.are_deterministic_algorithms_enabled()
    warned = torch.is_deterministic_algorithms_warn_only_enabled()
    memory: Any = deterministic
    filled = memory.fill_uninitialized_memory
    memory.fill_uninitialized_memory = False  # costs time, and all of it is written before it is read
    torch.use_deterministic_algorithms(True, warn_only=True)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Deterministic behavior was enabled")
            yield
    finally:
        torch.use_deterministic_algorithms(enabled, warn_only=warned)
        memory.fill_uninitialized_memory = filled


class TrainingStep:
    """Takes a step on chosen examples of data that live on the model's device.

    Examples padded to different sizes lie on different shelves.
    """

    def __init__(
        self,
        model: nn.Module,
        weights: FlatParameters,
        optimizer: torch.optim.Optimizer,
        loss: Loss,
        shelves: Sequence[Shelf],
        config: TrainingConfig,
        changes: Sequence[Change] = (),
    ) -> None:
        """Prepares steps that minimise `loss`; `changes` are made anew each time that an example is seen."""
        self.model, self.weights, self.optimizer = model, weights, optimizer
        self.loss, self.shelves, self.changes = loss, shelves, changes
        self.clip, self.summed = config.clip, config.summed
        self.explores = config.exploration > 0
        self.exploration = torch.zeros((), device=weights.whole.device)
        """The weight of the entropy of the choices that a program is made of."""
        self.total_loss = torch.zeros((), device=weights.whole.device)
        """The sum of the losses of all steps since `begin_epoch`."""
        self.total_weights = torch.zeros_like(weights.whole.detach()) if config.average else None
        """The sum of the weights after each of these steps."""

    def __call__(self, chosen: Int[Tensor, "batch"], shelf: int = 0) -> None:
        """Takes one step on examples of a shelf."""
        batch: Any = self.shelves[shelf].select(chosen)
        for change in self.changes:
            batch = change(batch)
        self.weights.forget_gradients()
        output = self.model(batch)
        loss = self.loss(output, batch)
        goal = loss - self.exploration * output.entropy() if self.explores else loss
        with fixed_order(loss.device):
            (goal * len(batch) if self.summed else goal).backward()
        self.weights.gather_gradients()
        if self.clip:
            nn.utils.clip_grad_norm_(self.weights.whole, self.clip)
        self.optimizer.step()
        self.total_loss += loss.detach()
        if self.total_weights is not None:
            self.total_weights += self.weights.whole.detach()

    def begin_epoch(self) -> None:
        """Sets the sums to zero."""
        self.total_loss.zero_()
        if self.total_weights is not None:
            self.total_weights.zero_()


class CapturedStep:
    """A training step whose kernels are launched together, as one CUDA graph for each shelf.

    At the paper's sizes the kernels are so small that launching them one by one takes most of the time.
    """

    def __init__(self, step: TrainingStep, batch_sizes: Sequence[int]) -> None:
        """Captures the step for batches of one size a shelf; weights and optimizer stay as they were."""
        self.step = step  # keeps the model and the optimizer alive as long as the graphs
        device = step.weights.whole.device
        self.chosen = [torch.zeros(size, dtype=torch.int64, device=device) for size in batch_sizes]
        before = step.weights.whole.detach().clone()
        self.graphs = [self._capture(shelf) for shelf in range(len(step.shelves))]
        self._forget(before)

    def _capture(self, shelf: int) -> torch.cuda.CUDAGraph:
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(WARMUP_STEPS):
                self.step(self.chosen[shelf], shelf)
        torch.cuda.current_stream().wait_stream(stream)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=stream):
            self.step(self.chosen[shelf], shelf)
        return graph

    def _forget(self, before: Float[Tensor, "weight"]) -> None:
        """Undoes the steps of the warm-up in place, where the graph will look for weights and state."""
        with torch.no_grad():
            self.step.weights.whole.copy_(before)
            for state in self.step.optimizer.state.values():
                for value in state.values():
                    value.zero_()
            self.step.begin_epoch()

    def __call__(self, chosen: Int[Tensor, "batch"], shelf: int = 0) -> None:
        """Takes one step on examples of a shelf."""
        self.chosen[shelf].copy_(chosen)
        self.graphs[shelf].replay()
