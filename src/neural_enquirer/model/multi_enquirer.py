"""The whole model over several tables with a closed vocabulary: Neural Enquirer-M."""

from jaxtyping import Float
from torch import Tensor
from torch.nn import functional

from neural_enquirer.encoding.multi_batch import MultiBatch, TableCodes
from neural_enquirer.model.enquirer import ClosedEnquirer, cascade_sizes
from neural_enquirer.model.multi_table import MultiCascade, MultiOutput, TableView


class MultiEnquirer(ClosedEnquirer):
    """Neural Enquirer-M (appendix "Handling Multiple Tables"): the encoders of one table, for each."""

    kind = "closed-multi"

    cascade: MultiCascade

    def make_cascade(self) -> MultiCascade:
        """Makes the executors over several tables."""
        config = self.config
        return MultiCascade(
            **cascade_sizes(config),
            attention_size=config.hidden_size,
            linked=config.linked,
            sets=config.executor_sets,
        )

    def forward(self, batch: MultiBatch) -> MultiOutput:
        """Answers a batch of questions."""
        embedding = self.word_vectors()
        views = [self._view(table, embedding) for table in batch.tables]
        query = self.query(batch.words, embedding)  # q
        return self.cascade.execute(query, views)

    def _view(self, table: TableCodes, embedding: Float[Tensor, "code embedding"]) -> TableView:
        return TableView(
            functional.embedding(table.fields, embedding),  # f_n
            self.table_encoder(table.cells, table.fields, table.mentions, embedding),  # e_mn
            table.field_mask,
            table.row_mask,
            table.values if self.config.linked else None,
        )
