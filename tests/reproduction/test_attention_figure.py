"""The picture of a question on several tables."""

from pathlib import Path

import pytest
import torch

from neural_enquirer.model.cascade import Cascade, TableView
from neural_enquirer.model.executor_set import Sizes
from neural_enquirer.reproduction.attention_figure import plot_tables
from neural_enquirer.tables import Table

TABLES = [
    Table.of([{"country": "China", "year": 2008}, {"country": "Greece", "year": 2004}]),
    Table.of([{"country": name, "continent": "?", "size": 9} for name in ("Greece", "China", "Peru")]),
]


@pytest.mark.parametrize("linked", [False, True])
def test_it_shows_what_was_read_and_asked(linked: bool, tmp_path: Path) -> None:
    torch.manual_seed(0)
    sizes = Sizes(
        field_size=3,
        cell_size=3,
        query_size=2,
        annotation_size=3,
        hidden_size=4,
        attention_size=4,
        executors=3,
    )
    cascade = Cascade(sizes, asks=True, linked=linked)
    codes = [torch.tensor([[[1, 4], [2, 5]]]), torch.tensor([[[2, 8, 9], [1, 8, 9], [3, 8, 9]]])]
    views = [
        TableView(torch.randn(1, n.shape[2], 3), torch.randn(1, n.shape[2], n.shape[1], 3), values=n)
        for n in codes
    ]
    with torch.no_grad():
        output = cascade(torch.randn(1, 2), views)
    figure = plot_tables("select size, where year = 2008", TABLES, output, answer=(1, 1, 2))
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert "Executor-(2, 1): attention γ over Table-2" in titles
    assert "Executor-(2, 2): attention γ over Table-1" in titles
    assert ("linking fields, Table-1 and Table-2" in titles) is linked
    figure.savefig(tmp_path / "why.png")
