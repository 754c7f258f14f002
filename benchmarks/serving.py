"""How many questions a second the server answers, how fast, and whether its memory stays flat.

    python -m benchmarks.serving --out results/serving-cpu.json

Starts `enquirer serve`, uploads tables of 10 rows and 10 fields, and asks them and the example tables over
the loopback interface: questions of every kind, on one table and across two, some of which lean on the one
before. There are as many connections as there are clients, each of which asks the next question when it has
its answer. Server and clients share the processors. Every answer is compared with the model's own.

`--against-torch` also starts a server that answers by torch (`torch_server`), with one thread and with as
many as torch takes, and holds the one in numpy against the better of them, `--rounds` times in turn. `--busy`
measures once more while all cores are busy elsewhere.
"""

import argparse
import asyncio
import collections
import json
import os
import random
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import torch

from benchmarks.busy_cores import PER_CORE, PROPORTION, all_cores_busy
from benchmarks.figures import Figure, show_figures
from benchmarks.serving_questions import Asked, asked_of, uploads
from neural_enquirer import Enquirer, Table
from neural_enquirer.asking.follow_ups import Last
from neural_enquirer.programs.text import to_text
from neural_enquirer.reproduction.hardware import hardware

LEAST_PER_SECOND, MOST_P99_MS, MOST_GROWTH = 200.0, 250.0, 0.05
_WARM_UP = 3.0
# The server's memory settles while it sees its first batches of every size.
_SETTLED = 0.25


@dataclass
class Load:
    """What the clients saw."""

    deadline: float
    kinds: collections.Counter[str] = field(default_factory=collections.Counter)
    latencies: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    memory: list[int] = field(default_factory=list)
    processor_seconds: float = 0

    @property
    def processor_ms(self) -> float:
        """The server's time on the processor for a question, which others on the machine change little."""
        return 1000 * self.processor_seconds / len(self.latencies)


@dataclass(frozen=True)
class Request:
    """A question as it is sent, its kind, and the right answer."""

    kind: str
    body: bytes
    right: str | None


async def exchange(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    path: str,
    kind: str,
    body: bytes,
    session: str | None = None,
) -> tuple[int, bytes]:
    """Sends a request on a connection that stays open; returns the status and the answer."""
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: {kind}\r\n"
    head += f"Enquirer-Session: {session}\r\n" if session else ""
    writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
    received = await reader.readuntil(b"\r\n\r\n")
    lines = received.decode("latin-1").lower().splitlines()
    length = next(int(line.split(":")[1]) for line in lines if line.startswith("content-length:"))
    return int(lines[0].split()[1]), await reader.readexactly(length)


async def client(port: int, session: str, asked: list[Request], load: Load, draw: random.Random) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    while time.perf_counter() < load.deadline:
        one = draw.choice(asked)
        start = time.perf_counter()
        status, answer = await exchange(reader, writer, "/api/ask", "application/json", one.body, session)
        load.latencies.append(time.perf_counter() - start)
        load.kinds[one.kind] += 1
        if status != 200:
            load.errors.append(f"{status}: {answer.decode()}")
        elif (found := json.loads(answer))["answer"] != one.right:
            load.errors.append(f"{found['question']}: {found['answer']} instead of {one.right}")
    writer.close()
    await writer.wait_closed()


async def watch(server: int, load: Load) -> None:
    """Notes the server's memory every second."""
    while time.perf_counter() < load.deadline:
        await asyncio.sleep(1)
        load.memory.append(resident_bytes(server))


def processes_of(server: int) -> list[int]:
    """The server's process and those that answer for it."""
    children = (path.read_text().split() for path in Path(f"/proc/{server}/task").glob("*/children"))
    return [server, *(int(one) for some in children for one in some)]


def resident_bytes(server: int) -> int:
    pages = sum(int(Path(f"/proc/{one}/statm").read_text().split()[1]) for one in processes_of(server))
    return pages * os.sysconf("SC_PAGE_SIZE")


def processor_seconds(server: int) -> float:
    ticks = 0
    for one in processes_of(server):
        user, system = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()[11:13]
        ticks += int(user) + int(system)
    return ticks / os.sysconf("SC_CLK_TCK")


async def upload(port: int, tables: list[Table]) -> tuple[str, dict[str, str]]:
    """Sends tables; returns the session that they belong to, and the ids that they got by their numbers."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    session, ids = None, {}
    for number, table in enumerate(tables):
        lines = [json.dumps(dict(zip(table.field_names, row, strict=True))) for row in rows(table)]
        body = "\n".join(lines).encode()
        path = "/api/tables?name=table.jsonl"
        _, told = await exchange(reader, writer, path, "application/jsonl", body, session)
        content = json.loads(told)
        session, ids[str(number)] = content["session"], content["id"]
    writer.close()
    assert session is not None
    return session, ids


def request(asked: Asked, ids: dict[str, str]) -> Request:
    """A question as it is sent."""
    content: dict[str, Any] = {
        "question": asked.question,
        "tables": [ids.get(one, one) for one in asked.tables],
    }
    before = None if asked.after is None else Last.of(asked.after)
    if before is not None:
        content["after"] = {
            "question": before.question,
            "program": to_text(before.program),
            "confidence": before.confidence,
        }
    return Request(asked.kind, json.dumps(content).encode(), asked.right)


async def measure(port: int, server: int, seconds: float, clients: int) -> Load:
    session, ids = await upload(port, uploads())
    asked = [request(one, ids) for one in asked_of(Enquirer.from_pretrained())]
    for length in (_WARM_UP, seconds):
        load = Load(time.perf_counter() + length)
        own = [client(port, session, asked, load, random.Random(seed)) for seed in range(clients)]
        before = processor_seconds(server)
        await asyncio.gather(*own, watch(server, load))
        load.processor_seconds = processor_seconds(server) - before
    return load


def rows(table: Table) -> list[list[str]]:
    return [
        [table.text(row, column) for column in range(len(table.fields))] for row in range(table.row_count)
    ]


def figures(load: Load, seconds: float) -> list[Figure]:
    ordered = sorted(load.latencies)
    settled = load.memory[int(len(load.memory) * _SETTLED)]
    return [
        Figure("questions a second", len(ordered) / seconds, "", LEAST_PER_SECOND, at_most=False),
        Figure("median", 1000 * statistics.median(ordered), "ms", MOST_P99_MS, at_most=True),
        Figure("99th percentile", 1000 * ordered[int(len(ordered) * 0.99)], "ms", MOST_P99_MS, at_most=True),
        Figure("errors", len(load.errors), "", 0, at_most=True),
        Figure("growth of memory", load.memory[-1] / settled - 1, "", MOST_GROWTH, at_most=True),
    ]


@dataclass(frozen=True)
class Server:
    """A server to measure: the module that starts it, and the threads that torch gets there."""

    module: str = "neural_enquirer.cli"
    threads: int | None = None

    def loaded(self, seconds: float, clients: int) -> Load:
        """Starts the server and has the clients ask it."""
        command = [sys.executable, "-m", self.module, "serve", "--port", "0", "--no-open"]
        own = {} if self.threads is None else {"OMP_NUM_THREADS": str(self.threads)}
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env={**os.environ, **own}
        ) as server:
            try:
                assert server.stdout is not None
                port = int(server.stdout.readline().split()[4].rpartition(":")[2])
                return asyncio.run(measure(port, server.pid, seconds, clients))
            finally:
                server.terminate()


NUMPY: Final = "numpy"
SERVERS: Final = {
    NUMPY: Server(),
    "torch, 1 thread": Server("benchmarks.torch_server", 1),
    "torch": Server("benchmarks.torch_server"),
}


def run(arguments: argparse.Namespace) -> list[Figure]:
    torch.set_num_threads(1)
    names = list(SERVERS) if arguments.against_torch else [NUMPY]
    loads: dict[str, list[Load]] = {name: [] for name in names}
    for _ in range(arguments.rounds):
        for name in names:
            loads[name].append(SERVERS[name].loaded(arguments.seconds, arguments.clients))
            tell(name, loads[name][-1], arguments.seconds)
    found = figures(middle(loads[NUMPY]), arguments.seconds)
    if arguments.against_torch:
        found += against_torch(loads, arguments.seconds)
    if arguments.busy:
        with all_cores_busy():
            busy = SERVERS[NUMPY].loaded(arguments.seconds, arguments.clients)
        tell(f"{NUMPY}, cores busy", busy, arguments.seconds)
        slower = len(middle(loads[NUMPY]).latencies) / len(busy.latencies)
        others = f"times slower with {PER_CORE} others on each core"
        found.append(Figure(others, slower, "times", PROPORTION, at_most=True))
    show_figures(found)
    if arguments.out:
        store(arguments, found, loads)
    return found


def middle(loads: list[Load]) -> Load:
    """The round with the median of questions."""
    return sorted(loads, key=lambda load: len(load.latencies))[len(loads) // 2]


def against_torch(loads: dict[str, list[Load]], seconds: float) -> list[Figure]:
    """Holds numpy against torch with the number of threads that answers more."""
    rows = {name: figures(middle(own), seconds) for name, own in loads.items()}
    ours = rows.pop(NUMPY)
    theirs = max(rows.values(), key=lambda own: own[0].value)
    return [
        Figure(
            "questions a second, to torch's", ours[0].value / theirs[0].value, "times", 1.5, at_most=False
        ),
        Figure("99th percentile, to torch's", ours[2].value / theirs[2].value, "times", 1, at_most=True),
    ]


def tell(name: str, load: Load, seconds: float) -> None:
    for error in load.errors[:5]:
        print(error, file=sys.stderr)
    rate, _, latest, *_ = figures(load, seconds)
    print(
        f"{name}: {rate.value:.0f} questions/s, 99th percentile {latest.value:.0f} ms, "
        f"{load.processor_ms:.2f} ms of the server a question, "
        f"{load.memory[0] / 1e6:.0f} MB at first, {load.memory[-1] / 1e6:.0f} MB at last, "
        f"load of the machine {os.getloadavg()[0]:.1f}",
        flush=True,
    )


def store(arguments: argparse.Namespace, found: list[Figure], loads: dict[str, list[Load]]) -> None:
    options = f"--seconds {arguments.seconds:g} --clients {arguments.clients} --rounds {arguments.rounds}"
    options += " --against-torch" * arguments.against_torch + " --busy" * arguments.busy
    processor = hardware(torch.device("cpu")).partition(",")[0]
    load = middle(loads[NUMPY])
    content = {
        "command": f"python -m benchmarks.serving {options}",
        "hardware": f"{processor}, {os.cpu_count()} cores for server and clients",
        "torch": torch.__version__,
        "questions_of_each_kind": dict(load.kinds.most_common()),
        "figures": {figure.name: {"value": round(figure.value, 4), "bar": figure.bar} for figure in found},
        "server_processor_ms_per_question": round(load.processor_ms, 3),
        "load_of_the_machine": round(os.getloadavg()[0], 1),
        "memory_mb": [round(size / 1e6, 1) for size in load.memory],
        "rounds": {
            name: [{one.name: round(one.value, 4) for one in figures(own, arguments.seconds)} for own in each]
            for name, each in loads.items()
        },
    }
    arguments.out.write_text(json.dumps(content, indent=1) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--against-torch", action="store_true", help="measure servers that ask torch as well")
    parser.add_argument("--busy", action="store_true", help="once more while all cores are busy elsewhere")
    parser.add_argument("--out", type=Path)
    found = run(parser.parse_args())
    sys.exit(not all(figure.holds for figure in found))


if __name__ == "__main__":
    main()
