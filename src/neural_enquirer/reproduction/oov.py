"""The cells of table 2 on words out of the vocabulary: test questions whose cities and countries are new."""

from typing import Final

from neural_enquirer.reproduction import table2
from neural_enquirer.reproduction.paper_table import PaperTable

TABLE: Final = PaperTable(
    title="Table 2, out of vocabulary: every city and country of the test is new, in percent",
    kinds=table2.TABLE.kinds,
    rows=table2.UNSEEN,
)
