"""Programs from SQL: `statement.py` reads a SELECT, the other modules its parts."""

from neural_enquirer.programs.sql_reading.statement import from_sql

__all__ = ["from_sql"]
