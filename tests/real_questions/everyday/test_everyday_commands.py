import json
from pathlib import Path

from command_line import Run, assert_one_line

DEV = Path(__file__).parents[3] / "datasets" / "everyday" / "dev"


def write_results(path: Path) -> Path:
    """The first accepted answer to every question but one, and to the first question a wrong one."""
    lines = [json.loads(line) for line in (DEV / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
    results = [
        {"id": line["id"], "answers": (line["answers"] or [[]])[0], "confidence": 0.9} for line in lines
    ]
    results[0]["answers"] = ["nobody"]
    path.write_text("\n".join(map(json.dumps, results[:-1])))
    return path


def test_score(enquirer: Run, tmp_path: Path) -> None:
    status, out, said = enquirer("everyday", "score", write_results(tmp_path / "results.jsonl"), DEV)
    assert status == 0
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert "lookup 96.00% of 25" in lines
    assert "refused 11.00%" in lines
    assert "wrong, 80 % sure or more 0.50%" in lines
    assert "overall 99.50% of 200 questions" in lines
    assert said == "1 questions have no result; they count as refused\n"


def test_score_as_json(enquirer: Run, tmp_path: Path) -> None:
    _, out, _ = enquirer("everyday", "score", write_results(tmp_path / "results.jsonl"), DEV, "--json")
    found = json.loads(out)
    assert (found["overall"], found["examples"], found["by_type"]["unanswerable"]) == (0.995, 200, 1.0)


def test_results_of_other_questions_are_refused(enquirer: Run, tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    results.write_text('{"id": "nobody asked"}')
    assert_one_line(enquirer("everyday", "score", results, DEV), "nobody asked")


def test_no_such_folder(enquirer: Run, tmp_path: Path) -> None:
    results = write_results(tmp_path / "results.jsonl")
    assert_one_line(enquirer("everyday", "score", results, tmp_path), "has no questions.jsonl")
