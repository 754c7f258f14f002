"""Training and batched inference beside the plain reference: examples per second in one run on one machine.

    python -m benchmarks.training_speed [--device cuda] [--out results/training-speed-cuda.json]

The reference is `ReferenceEnquirer` with `nn.GRU`, eager, questions padded to the longest of the data set,
its data on the device too. Both do the same arithmetic on the same examples.
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import torch
from jaxtyping import Float
from torch import Tensor, nn

from neural_enquirer.encoding.batch import Batch
from neural_enquirer.model.enquirer import NeuralEnquirer
from neural_enquirer.model.reference import GRU, ReferenceEnquirer
from neural_enquirer.model.reference_weights import reference_of
from neural_enquirer.reproduction.hardware import hardware
from neural_enquirer.training.accuracy import predict
from neural_enquirer.training.data import TrainingData
from neural_enquirer.training.experiment import Experiment
from neural_enquirer.training.loop import Trainer, make_loss
from neural_enquirer.training.starting import draw_data

ROUNDS = 7
"""Timings of each kind, taken in turns so that a busy moment hits both; their median counts."""

PAPER_BATCH = 100


def seconds(action: Callable[[], object], device: str) -> float:
    if device == "cuda":
        torch.cuda.synchronize()
    start = time.perf_counter()
    action()
    if device == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter() - start


class LibraryGRU(nn.Module):
    """The last state of `nn.GRU`, which is faster than a loop over words in Python."""

    def __init__(self, gru: nn.Module) -> None:
        """Takes over the weights of a unit of the reference, which `nn.GRU` has in the order r, z, h̃."""
        super().__init__()
        assert isinstance(gru, GRU)
        assert gru.reset_after, "nn.GRU knows only the variant that resets after the product"
        self.gru = nn.GRU(gru.w.in_features, gru.state_size, bias=False, batch_first=True).to(gru.w.weight)
        inputs, states = (gru.w_r, gru.w_z, gru.w), (gru.u_r, gru.u_z, gru.u)
        parts = {"weight_ih_l0": inputs, "weight_hh_l0": states}
        self.gru.load_state_dict(
            {name: torch.cat([one.weight for one in own]) for name, own in parts.items()}
        )

    def forward(self, x: Float[Tensor, "batch token embedding"]) -> Float[Tensor, "batch state"]:
        """Reads the word embeddings."""
        last: Tensor = self.gru(x)[1][0]
        return last


def yardstick(model: NeuralEnquirer) -> ReferenceEnquirer:
    """Returns the reference with a model's weights and PyTorch's GRU."""
    reference = reference_of(model)
    assert isinstance(reference, ReferenceEnquirer)
    reference.ahead, reference.back = LibraryGRU(reference.ahead), LibraryGRU(reference.back)
    return reference


def plain_training(plain: ReferenceEnquirer, trainer: Trainer) -> Callable[[Tensor], None]:
    """Returns the reference's step: AdaDelta as PyTorch has it."""
    optimizer = torch.optim.Adadelta(plain.parameters())
    loss_of = make_loss(trainer.experiment.training)

    def step(chosen: Tensor) -> None:
        batch = trainer.shelves[0].select(chosen)
        optimizer.zero_grad()
        loss_of(plain(batch), batch).backward()
        optimizer.step()

    return step


def closed(trainer: Trainer) -> NeuralEnquirer:
    """Returns the model of a trainer, which here is always the paper's."""
    assert isinstance(trainer.model, NeuralEnquirer)
    return trainer.model


def medians(ours: Callable[[], object], reference: Callable[[], object], device: str) -> tuple[float, float]:
    """Returns the median seconds of two actions, timed in turns after one untimed round."""
    ours(), reference()
    pairs = [(seconds(ours, device), seconds(reference, device)) for _ in range(ROUNDS)]
    return statistics.median(pair[0] for pair in pairs), statistics.median(pair[1] for pair in pairs)


def training_rates(experiment: Experiment, data: TrainingData, device: str, steps: int) -> dict[str, float]:
    """Returns examples per second of the trainer, and of the reference at the paper's batch."""
    trainer = Trainer(experiment, data, device=device)
    step = plain_training(yardstick(closed(trainer)), trainer)
    size, order, few = trainer.batch_size, trainer.orders(0, 0)[0], max(steps // 5, 2)

    def ours() -> None:
        for i in range(steps):
            trainer.take_step(order[i * size : (i + 1) * size], 0)

    def reference() -> None:
        for i in range(few):
            step(order[i * PAPER_BATCH : (i + 1) * PAPER_BATCH])

    fast, slow = medians(ours, reference, device)
    return {"ours": steps * size / fast, "reference": few * PAPER_BATCH / slow}


def inference_rates(experiment: Experiment, data: TrainingData, device: str) -> dict[str, float]:
    """Returns questions per second over a batch of 1,000."""
    trainer = Trainer(experiment, data, device=device)
    plain = yardstick(closed(trainer))
    batch = trainer.shelves[0].select(slice(0, 1000))
    assert isinstance(batch, Batch)

    @torch.no_grad()
    def reference() -> None:
        plain(batch).candidates().argmax(dim=1)

    fast, slow = medians(lambda: predict(trainer.model, batch), reference, device)
    return {"ours": len(batch) / fast, "reference": len(batch) / slow}


def recurrence_share(experiment: Experiment, data: TrainingData) -> dict[str, float]:
    """Returns how fast the CPU multiplies in the GRU's recurrence and in one large product, in GFLOP/s.

    The recurrence is timed whole, with its look-ups and activations; only its products are counted.
    """
    model = closed(Trainer(experiment, data))
    words = data.train.words[:1000]
    state, side = model.config.state_size, 2000
    vectors, square = model.word_vectors().detach(), torch.randn(side, side)

    @torch.no_grad()
    def encode() -> None:
        model.query_encoder(words, vectors)

    recurrence, product = medians(encode, lambda: square @ square, "cpu")
    operations = 2 * int((words != 0).sum()) * 2 * 3 * state * state
    return {"recurrence": operations / recurrence / 1e9, "large product": 2 * side**3 / product / 1e9}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--steps", type=int, default=0, help="steps in a timing; 0 chooses by device")
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    folder = Path(__file__).parent.parent / "experiments"
    same = ["model.reset_after=true", "model.dropout=0"]  # the reference has no dropout
    paper = Experiment.load(folder / "olympics-100k-n2n.toml", same)
    paper = replace(paper, task=replace(paper.task, examples=20_000))
    fast = Experiment.load(folder / "olympics-100k-sbs-fast.toml", ["model.reset_after=true"])
    data = draw_data(paper)
    steps = arguments.steps or (200 if arguments.device == "cuda" else 10)
    report: dict[str, dict[str, float]] = {
        "training, the paper's batch of 100": training_rates(paper, data, arguments.device, steps),
        f"training, fast preset (batch {fast.training.batch_size})": training_rates(
            fast, data, arguments.device, min(steps, 19)
        ),
        "inference, 1,000 questions": inference_rates(paper, data, arguments.device),
    }
    machine = {"hardware": hardware(torch.device(arguments.device)), "torch": torch.__version__}
    print(f"{machine['hardware']}, torch {machine['torch']}; examples per second")
    for name, row in report.items():
        row["ratio"] = row["ours"] / row["reference"]
        rates = f"ours {row['ours']:12,.0f}  reference {row['reference']:12,.0f}"
        print(f"{name:45} {rates}  {row['ratio']:6.1f}x")
    stored: dict[str, object] = {**machine, **report}
    if arguments.device == "cpu":
        stored["gflops"] = gflops = recurrence_share(paper, data)
        print(", ".join(f"{name} {rate:.0f} GFLOP/s" for name, rate in gflops.items()))
    if arguments.out:
        arguments.out.write_text(json.dumps(stored, indent=2) + "\n")


if __name__ == "__main__":
    main()
