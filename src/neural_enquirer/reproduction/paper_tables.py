"""The tables of the paper: its figures, and the experiments whose results are held against them."""

from collections.abc import Mapping
from typing import Final

from neural_enquirer.reproduction.paper_table import OURS, PAPERS, PaperTable, Row
from neural_enquirer.synthesis.examples import PROGRAM_TYPES

_25K: Final = "25K"
_100K: Final = "100K"

SEMPRE: Final = (93.8, 97.8, 34.8, 34.4, 65.2)
N2N_25K: Final = (96.2, 98.9, 80.4, 60.5, 84.0)
N2N_100K: Final = (99.3, 99.9, 98.5, 64.7, 90.6)
OOV_25K: Final = (90.3, 98.2, 79.1, 57.7, 81.3)
OOV_100K: Final = (97.6, 99.7, 98.0, 63.9, 89.8)
SBS_25K: Final = (99.7, 99.5, 94.3, 92.1, 96.4)
SBS_100K: Final = (100.0, 100.0, 99.8, 99.7, 99.9)
LARGE_KB: Final = (68.2, 84.8, 80.2, 77.7)
TWO_TABLES: Final = (99.7, 81.5, 91.3)

_UNSEEN: Final = (
    Row("N2N-OOV", "olympics-25k-oov-n2n-paper", OOV_25K, _25K, PAPERS),
    Row("N2N-OOV", "olympics-25k-oov-n2n", OOV_25K, _25K, OURS),
    Row("ours: N2N grounded, OOV", "olympics-25k-oov-grounded", OOV_25K, _25K),
    Row("N2N-OOV", "olympics-100k-oov-n2n-paper", OOV_100K, _100K, PAPERS),
    Row("N2N-OOV", "olympics-100k-oov-n2n", OOV_100K, _100K, OURS),
    Row("ours: N2N grounded, OOV", "olympics-100k-oov-grounded", OOV_100K, _100K),
)
"""The rows with cities and countries that training never saw."""
_SQL: Final = "SQL-like text"
_NATURAL: Final = "natural language"

TABLE2: Final = PaperTable(
    title="Table 2: accuracies on MIXTURED data sets, in percent",
    kinds=(*PROGRAM_TYPES, "overall"),
    rows=(
        Row("semantic parser of our own, operations given", "semantic-parser-25k", SEMPRE, _25K),
        Row("Neural Programmer, with additions", "neural-programmer-25k", (), _25K),
        Row("N2N", "olympics-25k-n2n-paper", N2N_25K, _25K, PAPERS),
        Row("N2N", "olympics-25k-n2n", N2N_25K, _25K, OURS),
        Row("SbS", "olympics-25k-sbs-paper", SBS_25K, _25K, PAPERS),
        Row("SbS", "olympics-25k-sbs", SBS_25K, _25K, OURS),
        *_UNSEEN[:2],
        Row("ours: N2N grounded", "olympics-25k-grounded", N2N_25K, _25K),
        _UNSEEN[2],
        Row("N2N", "olympics-100k-n2n-paper", N2N_100K, _100K, PAPERS),
        Row("N2N", "olympics-100k-n2n", N2N_100K, _100K, OURS),
        Row("SbS", "olympics-100k-sbs-paper", SBS_100K, _100K, PAPERS),
        Row("SbS", "olympics-100k-sbs-fast", SBS_100K, _100K, OURS),
        *_UNSEEN[3:5],
        Row("ours: N2N grounded", "olympics-100k-grounded", N2N_100K, _100K),
        _UNSEEN[5],
    ),
)
"""Ours are held against the paper's row with the same supervision and the same examples."""

TABLES: Final[Mapping[str, PaperTable]] = {
    "table2": TABLE2,
    "oov": PaperTable(
        title="Table 2, out of vocabulary: every city and country of the test is new, in percent",
        kinds=TABLE2.kinds,
        rows=_UNSEEN,
    ),
    "large-kb": PaperTable(
        title="Large knowledge source: combinations of fields that training never saw, in percent",
        kinds=("select_where", "superlative", "where_superlative", "overall"),
        rows=(
            Row("N2N", "large-kb-n2n", LARGE_KB, recipe=PAPERS),
            Row("N2N, widened tables", "large-kb-n2n-widened", LARGE_KB, recipe=OURS),
            Row("ours: N2N grounded, widened tables", "large-kb-ours", LARGE_KB),
        ),
    ),
    "two-tables": PaperTable(
        title="Two tables: SELECT_WHERE with and without a join, in percent",
        kinds=("non_join", "join", "overall"),
        rows=(
            Row("Neural Enquirer-M", "two-tables-paper-adadelta", TWO_TABLES, _SQL, PAPERS),
            Row("Neural Enquirer-M", "two-tables-paper", TWO_TABLES, _SQL, OURS),
            Row("ours: grounded", "two-tables-grounded", TWO_TABLES, _SQL),
            Row("ours: grounded, linked", "two-tables-linked", TWO_TABLES, _SQL),
            Row("Neural Enquirer-M", "two-tables-paper-natural", (), _NATURAL, OURS),
            Row("ours: grounded, linked", "two-tables-linked-natural", (), _NATURAL),
        ),
    ),
}
"""By the parts of a reproduction that they are."""
WHOLE: Final = {name: table for name, table in TABLES.items() if name != "oov"}
"""Without the table that is a part of another one."""
