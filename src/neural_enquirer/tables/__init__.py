"""Tables with typed fields: what questions are asked of, and the one place that reads them."""

from neural_enquirer.tables.cell_types import FieldType, Value, spelling
from neural_enquirer.tables.raw_table import TableError, TableWarning
from neural_enquirer.tables.table import Field, Table

__all__ = ["Field", "FieldType", "Table", "TableError", "TableWarning", "Value", "spelling"]
