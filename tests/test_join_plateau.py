"""The worlds of the benchmark on joins: every answer is the only one."""

import numpy as np
import pytest

from benchmarks.join_plateau import WORLDS, World


@pytest.mark.parametrize("world", WORLDS, ids=str)
def test_answers_follow_from_the_tables(world: World) -> None:
    batch = world.draw(np.random.default_rng(0), 40)
    widths = [table.cells.shape[2] for table in batch.tables]
    for i in range(len(batch)):
        select, condition, value = batch.words[i].tolist()
        tables = [(table.fields[i].tolist(), table.cells[i].tolist()) for table in batch.tables]
        answer = int(batch.answers[i])
        in_second = answer >= world.rows * widths[0]
        row, column = divmod(answer - in_second * world.rows * widths[0], widths[in_second])
        fields, cells = tables[in_second]
        assert fields[column] == select
        if batch.types[i]:  # a join: the row with the condition stands in the other table, with one country
            others, rows = tables[not in_second]
            (found,) = [each for each in rows if each[others.index(condition)] == value]
            assert condition not in fields
            assert found[0] == cells[row][0]
        else:
            assert cells[row][fields.index(condition)] == value
