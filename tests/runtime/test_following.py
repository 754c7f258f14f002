"""Programs that the decoder is shown are as likely as where it writes them."""

import pytest

from neural_enquirer.checkpoint_files import locate
from neural_enquirer.encoding.actions import build
from neural_enquirer.prediction.predictors import OpenPredictor
from neural_enquirer.programs import parse
from neural_enquirer.programs.text import to_text
from neural_enquirer.runtime.loading import Loaded
from neural_enquirer.tables import Table

GAMES = Table.of(
    [{"year": 1996, "city": "Atlanta", "people": 10}, {"year": 2000, "city": "Sydney", "people": 12}], "games"
)


@pytest.fixture(scope="module")
def predictor():
    return OpenPredictor(Loaded.read(locate("open")), "open")


def test_scores_are_those_of_the_search(predictor):
    (evidence,) = predictor.evidence([((GAMES,), "which city had the most people after 1996")])
    programs = {}
    for way in evidence.ways:
        program = build(way.derivation, evidence.asked)
        programs.setdefault(to_text(program), way.score)
    first = list(programs)[:4]
    scores = predictor.scores(evidence.asked, list(map(parse, first)))
    assert len(first) > 1
    assert scores[0] == pytest.approx(programs[first[0]], abs=1e-3)
    assert all(score >= programs[text] - 1e-3 for text, score in zip(first, scores, strict=True))


def test_what_cannot_be_written_has_no_chance(predictor):
    (evidence,) = predictor.evidence([((GAMES,), "which city")])
    impossible = parse("cells(city, rows(people = 99999))")
    assert predictor.scores(evidence.asked, [impossible, None]) == [-float("inf")] * 2
