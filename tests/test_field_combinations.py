import pytest

from benchmarks.field_combinations import World, narrowed, run
from neural_enquirer.encoding.closed import encode, vocabulary_of
from neural_enquirer.programs.paper import steps
from neural_enquirer.programs.paper_parsing import parse_paper
from neural_enquirer.synthesis.tasks import FIELD_SETS


def test_worlds_follow_the_rules_of_the_task_and_are_others() -> None:
    worlds = [World.of(number) for number in range(3)]
    assert World.of(0) == worlds[0]
    assert len({FIELD_SETS, *(world.field_sets for world in worlds)}) == 4
    for world in worlds:
        assert len({name for names in world.field_sets for name in names}) == 10
        assert all(len(set(names)) == 5 for names in world.field_sets)
        assert all({"host_city", "host_country"} & set(names) for names in world.field_sets)


@pytest.mark.parametrize(
    ("split", "wide", "seen"),
    [("train", False, True), ("validation", False, True), ("validation", True, True), ("test", True, False)],
)
def test_examples_keep_to_the_world(split: str, wide: bool, seen: bool) -> None:
    world = World.of(0)
    examples = world.draw(split, 60, wide=wide)
    assert examples.tables[0].fields.shape == (60, 10 if wide else 5)
    for text in examples.logical_forms:
        fields = set(steps(parse_paper(text)))
        assert any(fields <= set(names) for names in world.field_sets) == seen


def test_narrowed_tables_keep_what_the_question_needs() -> None:
    examples = World.of(0).draw("test", 60, wide=True)
    vocabulary = vocabulary_of(examples)
    batch = encode(examples, vocabulary)
    narrow = narrowed(batch)
    assert narrow.table.fields.shape == (60, 5)
    for index, text in enumerate(examples.logical_forms):
        needed = {vocabulary.codes[name.lower()] for name in steps(parse_paper(text))}
        assert needed <= set(narrow.table.fields[index].tolist())
        row, column = divmod(int(narrow.answers[index]), 5)
        before_row, before = divmod(int(batch.answers[index]), 10)
        assert (row, narrow.table.fields[index, column]) == (before_row, batch.table.fields[index, before])
        assert narrow.table.cells[index, row, column] == batch.table.cells[index, before_row, before]


def test_a_small_trial_tells_of_all_kinds_of_questions() -> None:
    small = ["model.state_size=4", "training.epochs=1", "training.batch_size=30"]
    found = run("ours", 0, "cpu", 60, 30, small)
    assert found["experiment"]["training"]["widening"]
    assert list(found["answered"]) == [
        "seen, five fields",
        "seen, ten fields",
        "unseen, five fields",
        "unseen, ten fields",
    ]
    assert all(kind["overall"] <= min(kind["row"], kind["column"]) for kind in found["answered"].values())
