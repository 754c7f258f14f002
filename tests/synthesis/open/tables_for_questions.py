"""A small table that tests ask questions about."""

from neural_enquirer.synthesis.open.columns import Column
from neural_enquirer.synthesis.open.lexicon import family
from neural_enquirer.synthesis.open.tables import DrawnTable
from neural_enquirer.tables import Field, FieldType, Table


def drawn(*columns: Column) -> DrawnTable:
    types = {"text": FieldType.TEXT, "number": FieldType.NUMBER, "date": FieldType.DATE}
    fields = tuple(Field(column.header, types[column.kind]) for column in columns)
    table = Table(fields, tuple(tuple(column.cells) for column in columns))
    homes: dict[str, int] = {}
    for column in columns:
        for text in {str(cell).casefold() for cell in column.cells if column.kind == "text"}:
            homes[text] = homes.get(text, 0) + 1
    return DrawnTable(table, list(columns), columns[0], None, "train", homes)


NAME = Column("name", "text", ["Aro", "Bela", "Cul"], maker="place", key=True)
HEIGHT = Column("height", "number", [3, 1, 2], family("height"))
