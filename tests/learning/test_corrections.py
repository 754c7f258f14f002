import dataclasses
import json

import pytest

from neural_enquirer.learning import corrections
from neural_enquirer.learning.corrections import (
    CellRef,
    Correction,
    CorrectionError,
    RowRef,
    TableRef,
    append,
    read,
    references,
)
from neural_enquirer.tables import Table

GAMES = Table.of([{"year": 1996, "city": "Atlanta"}, {"year": 2000, "city": "Sydney"}], "games")
ASKED = {"question": "where was it?", "tables": references([GAMES])}
EACH = [
    Correction(**ASKED, program="city(rows(year = 2000))"),
    Correction(**ASKED, answers=("Sydney",)),
    Correction(**ASKED, cells=(CellRef("games", 1, "city"),)),
    Correction(**ASKED, rows=(RowRef("games", 1),)),
    Correction(**ASKED, refuse=True),
]


@pytest.mark.parametrize("correction", EACH, ids=lambda one: one.kind)
def test_survives_the_file(tmp_path, correction):
    path = tmp_path / "new" / "corrections.jsonl"
    assert append(path, correction) == 1
    assert read(path) == [correction]


def test_the_later_correction_of_a_question_counts(tmp_path):
    path = tmp_path / "corrections.jsonl"
    other = dataclasses.replace(EACH[1], question="when was it?")
    counts = [append(path, one) for one in (EACH[1], other, EACH[4])]
    assert counts == [1, 2, 3]
    assert read(path) == [other, EACH[4]]


def test_a_line_without_an_end_is_not_spoiled(tmp_path):
    path = tmp_path / "corrections.jsonl"
    path.write_text(json.dumps(EACH[0].to_json() | {"question": "which?", "more": 1}))
    assert append(path, EACH[1]) == 2
    assert len(read(path)) == 2


def test_a_fingerprint_is_of_the_content_alone():
    renamed = dataclasses.replace(GAMES, name="olympics")
    changed = Table.of([{"year": 1996, "city": "Atlanta"}, {"year": 2000, "city": "Athens"}], "games")
    assert TableRef.of(renamed).fingerprint == TableRef.of(GAMES).fingerprint
    assert TableRef.of(changed).fingerprint != TableRef.of(GAMES).fingerprint


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "line 1: not JSON"),
        ("[]", "line 1: a correction is"),
        ('{"question": "who?", "tables": [{"name": "a", "fingerprint": "b"}]}', "in one way"),
        ('{"question": "who?", "tables": [], "refuse": true}', "the tables that it was asked of"),
        ('{"question": "who?", "tables": [{"name": "a"}], "refuse": true}', "line 1: a correction is"),
        (
            json.dumps(EACH[3].to_json() | {"rows": [{"table": "games", "row": -1}]}),
            "line 1: a correction is",
        ),
    ],
)
def test_a_bad_line_is_told(tmp_path, line, told):
    path = tmp_path / "corrections.jsonl"
    path.write_text(line)
    with pytest.raises(CorrectionError, match=told):
        read(path)


def test_two_ways_at_once_are_none():
    with pytest.raises(CorrectionError, match="in one way"):
        Correction(**ASKED, answers=("Sydney",), refuse=True)


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(CorrectionError, match="does not exist"):
        read(tmp_path / "none.jsonl")


def test_they_are_kept_in_the_folder_of_data(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert corrections.default_path() == tmp_path / "neural-enquirer" / "corrections.jsonl"
