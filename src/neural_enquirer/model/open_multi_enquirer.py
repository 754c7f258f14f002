"""The open model over several tables: the same front end for each of them, and the cascade of them all."""

from dataclasses import dataclass, replace

import torch
from jaxtyping import Float
from torch import Tensor, nn

from neural_enquirer.encoding.open_batch import OpenBatch
from neural_enquirer.encoding.open_multi_batch import OpenMultiBatch
from neural_enquirer.encoding.table_index import MISSING
from neural_enquirer.model.cascade import Output
from neural_enquirer.model.multi_table import (
    LINKED_ROWS,
    RELEVANT_ROWS,
    RELEVANT_TABLE,
    MultiCascade,
    MultiOutput,
    TableView,
)
from neural_enquirer.model.open_enquirer import OpenConfig, OpenEnquirer, cascade_sizes


@dataclass(frozen=True)
class OpenMultiConfig(OpenConfig):
    """The sizes of an open model over several tables.

    Attributes:
        attention_size: of the hidden layer that compares a row of one table with a row of another.
    """

    attention_size: int = 32

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.attention_size < 1:
            raise ValueError(f"model.attention_size must be at least 1, not {self.attention_size}")


class OpenMultiEnquirer(OpenEnquirer):
    """Neural Enquirer-M over any tables. On a single one it is an `OpenEnquirer` with the same weights."""

    kind = "open-multi"
    config: OpenMultiConfig
    cascade: MultiCascade

    def _make_cascade(self, config: OpenConfig) -> MultiCascade:
        assert isinstance(config, OpenMultiConfig)
        cascade = MultiCascade(**cascade_sizes(config), attention_size=config.attention_size, linked=True)
        # At first no executor listens to other tables: a model that begins with the weights of one that
        # knows single tables knows as much.
        for executor in cascade.executors:
            for name, weight in executor.annotator.first.weight.items():
                if name in (RELEVANT_ROWS, RELEVANT_TABLE, LINKED_ROWS):
                    nn.init.zeros_(weight)
        return cascade

    def forward(self, batch: OpenBatch | OpenMultiBatch) -> Output | MultiOutput:  # type: ignore[override]
        """Answers a batch of questions, each on one table or on several."""
        if isinstance(batch, OpenBatch):
            return super().forward(batch)
        query, read = self.read_several(batch.tables)
        views = []
        for table, values, (names, evidence) in zip(batch.tables, batch.values, read, strict=True):
            meanings = self.cell_encoder.meanings(names, evidence)
            cells = self.cell_encoder(
                meanings, table.cell_mentions, table.relations, table.ranks, table.cell_flags
            )
            views.append(TableView(names, cells, *table.masks, values))
        return self.answered(self.cascade.execute(query, views), query, batch)

    def answered(
        self, output: MultiOutput, query: Float[Tensor, "batch query"], batch: OpenMultiBatch
    ) -> MultiOutput:
        """Takes missing cells out of the answers, and puts "in none of these tables" in."""
        tables = []
        for own, table in zip(output.tables, batch.tables, strict=True):
            missing = (table.cell_flags & MISSING).bool()
            tables.append(replace(own, answer_scores=own.answer_scores.masked_fill(missing, -torch.inf)))
        last = torch.stack([own.memories[-1].table for own in tables]).amax(dim=0)
        return replace(output, tables=tuple(tables), none_scores=self.score_none(query, last))
