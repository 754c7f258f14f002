import json
from pathlib import Path

from neural_enquirer.reproduction import summary
from neural_enquirer.reproduction.stored import Results
from stored_runs import store


def test_what_was_never_run_and_what_met_test_forms_is_left(tmp_path: Path) -> None:
    for seed in range(3):
        store(tmp_path, "large-kb-ours", seed, nest=0.5)
        store(tmp_path, "large-kb-n2n", seed, nest=0.5)
    store(tmp_path, "olympics-100k-n2n", 0, nest=0.5)
    path = tmp_path / "runs" / "large-kb-ours" / "1.json"
    run = json.loads(path.read_text())
    run["experiment"]["training"]["renaming"] = True
    path.write_text(json.dumps(run))
    found = {own.experiment: own for own in summary.left(Results(tmp_path))}
    assert (found["large-kb-ours"].old, found["large-kb-ours"].missing) == (1, 0)
    assert "large-kb-n2n" not in found
    assert found["olympics-100k-n2n"].missing == 2
    assert found["olympics-25k-n2n-paper"].minutes == 0.25 * 0.5  # a quarter of the examples
    assert found["two-tables-paper"].minutes is None
    told = summary.to_be_trained(Results(tmp_path))
    assert "| large-kb | `large-kb-ours` | 1 met test forms | 0.5 | 0 |" in told
    assert "7 that are stored and were made on a GPU add up to 4 minutes" in summary.cost(Results(tmp_path))
