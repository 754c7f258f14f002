"""Tables with typed fields: what questions are asked of, and the one place that reads them."""

from neural_enquirer.tables.cell_types import FieldType, TableWarning, Value, spelling
from neural_enquirer.tables.raw_table import TableError
from neural_enquirer.tables.table import Field, Table

__all__ = ["Field", "FieldType", "Table", "TableError", "TableWarning", "Value", "spelling"]
