"""Tables that an engine asks, on the page of the server that was started with them."""

from collections.abc import Sequence

import duckdb
from web_server import client_of

from fake_predictor import FakePredictor, links_of
from neural_enquirer import Enquirer
from neural_enquirer.encoding.linking import Links
from neural_enquirer.engines.choosing import open_object
from neural_enquirer.prediction import Tables
from neural_enquirer.web import schemas
from neural_enquirer.web.server import create_app

ROWS = 6_000


class Linking(FakePredictor):
    """Links as models do."""

    def link(self, tables: Tables, question: str) -> Sequence[Links]:
        return links_of(question, tables)


def test_a_table_that_the_server_was_started_with() -> None:
    question = "how many are there"
    with duckdb.connect() as connection:
        rows = open_object(connection.sql(f"SELECT range AS n, 'x' AS letter FROM range({ROWS})"), "many")
        app = create_app(Enquirer(Linking({question: "count(rows())"})), [rows])
        with client_of(app) as client:
            (known,) = [one for one in client.get("/api/tables").json() if one["name"].startswith("many")]
            assert (known["rows_there"], known["rows"]) == (ROWS, ROWS)
            shown = client.get(f"/api/tables/{known['id']}").json()
            assert len(shown["cells"]) == 200
            wanted = {"sort": "n", "descending": 1, "search": "59", "filter": "n<=5000"}
            part = client.get(f"/api/tables/{known['id']}", params=wanted | {"start": 1, "count": 2}).json()
            assert (part["numbers"], part["matching"]) == ([4859, 4759], 100)
            file = client.get(f"/api/tables/{known['id']}.csv", params=wanted).text
            assert file.splitlines()[:2] == ["n,letter", "4959,x"]
            answer = client.post("/api/ask", json={"question": question, "table": known["id"]})
    assert answer.status_code == 200, answer.text
    assert answer.json()["answer"] == f"{ROWS:,}"
    assert len(answer.json()["evidence"]["rows"]) == 10
    schemas.AnswerShown.model_validate(answer.json())
