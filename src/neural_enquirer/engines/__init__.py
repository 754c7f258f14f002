"""Where programs run: in memory, in DuckDB, in a database, on Spark."""
