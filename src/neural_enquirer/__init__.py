"""Ask a table a question in plain words: Neural Enquirer."""

from neural_enquirer.table import Table, TableError, TableWarning

__all__ = ["Table", "TableError", "TableWarning"]
