"""How long it takes to read a large CSV file (four fields of text, four of numbers, two dates), and memory.

python -m benchmarks.reading_speed [--rows 100000]
"""

import argparse
import datetime
import json
import random
import resource
import tempfile
import time
from pathlib import Path

from neural_enquirer import Table

HEADER = "name,city,code,kind,price,quantity,score,year,opened,closed"
CITIES = ("New York", "São Paulo", "Berlin", "Lagos", "Osaka", "Lima", "Oslo", "Perth")


def write_table(path: Path, rows: int) -> None:
    chance = random.Random(0)
    with path.open("w", encoding="utf-8") as file:
        print(HEADER, file=file)
        for number in range(rows):
            opened = datetime.date(1990, 1, 1) + datetime.timedelta(days=chance.randrange(12_000))
            closed = opened + datetime.timedelta(days=chance.randrange(400))
            texts = f"shop {number},{chance.choice(CITIES)},C{number:06d},{chance.choice('abcdef')}"
            numbers = f'{chance.random() * 1000:.2f},"{chance.randrange(100_000):,}",{chance.gauss(0, 1):.6f}'
            print(f"{texts},{numbers},{chance.randrange(1900, 2024)},{opened},{closed:%d %B %Y}", file=file)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=100_000)
    rows = parser.parse_args().rows
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "shops.csv"
        write_table(path, rows)
        wall, processor = time.perf_counter(), time.process_time()
        table = Table.read(path)
        taken = {"seconds": time.perf_counter() - wall, "processor_seconds": time.process_time() - processor}
    kinds = [field.type.value for field in table.fields]
    assert (kinds.count("text"), kinds.count("number"), kinds.count("date")) == (4, 4, 2)
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"rows": table.row_count, "fields": len(kinds), **taken, "peak_megabytes": megabytes}))


if __name__ == "__main__":
    main()
