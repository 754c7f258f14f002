"""Speed, measured: each module prints its table; run with `python -m benchmarks.NAME`."""
