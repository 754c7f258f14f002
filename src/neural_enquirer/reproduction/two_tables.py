"""The table of the paper's appendix on two tables: SELECT_WHERE with and without a join."""

from typing import Final

from neural_enquirer.reproduction.paper_table import PaperTable, Row

_PAPER: Final = (99.7, 81.5, 91.3)

TABLE: Final = PaperTable(
    title="Two tables: SELECT_WHERE with and without a join, in percent",
    kinds=("non_join", "join", "overall"),
    rows=(
        Row("Neural Enquirer-M", "two-tables-paper", _PAPER),
        Row("ours: linked", "two-tables-linked", _PAPER),
    ),
)
