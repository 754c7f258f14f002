"""The table of the paper's appendix on two tables: SELECT_WHERE with and without a join."""

from typing import Final

from neural_enquirer.reproduction.paper_table import OURS, PAPERS, PaperTable, Row

PAPER: Final = (99.7, 81.5, 91.3)
_SQL: Final = "SQL-like text"
_NATURAL: Final = "natural language"

TABLE: Final = PaperTable(
    title="Two tables: SELECT_WHERE with and without a join, in percent",
    kinds=("non_join", "join", "overall"),
    rows=(
        Row("Neural Enquirer-M", "two-tables-paper-adadelta", PAPER, _SQL, PAPERS),
        Row("Neural Enquirer-M", "two-tables-paper", PAPER, _SQL, OURS),
        Row("ours: grounded", "two-tables-grounded", PAPER, _SQL),
        Row("ours: grounded, linked", "two-tables-linked", PAPER, _SQL),
        Row("Neural Enquirer-M", "two-tables-paper-natural", (), _NATURAL, OURS),
        Row("ours: grounded, linked", "two-tables-linked-natural", (), _NATURAL),
    ),
)
