"""What a task's tables may hold, and how people speak of it."""

from dataclasses import dataclass

from neural_enquirer.tables import FieldType


@dataclass(frozen=True)
class FieldPhrases:
    """The ways to speak of one field; every slot is filled by the template that uses the phrase.

    `{it}` is whatever the question is about (``the longest game``), `{value}` a value as it is spelled in the
    cells, `{thing}` the subject's bare noun.
    """

    questions: tuple[str, ...]
    """Questions without the question mark: ``how long did {it} last``."""
    nouns: tuple[str, ...]
    """The same as a noun: ``the duration of {it}``."""
    equal: tuple[str, ...]
    """What follows the subject's noun if the field has a value: ``in {value}``, ``that lasted {value}
    days``."""
    names: tuple[str, ...] = ()
    """What names the row all by itself, if its value of the field does: ``{value}``."""
    less: tuple[str, ...] = ()
    """… if it is below a value: ``before {value}``."""
    more: tuple[str, ...] = ()
    """… if it is above a value: ``after {value}``."""
    less_than: tuple[str, ...] = ()
    """… if it is below that of another row: ``before {it}``."""
    more_than: tuple[str, ...] = ()
    """… if it is above that of another row: ``that lasted longer than {it}``."""
    largest: tuple[str, ...] = ()
    """The row where the field is largest: ``the latest {thing}``, ``the {thing} with the most medals``."""
    smallest: tuple[str, ...] = ()
    """The row where the field is smallest."""


@dataclass(frozen=True)
class SchemaField:
    """One field: its name in tables and logical forms, its type, and how people speak of it."""

    name: str
    type: FieldType
    phrases: FieldPhrases


@dataclass(frozen=True)
class Subject:
    """What the rows are about."""

    singular: str
    plural: str


@dataclass(frozen=True)
class Schema:
    """The fields of a table, and the noun for its rows."""

    subject: Subject
    fields: tuple[SchemaField, ...]

    def __getitem__(self, name: str) -> SchemaField:
        return next(field for field in self.fields if field.name == name)

    @property
    def field_names(self) -> tuple[str, ...]:
        """The names of all fields."""
        return tuple(field.name for field in self.fields)
