"""How fast the open model answers on a CPU, beside the TAPAS architecture in the same run.

    python -m benchmarks.answering_speed --model open --out results/answering-speed-cpu.json

Two things are compared with TAPAS: the way from the text of a table and a question to the answer, and the
networks alone. TAPAS has random weights, since only its speed is compared. Its tokenizer gets a vocabulary of
the words of the tables at hand, each of them one token, so that its input is as short as can be; pieces of
words would only be more. It is timed as well at 512 tokens, the most that it takes. All that needs
`pip install transformers pandas`, which the project itself does not; without them, TAPAS is left out. At last
asking in numpy is held against the same by torch (`against_torch`).
"""

import argparse
import importlib.util
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks import against_torch
from benchmarks.drawn_tables import make_question, make_table, write_table
from benchmarks.figures import Figure, peak_memory, seconds, show_figures, spread
from neural_enquirer import Enquirer, Table
from neural_enquirer.checkpoint_files import locate
from neural_enquirer.encoding.open import OpenQuestion, prepare_all
from neural_enquirer.runtime import cells
from neural_enquirer.runtime.loading import Loaded

if TYPE_CHECKING:
    import torch

ROOT = Path(__file__).parent.parent
ROUNDS = 5
QUESTIONS = 200
LONG_ROWS = 100_000
TAPAS_SIZES = {"tiny": (128, 2, 2, 512), "base": (768, 12, 12, 3072)}
"""Hidden size, layers, heads and intermediate size."""
TAPAS_BATCHES = {"tiny": 32, "base": 8}
TAPAS_LENGTH = 512
NETWORK_BATCH = 256
FASTER = {"tiny": 1.0, "base": 40.0}


def one_question(enquirer: Enquirer, draw: random.Random) -> dict[str, dict[str, float]]:
    """Returns milliseconds for one question at a time, on a new table each and on one asked before."""
    new, again = [], []
    for i in range(220):
        table = make_table(draw)
        first, second = make_question(draw, table), make_question(draw, table)
        times = [seconds(partial(enquirer.ask, table, asked)) for asked in (first, second)]
        if i >= 20:  # the others warm up
            new.append(1e3 * times[0])
            again.append(1e3 * times[1])
    return {"ms, a new table": spread(new), "ms, a table asked before": spread(again)}


def from_the_shell(model: str, table: Path, question: str, rounds: int = ROUNDS) -> dict[str, float]:
    """Returns the seconds of `enquirer ask`, start and import included, once Python has kept its bytecode."""
    command = [sys.executable, "-m", "neural_enquirer.cli", "ask", str(table), question, "--model", model]
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    run = partial(subprocess.run, command, check=True, capture_output=True, env=kept)
    run()
    return spread([seconds(run) for _ in range(rounds)])


def batches(enquirer: Enquirer, draw: random.Random) -> dict[str, dict[str, float]]:
    """Returns questions per second in batches: many on one table, and each on a table of its own."""
    table = make_table(draw)
    questions = [make_question(draw, table) for _ in range(QUESTIONS)]
    tables = [make_table(draw) for _ in range(QUESTIONS)]
    pairs = [(own, make_question(draw, own)) for own in tables]
    enquirer.ask_many(pairs[:50])
    one = [QUESTIONS / seconds(lambda: enquirer.ask_many(table, questions)) for _ in range(ROUNDS)]
    many = [QUESTIONS / seconds(lambda: enquirer.ask_many(pairs)) for _ in range(ROUNDS)]
    return {"questions/s, one table": spread(one), "questions/s, a table each": spread(many)}


def long_table(model: str, path: Path) -> dict[str, float]:
    """Answers on a long table; to be run in a process of its own, whose memory is measured."""
    enquirer = Enquirer.from_pretrained(model)
    start = time.perf_counter()
    table = Table.read(path)
    read = time.perf_counter() - start
    draw = random.Random(1)
    first = seconds(lambda: enquirer.ask(table, make_question(draw, table)))
    second = seconds(lambda: enquirer.ask(table, make_question(draw, table)))
    return {
        "rows": table.row_count,
        "seconds, reading": read,
        "seconds, first question": first,
        "seconds, reading and first question": read + first,
        "seconds, second question": second,
        "peak memory, MB": peak_memory(),
    }


def chunks_change_nothing(enquirer: Enquirer, draw: random.Random) -> dict[str, int]:
    """Compares the answers on tables of 20,000 rows with those computed in one piece."""
    same = asked = 0
    whole = cells.CELLS_AT_ONCE
    for _ in range(3):
        table = make_table(draw, 20_000)
        questions = [make_question(draw, table) for _ in range(4)]
        chunked = enquirer.ask_many(table, questions)
        cells.CELLS_AT_ONCE = 10**9
        in_one_piece = enquirer.ask_many(table, questions)
        cells.CELLS_AT_ONCE = whole
        pairs = zip(chunked, in_one_piece, strict=True)
        same += sum((one.row, one.field) == (other.row, other.field) for one, other in pairs)
        asked += len(questions)
    return {"same answers": same, "questions": asked}


def network(model: str, draw: random.Random) -> dict[str, dict[str, float]]:
    """Times our network alone, on questions that are linked already: as it is used, and in torch."""
    import torch

    from neural_enquirer import checkpoint
    from neural_enquirer.encoding.padding import collate

    trained, loaded = checkpoint.load(model), Loaded.read(locate(model))
    tables = [make_table(draw) for _ in range(NETWORK_BATCH)]
    questions = prepare_all([((table,), make_question(draw, table)) for table in tables], loaded.vocabulary)
    single, many = collate(questions[:1]), collate(questions)

    def answer(some: Sequence[OpenQuestion]) -> None:
        for question in some:
            loaded.model.execute(loaded.model.read(question), question)

    with torch.inference_mode():
        times = {
            "": (_timed(partial(answer, questions[:1]), 50), _timed(partial(answer, questions), ROUNDS)),
            "torch, ": (
                _timed(partial(trained.model, single), 50),
                _timed(partial(trained.model, many), ROUNDS),
            ),
        }
    report = {}
    for name, (one, all_of_them) in times.items():
        report[f"{name}ms, one question"] = spread([1e3 * s for s in one])
        report[f"{name}questions/s"] = spread([NETWORK_BATCH / s for s in all_of_them])
    return report


def _timed(action: Callable[[], object], count: int) -> list[float]:
    action()
    return [seconds(action) for _ in range(count)]


def importing_torch() -> dict[str, float]:
    """Returns the seconds that it takes to load torch, and nothing else: what asking does without."""
    run = partial(subprocess.run, [sys.executable, "-c", "import torch"], check=True)
    run()
    return spread([seconds(run) for _ in range(ROUNDS)])


class Tapas:
    """TAPAS with random weights and a tokenizer that knows the words of some tables."""

    def __init__(self, name: str, asked: Sequence[tuple[Table, str]], folder: Path) -> None:
        """Makes one of `TAPAS_SIZES` for some tables and questions."""
        import pandas  # type: ignore[import-untyped,unused-ignore]
        import transformers  # type: ignore[import-not-found,unused-ignore]

        transformers.logging.set_verbosity_error()
        vocabulary = folder / "vocabulary.txt"
        vocabulary.write_text("\n".join(_tapas_words(asked)), encoding="utf-8")
        self.tokenizer = transformers.TapasTokenizer(str(vocabulary))
        hidden, layers, heads, inner = TAPAS_SIZES[name]
        config = transformers.TapasConfig(
            hidden_size=hidden, num_hidden_layers=layers, num_attention_heads=heads, intermediate_size=inner
        )
        self.model = transformers.TapasForQuestionAnswering(config).eval()
        self.frames = [pandas.DataFrame(_spelled(table)) for table, _ in asked]
        self.questions = [question for _, question in asked]

    def encoded(self, count: int, length: int | None = None) -> "dict[str, torch.Tensor]":
        """Returns the input for some questions, each on its table, padded to one length."""
        padding = "max_length" if length or count > 1 else False
        parts = [
            self.tokenizer(table=frame, queries=question, return_tensors="pt", padding=padding)
            for frame, question in zip(self.frames[:count], self.questions[:count], strict=True)
        ]
        import torch

        longest = length or max(int(part["attention_mask"].sum()) for part in parts)
        return {key: torch.cat([part[key] for part in parts])[:, :longest] for key in parts[0]}

    def answer(self, count: int) -> None:
        """Goes from text to scores."""
        self.model(**self.encoded(count))


def _tapas_words(asked: Sequence[tuple[Table, str]]) -> list[str]:
    """Returns a vocabulary of whole words."""
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[EMPTY]"]
    texts = [text for table, _ in asked for column in _spelled(table).values() for text in column]
    texts += [text for table, question in asked for text in (question, *table.field_names)]
    words = {word for text in texts for word in re.findall(r"[^\W_]+|[^\w\s]|_", text.lower())}
    return [*special, *sorted(words)]


def _spelled(table: Table) -> dict[str, list[str]]:
    return {
        name: [table.text(m, n) for m in range(table.row_count)] for n, name in enumerate(table.field_names)
    }


def tapas(draw: random.Random, folder: Path) -> dict[str, Any]:
    """Times TAPAS in its tiny and its base size."""
    import torch

    with torch.inference_mode():
        return _tapas(draw, folder)


def _tapas(draw: random.Random, folder: Path) -> dict[str, Any]:
    import transformers

    tables = [make_table(draw) for _ in range(max(TAPAS_BATCHES.values()))]
    asked = [(table, make_question(draw, table)) for table in tables]
    report: dict[str, Any] = {"transformers": transformers.__version__}
    for name, count in TAPAS_BATCHES.items():
        model = Tapas(name, asked, folder)
        rounds = ROUNDS * (8 if name == "tiny" else 1)
        own, batch = model.encoded(1), model.encoded(count)
        report[name] = {
            "tokens": own["input_ids"].shape[1],
            "ms, one question": spread([1e3 * s for s in _timed(partial(model.answer, 1), rounds)]),
            "questions/s": spread([count / s for s in _timed(partial(model.answer, count), 3)]),
            "network, ms, one question": spread(
                [1e3 * s for s in _timed(partial(model.model, **own), rounds)]
            ),
            "network, questions/s": spread([count / s for s in _timed(partial(model.model, **batch), 3)]),
            f"network, {TAPAS_LENGTH} tokens, ms, one question": spread(
                [1e3 * s for s in _timed(partial(model.model, **model.encoded(1, TAPAS_LENGTH)), ROUNDS)]
            ),
        }
    return report


def figures(report: dict[str, Any]) -> list[Figure]:
    """Returns what has a bar."""
    one, many, long = report["one question"], report["batches"], report["long table"]
    found = [
        Figure("one question, 10 × 10", one["ms, a new table"]["median"], "ms", 7.5, True),
        Figure("enquirer ask, in all", report["from the shell, s"]["median"], "s", 3, True),
        Figure(
            "the same, to importing torch",
            report["from the shell, s"]["median"] / report["importing torch, s"]["median"],
            "times",
            0.35,
            True,
        ),
        Figure("batches, one table", many["questions/s, one table"]["median"], "questions/s", 2000, False),
        Figure(
            "batches, a table each", many["questions/s, a table each"]["median"], "questions/s", 2000, False
        ),
        Figure(
            f"{LONG_ROWS:,} × 10, read and asked", long["seconds, reading and first question"], "s", 5, True
        ),
        Figure(f"{LONG_ROWS:,} × 10, memory", long["peak memory, MB"], "MB", 2000, True),
    ]
    found += against_torch.figures(report["against torch"])
    if "TAPAS" in report:
        ours = report["network"]
        for name, bar in FASTER.items():
            other = report["TAPAS"][name]
            pairs = {
                "one question": (other["ms, one question"], one["ms, a new table"]),
                "batches": (many["questions/s, a table each"], other["questions/s"]),
                "network, one question": (other["network, ms, one question"], ours["ms, one question"]),
                "network, batches": (ours["questions/s"], other["network, questions/s"]),
            }
            for what, (more, less) in pairs.items():
                ratio = more["median"] / less["median"]
                found.append(Figure(f"{what}, than TAPAS {name}", ratio, "times faster", bar, False))
    return found


def show(report: dict[str, Any]) -> None:
    print(f"{report['hardware']}, torch {report['torch']}")
    show_figures(figures(report))
    chunks = report["chunks"]
    print(f"in chunks as in one piece: {chunks['same answers']} of {chunks['questions']} answers")


def measure(model: str, threads: int, folder: Path) -> dict[str, Any]:
    """Takes all timings."""
    draw = random.Random(0)
    small, long = folder / "small.csv", folder / "long.csv"
    table = make_table(draw)
    question = make_question(draw, table)
    write_table(table, small)
    write_table(make_table(draw, LONG_ROWS), long)
    enquirer = Enquirer.from_pretrained(model)
    report: dict[str, Any] = {"one question": one_question(enquirer, draw)}
    _tell("batches")
    report["batches"] = batches(enquirer, draw)
    _tell("networks")
    report["network"] = network(model, draw)
    if importlib.util.find_spec("transformers") and importlib.util.find_spec("pandas"):
        report["TAPAS"] = tapas(draw, folder)
    else:
        _tell("TAPAS is left out; to time it too: pip install transformers pandas")
    _tell("shell")
    report["from the shell, s"] = from_the_shell(model, small, question)
    report["importing torch, s"] = importing_torch()
    _tell("long table")
    child = [sys.executable, "-m", "benchmarks.answering_speed", "--model", model, f"--threads={threads}"]
    output = subprocess.run([*child, f"--long={long}"], check=True, capture_output=True, text=True, cwd=ROOT)
    report["long table"] = json.loads(output.stdout)
    report["long table"]["seconds, enquirer ask"] = from_the_shell(model, long, question, 2)["median"]
    report["against torch"] = against_torch.measure(model, folder)
    _tell("chunks")
    report["chunks"] = chunks_change_nothing(enquirer, draw)
    return report


def _tell(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", default="open", help="a shipped model, or a folder with one")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--long", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.long:
        print(json.dumps(long_table(arguments.model, arguments.long)))
        return
    import torch

    from neural_enquirer.reproduction.hardware import hardware

    torch.set_num_threads(arguments.threads)
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        measured = measure(arguments.model, arguments.threads, Path(folder))
    about = {
        "model": Path(arguments.model).name,
        "command": f"python -m benchmarks.answering_speed --threads {arguments.threads}",
        "hardware": hardware(torch.device("cpu")),
        "threads": arguments.threads,
        "OMP_WAIT_POLICY": os.environ.get("OMP_WAIT_POLICY"),
        "torch": torch.__version__,
        "seconds": round(time.perf_counter() - start, 1),
    }
    report = {**about, **measured}
    show(report)
    if arguments.out:
        arguments.out.write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
