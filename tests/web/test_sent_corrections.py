"""Corrections that the page sends: kept in the file that `enquirer learn` reads, where that is wanted."""

import json
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from web_server import client_of, fake_app

from neural_enquirer.learning.corrections import Correction, read


def correct(client: TestClient, **right: Any) -> Any:
    given = {"question": "who is paid most", "tables": ["games"], **right}
    return client.post("/api/corrections", json=given)


@pytest.fixture
def keeping(tmp_path: Path) -> Any:
    with client_of(fake_app(corrections=tmp_path / "mine.jsonl")) as client:
        yield client


@pytest.mark.parametrize(
    "right",
    [
        {"program": "cells(city, largest(cost))"},
        {"answers": ["Athens"]},
        {"cells": [{"table": "games", "row": 1, "field": "city"}]},
        {"rows": [{"table": "games", "row": 1}]},
        {"refuse": True},
    ],
)
def test_are_kept_as_learn_reads_them(keeping: TestClient, tmp_path: Path, right: Any) -> None:
    told = correct(keeping, **right)
    assert (told.status_code, told.json()) == (201, {"kept_in": "mine.jsonl", "count": 1})
    (line,) = (tmp_path / "mine.jsonl").read_text().splitlines()
    assert read(tmp_path / "mine.jsonl") == [Correction.of_json(json.loads(line))]
    assert json.loads(line) | right == json.loads(line)
    assert correct(keeping, **right).json()["count"] == 2


@pytest.mark.parametrize(
    ("right", "sentence"),
    [
        ({}, "one way"),
        ({"refuse": True, "answers": ["x"]}, "one way"),
        ({"refuse": False}, "refuse"),
        ({"answers": []}, "answers"),
        ({"program": "count(rows(age = 3))"}, "no field 'age'"),
        ({"program": "nonsense"}, "program"),
        ({"cells": [{"table": "games", "row": 1, "field": "age"}]}, "no field 'age'"),
        ({"rows": [{"table": "games", "row": 3}]}, "has no row 4"),
        ({"rows": [{"table": "films", "row": 0}]}, "not among the tables"),
        ({"question": " ", "refuse": True}, "no words"),
    ],
)
def test_bad_ones(keeping: TestClient, tmp_path: Path, right: Any, sentence: str) -> None:
    told = correct(keeping, **right)
    assert told.status_code == 422
    assert sentence in told.json()["detail"]
    assert not (tmp_path / "mine.jsonl").exists()


def test_not_where_others_reach_the_server(client: TestClient) -> None:
    told = correct(client, refuse=True)
    assert told.status_code == 403
    assert "--corrections FILE" in told.json()["detail"]
