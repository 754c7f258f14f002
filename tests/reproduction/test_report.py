import json
from pathlib import Path

import pytest

from neural_enquirer.reproduction import benchmark_tables, efficiency, report, summary
from neural_enquirer.reproduction.paper_tables import TABLES
from neural_enquirer.reproduction.stored import QUICK_NOTE, QUICK_REMARK, Results
from neural_enquirer.synthesis.examples import PROGRAM_TYPES
from stored_runs import store


@pytest.fixture
def results(tmp_path: Path) -> Results:
    for seed in range(3):
        store(tmp_path, "olympics-25k-grounded", seed, nest=0.9)
    return Results(tmp_path)


def test_sections_without_results_are_left_out(results: Results) -> None:
    page = report.page(results)
    assert "## Table 2" in page
    assert "## The open model" not in page
    assert "### Long tables" not in page
    assert "{{" not in page


def test_files_with_the_same_note_share_it(results: Results) -> None:
    assert (
        "- `runs/olympics-25k-grounded/1`, `runs/olympics-25k-grounded/2`: slow"
        in report.page(results).splitlines()
    )


def test_a_page_of_small_runs_begins_by_saying_so(results: Results) -> None:
    assert QUICK_REMARK not in report.page(results)
    path = results.folder / "runs" / "olympics-25k-grounded" / "0.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"note": QUICK_NOTE}))
    page = report.page(results)
    assert page.startswith(f"# Results\n\n**{QUICK_REMARK}**")
    assert QUICK_NOTE not in page
    assert "20 test questions" in page


def test_what_was_not_run_or_not_often_enough_is_told(results: Results) -> None:
    store(results.folder, "large-kb-n2n", 0, nest=0.5)
    missing, few = summary.gaps(results).splitlines()
    assert "MIXTURED-25K, N2N, our settings;" in missing
    assert "MIXTURED-25K, ours: N2N grounded;" not in missing
    assert few == "Fewer than 3 seeds: large knowledge source, N2N, the paper's settings (1)."


def test_the_hardest_questions_are_those_that_runs_are_worst_at() -> None:
    run = {
        "test": {
            "overall": 0.8,
            "by_type": {"select_where": 0.9, "superlative": 0.7, "where_superlative": 0.8},
        }
    }
    assert summary.hardest(TABLES["large-kb"], [run]) == "superlative"
    other = {
        "test": {
            "overall": 0.8,
            "by_type": {"select_where": 0.1, "superlative": 0.9, "where_superlative": 0.3},
        }
    }
    assert summary.hardest(TABLES["large-kb"], [run, other, other]) == "select_where"


def test_runs_that_met_test_forms_are_marked_until_they_are_made_again(results: Results) -> None:
    path = results.folder / "runs" / "olympics-25k-grounded" / "0.json"
    run = json.loads(path.read_text())
    assert "†" not in report.page(results)
    run["experiment"]["training"]["renaming"] = True
    path.write_text(json.dumps(run))
    page = report.page(results)
    assert "| **ours: N2N grounded †** |" in page
    assert "† Trained while names were also exchanged" in page
    first_look = summary.recipes(results)
    assert "|N2N, 25K|84.0|–|–|95.0 †|" in first_look
    assert first_look.endswith("– not run yet; † training met forms of the test; to be trained again.")
    path.write_text(json.dumps(run | {"renaming": "within training forms"}))
    assert "†" not in report.page(results)


def test_the_first_look_has_eight_rows_at_most_and_both_recipes() -> None:
    stored = Results(report.REPOSITORY / "results")
    head, _, *rows = summary.recipes(stored).partition("\n\n")[0].splitlines()
    assert "its model, its settings|its model, ours|ours, grounded" in head
    assert len(rows) <= 8
    named = {row.experiment for table in TABLES.values() for row in table.rows}
    assert {name for _, _, *names in summary.RECIPES for name in names if name} <= named


def test_time_of_training_has_a_number_for_each_seed(results: Results) -> None:
    assert "| olympics-25k-grounded | 12, 12, 12 |  |  | an abacus |" in report.page(results).splitlines()


def test_tables_come_between_markers_and_nothing_else_changes(results: Results) -> None:
    begin = "<!-- summary: made by python -m neural_enquirer.reproduction.report -->"
    text = f"before\n{begin}\nold\n<!-- end of summary -->\nafter\n"
    made = report.with_tables(text, results)
    assert made.startswith(f"before\n{begin}\n| % right |")
    assert made.endswith("|\n<!-- end of summary -->\nafter\n")
    assert "old" not in made
    assert report.with_tables(made, results) == made


def test_writing_a_folder_of_results_writes_its_page_only(results: Results) -> None:
    report.write(results.folder)
    assert (results.folder / "README.md").read_text(encoding="utf-8") == report.page(results)


def test_efficiency_is_told_and_drawn(tmp_path: Path) -> None:
    results = Results(tmp_path)
    assert efficiency.reached(results) is None
    assert not efficiency.draw(results, tmp_path / "efficiency.png")
    (tmp_path / "efficiency-some.json").write_text(
        '{"name": "some", "hardware": "an abacus", "points": ['
        '{"seconds": 60, "accuracy": 0.5}, {"seconds": 120, "accuracy": 0.7}]}'
    )
    assert "| some | 60 | 120 | – | – | 70.0 | an abacus |" in str(efficiency.reached(results))
    assert efficiency.draw(results, tmp_path / "efficiency.png")
    assert (tmp_path / "efficiency.png").stat().st_size > 0


def test_a_curve_of_one_point_can_be_seen(tmp_path: Path) -> None:
    drawn = []
    for accuracy in (0.5, 0.7):
        curve = {"name": "some", "hardware": "an abacus", "points": [{"seconds": 60, "accuracy": accuracy}]}
        (tmp_path / "efficiency-some.json").write_text(json.dumps(curve))
        efficiency.draw(Results(tmp_path), tmp_path / "efficiency.png")
        drawn.append((tmp_path / "efficiency.png").read_bytes())
    assert drawn[0] != drawn[1]


def test_the_validation_of_a_long_run_is_drawn_beside_the_curves(tmp_path: Path) -> None:
    run = {
        "seed": 0,
        "hardware": "a CPU",
        "test": {},
        "epochs": [{"epoch": 1, "seconds": 6, "overall": 0.6}, {"epoch": 2, "seconds": 12, "overall": 0.9}],
    }
    path = tmp_path / "runs" / "olympics-25k-sbs-cpu" / "0.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(run))
    assert efficiency.curves(Results(tmp_path)) == {}
    (tmp_path / "efficiency-some.json").write_text('{"name": "some", "hardware": "an abacus", "points": []}')
    curves = efficiency.curves(Results(tmp_path))
    assert list(curves) == ["efficiency-sbs", "efficiency-some"]
    assert curves["efficiency-sbs"]["hardware"] == "a CPU; validation"
    assert [point["accuracy"] for point in curves["efficiency-sbs"]["points"]] == [0.6, 0.9]


def test_experiments_that_explain_a_difference_are_told(tmp_path: Path) -> None:
    results = Results(tmp_path)
    assert benchmark_tables.field_combinations(results) is None
    assert benchmark_tables.parser_search(results) is None
    best = {"seen": {"overall": 1.0}, "unseen": {"overall": 0.5, "row": 0.6, "column": 0.7}}
    trial = {"trial": "ours", "answered": best}
    (tmp_path / "large-kb-development.json").write_text(json.dumps({"runs": [trial, trial]}))
    assert "| ours | 100.0 | 50.0 | 60.0 | 70.0 | 2 |" in str(benchmark_tables.field_combinations(results))
    types = dict.fromkeys(PROGRAM_TYPES, 0.25)
    searched = {"roles": True, "beam": 5, "by_type": types, "overall": 0.25, "seconds": 90}
    (tmp_path / "semantic-parser-search.json").write_text(json.dumps({"runs": [searched]}))
    assert "| 5 | 25.0 | 25.0 | 25.0 | 25.0 | 25.0 | 1.5 |" in str(benchmark_tables.parser_search(results))
    shares = {"entity": 0.2, "close": 0.5, "clear": 0.9, "bounds": 0.85, "all": 0.8}
    asked = {"about": "dropout", "runs": [{"new": shares}]}
    (tmp_path / "where-superlative.json").write_text(json.dumps({"trials": {"ws-dropout": asked}}))
    assert "| dropout | 20.0 | 50.0 | 90.0 | 85.0 | 80.0 | 1 |" in str(
        benchmark_tables.where_superlative(results)
    )
    world = {"rows": 3, "game_fields": 2, "country_fields": 2, "countries": 6, "values": 10}
    joins = [{"non_join": 1.0, "join": 0.3}, {"non_join": 1.0, "join": 0.95}]
    learned = {"world": world, "model": "shared", "learned_after": 2, "epochs": joins}
    stuck = learned | {"learned_after": None, "epochs": joins[:1]}
    own = [learned | {"model": "own"}, learned | {"model": "own", "world": world | {"rows": 6}}]
    (tmp_path / "join-plateau.json").write_text(json.dumps({"runs": [learned, stuck, *own]}))
    told = str(benchmark_tables.join_plateau(results))
    assert "| fields | rows | countries | shared | own |" in told
    assert "| 2 and 2 | 3 | 6 | 2,000; not in 1,000 | 2,000 |" in told
    assert "| 2 and 2 | 6 | 6 |  | 2,000 |" in told
    kinds = {"as both": 0.1, "as one": 0.2, "as neither": 0.7}
    run = {"seed": 1, "known": 0.9, "new": 0.4, "new names": kinds}
    trials = {"as-is": {"about": "60 cities", "runs": [run, run | {"new": 0.6}]}}
    (tmp_path / "unseen-names.json").write_text(json.dumps({"runs": [run], "trials": trials}))
    made = str(benchmark_tables.unseen_names(results))
    assert "N2N-OOV, seed 1 | 90.0 | 40.0 | 10.0 | 20.0 | 70.0 | 1 |" in made
    assert "| 60 cities | 90.0 | 50.0 | 10.0 | 20.0 | 70.0 | 2 |" in made
