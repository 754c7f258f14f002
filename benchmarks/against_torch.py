"""How fast asking is in numpy beside the very same by torch (`torch_path`), turn by turn in one run.

    python -m benchmarks.against_torch --out results/against-torch-cpu.json

First both answer the same questions, and the answers are compared. Torch is timed with as many threads as it
takes by itself and with one, and its better time counts. The long table is asked in processes of their own,
whose memory is measured. At last both are asked while all cores are busy elsewhere. `answering_speed` has the
same figures in its report, and `serving --path both` those of the server.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.busy_cores import PER_CORE, PROPORTION, all_cores_busy
from benchmarks.drawn_tables import make_question, make_table, write_table
from benchmarks.figures import Figure, peak_memory, seconds, show_figures, spread
from neural_enquirer import Enquirer, Table

ROOT = Path(__file__).parent.parent
NUMPY, TORCH = "numpy", "torch"
COMPARED, ONE_BY_ONE, TOGETHER, BUSY = 300, 150, 1000, 60
"""Questions whose answers are compared; that are asked one by one; in a batch; while cores are busy."""
ROUNDS = 3
LONG_ROWS = 100_000
_WARM_UP = 15

Pair = tuple[Table, str]


def enquirer_by(path: str, model: str) -> Enquirer:
    """Loads a model that answers in numpy, or by torch."""
    if path == NUMPY:
        return Enquirer.from_pretrained(model)
    from benchmarks import torch_path
    from benchmarks.torch_batches import TorchPredictor
    from neural_enquirer.checkpoint_files import locate
    from neural_enquirer.judge.storage import load_judge

    return Enquirer(TorchPredictor(torch_path.load(model), model, load_judge(locate(model))))


class Ways:
    """The ways of asking: in numpy, by torch with its own number of threads, by torch with one."""

    def __init__(self, model: str) -> None:
        """Loads both models."""
        import torch

        self._set_threads = torch.set_num_threads
        self.threads = torch.get_num_threads()
        numpy, by_torch = enquirer_by(NUMPY, model), enquirer_by(TORCH, model)
        self._all = {
            NUMPY: (numpy, self.threads),
            TORCH: (by_torch, self.threads),
            f"{TORCH}, 1 thread": (by_torch, 1),
        }
        self.names = tuple(self._all)

    def use(self, name: str) -> Enquirer:
        """Who asks in this way, with torch set to its threads."""
        enquirer, threads = self._all[name]
        self._set_threads(threads)
        return enquirer

    def in_turn(self, number: int) -> Sequence[str]:
        """All ways, another one first each time."""
        first = number % len(self.names)
        return self.names[first:] + self.names[:first]


def drawn(seed: int, count: int) -> list[Pair]:
    """Questions, each on a table of its own; those of one seed are the same, on new tables."""
    draw = random.Random(seed)
    tables = [make_table(draw) for _ in range(count)]
    return [(table, make_question(draw, table)) for table in tables]


def compare_answers(ways: Ways, count: int) -> dict[str, int]:
    """Counts answers that are the same by torch, one by one and in batches, all programs considered too."""
    pairs = drawn(1, count)
    expected = [_told(answer) for answer in ways.use(NUMPY).ask_many(pairs)]
    by_torch = ways.use(ways.names[-1])
    alone = [_told(by_torch.ask(*pair)) for pair in pairs]
    together = [_told(answer) for answer in by_torch.ask_many(pairs)]
    return {
        "questions": count,
        "same one by one": sum(one == other for one, other in zip(alone, expected, strict=True)),
        "same in batches": sum(one == other for one, other in zip(together, expected, strict=True)),
    }


def _told(answer: Any) -> tuple[Any, ...]:
    return answer.text, tuple(candidate.program for candidate in answer.ranked)


def one_by_one(ways: Ways, count: int) -> dict[str, dict[str, dict[str, float]]]:
    """Returns the milliseconds of a question on a new table, on the clock and on the processor."""
    times: dict[str, list[float]] = {name: [] for name in ways.names}
    processor: dict[str, list[float]] = {name: [] for name in ways.names}
    for number in range(_WARM_UP + count):
        for name in ways.in_turn(number):
            enquirer, ((table, question),) = ways.use(name), drawn(1000 + number, 1)
            before = time.process_time()
            taken = seconds(partial(enquirer.ask, table, question))
            if number >= _WARM_UP:
                times[name].append(1e3 * taken)
                processor[name].append(1e3 * (time.process_time() - before))
    return {name: {"ms": spread(times[name]), "processor ms": spread(processor[name])} for name in ways.names}


def batches(ways: Ways, pairs: Sequence[Pair], rounds: int) -> dict[str, dict[str, dict[str, float]]]:
    """Returns how many questions are answered in a second when all are asked together, and their work."""
    rates: dict[str, list[float]] = {name: [] for name in ways.names}
    processor: dict[str, list[float]] = {name: [] for name in ways.names}
    for number in range(rounds):
        for name in ways.in_turn(number):
            enquirer = ways.use(name)
            enquirer.ask_many(pairs[:50])
            before = time.process_time()
            rates[name].append(len(pairs) / seconds(partial(enquirer.ask_many, pairs)))
            processor[name].append(1e3 * (time.process_time() - before) / len(pairs))
    return {
        name: {"questions/s": spread(rates[name]), "processor ms": spread(processor[name])}
        for name in ways.names
    }


def busy(ways: Ways, count: int) -> dict[str, float]:
    """Returns how many times longer questions take, one after the other, while all cores are busy."""
    free = {name: _in_a_row(ways, name, count) for name in ways.names}
    with all_cores_busy():
        return {name: _in_a_row(ways, name, count) / free[name] for name in ways.names}


def _in_a_row(ways: Ways, name: str, count: int) -> float:
    enquirer, pairs = ways.use(name), drawn(2, count)
    return seconds(lambda: [enquirer.ask(*pair) for pair in pairs])


def long_table(path: str, model: str, file: Path) -> dict[str, float]:
    """Answers on a long table, in a process of its own, whose memory is measured."""
    enquirer = enquirer_by(path, model)
    table = Table.read(file)
    question = make_question(random.Random(1), table)
    taken = seconds(partial(enquirer.ask, table, question))
    return {"seconds": taken, "peak memory, MB": peak_memory()}


def long_tables(model: str, file: Path, threads: int, rounds: int) -> dict[str, dict[str, dict[str, float]]]:
    """Asks the long table, turn by turn, in each way."""
    write_table(make_table(random.Random(0), LONG_ROWS), file)
    found: dict[str, list[dict[str, float]]] = {}
    for _ in range(rounds):
        for name, path, count in (
            (NUMPY, NUMPY, threads),
            (TORCH, TORCH, threads),
            (f"{TORCH}, 1 thread", TORCH, 1),
        ):
            command = [
                sys.executable,
                "-m",
                "benchmarks.against_torch",
                "--model",
                model,
                "--long",
                str(file),
            ]
            own = {**os.environ, "OMP_NUM_THREADS": str(count)}
            done = subprocess.run(
                [*command, "--path", path], check=True, capture_output=True, text=True, cwd=ROOT, env=own
            )
            found.setdefault(name, []).append(json.loads(done.stdout))
    return {name: {key: spread([one[key] for one in own]) for key in own[0]} for name, own in found.items()}


def measure(
    model: str, folder: Path, together: int = TOGETHER, rounds: int = ROUNDS, one: int = ONE_BY_ONE
) -> dict[str, Any]:
    """Takes all timings."""
    ways = Ways(model)
    table = make_table(random.Random(3))
    draw = random.Random(4)
    on_one_table = [(table, make_question(draw, table)) for _ in range(together)]
    report: dict[str, Any] = {"torch threads": ways.threads, "load before": os.getloadavg()[0]}
    steps: dict[str, Callable[[], Any]] = {
        "same answers": lambda: compare_answers(ways, COMPARED),
        "one question": lambda: one_by_one(ways, one),
        "batches, one table": lambda: batches(ways, on_one_table, rounds),
        "batches, a table each": lambda: batches(ways, drawn(5, together), rounds),
        "long table": lambda: long_tables(model, folder / "rows.csv", ways.threads, rounds),
        "times slower while all cores are busy": lambda: busy(ways, BUSY),
    }
    for name, step in steps.items():
        print(f"against torch: {name}", file=sys.stderr, flush=True)
        report[name] = step()
    return report


def figures(report: dict[str, Any]) -> list[Figure]:
    """Returns what has a bar; of torch's times the better one counts."""
    same, slower = report["same answers"], report["times slower while all cores are busy"]
    alike = min(same["same one by one"], same["same in batches"]) / same["questions"]
    alone = _against(report["one question"], "ms", min)
    rates = [
        _against(report[f"batches, {kind}"], "questions/s", max) for kind in ("one table", "a table each")
    ]
    taken, memory = (_against(report["long table"], key, min) for key in ("seconds", "peak memory, MB"))
    return [
        Figure("same answers by torch", alike, "", 1, False),
        Figure("one question, to torch's time", alone, "times", 1, True),
        Figure("batches, one table, to torch's rate", rates[0], "times", 0.8, False),
        Figure("batches, a table each, to torch's rate", rates[1], "times", 0.8, False),
        Figure(f"{LONG_ROWS:,} × 10, to torch's time", taken, "times", 1, True),
        Figure(f"{LONG_ROWS:,} × 10, to torch's memory", memory, "times", 0.6, True),
        Figure(f"slower with {PER_CORE} others on each core", slower[NUMPY], "times", PROPORTION, True),
    ]


def _against(
    found: dict[str, dict[str, dict[str, float]]], key: str, best: Callable[[list[float]], float]
) -> float:
    """The median in numpy to the better median by torch."""
    medians = {name: own[key]["median"] for name, own in found.items()}
    return medians.pop(NUMPY) / best(list(medians.values()))


def show(report: dict[str, Any]) -> None:
    show_figures(figures(report))
    for name, own in report["one question"].items():
        clock, processor = own["ms"]["median"], own["processor ms"]["median"]
        print(f"one question, {name}: {clock:.1f} ms, {processor:.1f} ms on the processor")
    for kind in ("one table", "a table each"):
        for name, own in report[f"batches, {kind}"].items():
            rate, processor = own["questions/s"]["median"], own["processor ms"]["median"]
            print(f"batches, {kind}, {name}: {rate:.0f} questions/s, {processor:.1f} ms on the processor")
    for name, own in report["long table"].items():
        taken, memory = own["seconds"]["median"], own["peak memory, MB"]["median"]
        print(f"{LONG_ROWS:,} × 10, {name}: {taken:.2f} s, {memory:.0f} MB")
    slower = report["times slower while all cores are busy"]
    told = (f"{name} {own:.1f}" for name, own in slower.items())
    print(f"times slower while all cores are busy: {', '.join(told)}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", default="open", help="a shipped model, or a folder with one")
    parser.add_argument("--questions", type=int, default=TOGETHER, help="of a batch")
    parser.add_argument("--one", type=int, default=ONE_BY_ONE, help="questions that are asked one by one")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--long", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--path", default=NUMPY, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.long:
        print(json.dumps(long_table(arguments.path, arguments.model, arguments.long)))
        return
    import torch

    from neural_enquirer.reproduction.hardware import hardware

    with tempfile.TemporaryDirectory() as folder:
        found = measure(arguments.model, Path(folder), arguments.questions, arguments.rounds, arguments.one)
    about = {
        "command": f"python -m benchmarks.against_torch --questions {arguments.questions}"
        f" --one {arguments.one} --rounds {arguments.rounds}",
        "hardware": hardware(torch.device("cpu")),
        "torch": torch.__version__,
        "OPENBLAS_NUM_THREADS": os.environ.get("OPENBLAS_NUM_THREADS"),
    }
    show(found)
    if arguments.out:
        content = json.dumps({**about, **found}, indent=2, ensure_ascii=False)
        arguments.out.write_text(content + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
