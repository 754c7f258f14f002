"""How much the server takes on: of one request, of all together, and for how long."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What is more than this is turned away with a plain sentence.

    Attributes:
        upload_bytes: the size of an uploaded file.
        upload_seconds: how long a client may take to send a request.
        uploads_at_once: files that are received or read at a time; each is held in memory.
        read_seconds: how long reading an uploaded file may take.
        read_bytes: the memory that reading it may take, that of the libraries included.
        request_bytes: the size of any other request, the records of a small table included.
        table_cells: rows times fields of a table.
        table_fields: the fields of a table.
        tables_together: tables that one question may be about.
        kept_tables: uploaded tables kept; for more, those not used for the longest time are forgotten.
        session_tables: uploaded tables kept of one session.
        kept_seconds: how long an uploaded table is kept that nobody uses.
        kept_bytes: roughly the memory that all uploaded tables together may take.
        question_letters: the length of a question.
        program_letters: the length of a program, a search or a filter.
        top: the most candidates that an answer lists.
        rows_shown: rows of a table sent at a time.
        cell_letters: how much of a cell is sent when a table is shown.
        rows_told: the rows of a table up to which an answer tells every row's marks unless asked otherwise.
        waiting_questions: questions that wait for the model, on short tables and on long ones.
        batch_questions: questions that the model answers together; with more, those at the end of a batch
            wait for the others, and little time is saved.
        batch_cells: the cells of all their tables together. Tables with more are long ones: questions about
            them take seconds, and have a thread of their own for which the others need not wait.
        waiting_figures: figures that wait to be drawn.
        processes: how many processes answer questions on short tables; 1 is the server's own.
    """

    upload_bytes: int = 20_000_000
    upload_seconds: float = 60
    uploads_at_once: int = 8
    read_seconds: float = 30
    read_bytes: int = 3_000_000_000
    request_bytes: int = 1_000_000
    table_cells: int = 2_000_000
    table_fields: int = 1_000
    tables_together: int = 8
    kept_tables: int = 256
    session_tables: int = 32
    kept_seconds: float = 8 * 3600
    kept_bytes: int = 1_000_000_000
    question_letters: int = 1_000
    program_letters: int = 5_000
    top: int = 100
    rows_shown: int = 1_000
    cell_letters: int = 2_000
    rows_told: int = 1_000
    waiting_questions: int = 512
    batch_questions: int = 4
    batch_cells: int = 100_000
    waiting_figures: int = 8
    processes: int = 1

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value <= 0:
                raise ValueError(f"{name} must be more than 0, not {value}")
