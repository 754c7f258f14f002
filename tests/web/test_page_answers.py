"""Asks on the page: answers of every kind, why there is none, what was asked before, and what is wrong."""

import csv
import json
import re
from pathlib import Path

import pytest
from page_visits import (
    CITIES,
    COUNT,
    DATES,
    GROUPS,
    HOLDS,
    KING,
    MOST_OFTEN,
    QUESTION,
    SHELVES,
    SYDNEY,
    TIE,
    TOP,
    TREND,
    Visit,
    is_in_sight,
    parts,
)
from playwright.sync_api import Route, expect


class TestKinds:
    def test_a_cell(self, visit: Visit) -> None:
        visit.open()
        visit.opens(CITIES)
        page = visit.page
        answer = visit.ask("What is the country of Vienna?")
        assert (answer["answer"], answer["row"], answer["field"]) == ("Austria", 2, "country")
        expect(page.locator("#value")).to_have_text("Austria")
        expect(page.locator("#place")).to_have_text("country · row 3")
        expect(page.locator("#sure")).to_contain_text(re.compile("^sure · 80"))
        cell = page.locator("td.answer")
        expect(cell).to_have_text("Austria")
        assert is_in_sight(page, "td.answer")
        expect(page.locator("#sentence")).to_have_text(
            "In the only row where city is Vienna, country is Austria."
        )
        expect(page.locator("#link")).to_be_hidden()  # nobody else has this table

    def test_the_sentence_comes_before_the_value(self, visit: Visit) -> None:
        visit.open(question=COUNT)
        places = [visit.page.locator(part).bounding_box() for part in ("#sentence", "#value", "#sure")]
        heights = [place["y"] for place in places if place]
        assert len(heights) == 3
        assert heights == sorted(heights)

    def test_a_count_shows_its_sql_to_copy(self, visit: Visit) -> None:
        visit.open()
        answer = visit.ask(COUNT)
        page = visit.page
        expect(page.locator("#value")).to_have_text(answer["answer"])
        expect(page.locator("#place")).to_have_text("See the 3 cells behind it")
        page.locator("#copy-sql").click()
        expect(page.locator("#copy-sql")).to_have_text("Copied")
        assert page.evaluate("navigator.clipboard.readText()") == answer["sql"]

    def test_numbers_are_grouped_and_years_are_not(self, visit: Visit) -> None:
        visit.open()
        visit.ask(SYDNEY)
        expect(visit.page.locator("#value")).to_have_text("2000")
        visit.opens("city,people\nOslo,709037\n")
        visit.ask("the people")
        expect(visit.page.locator("#value")).to_have_text("709,037")

    def test_dates_are_written_out_in_a_list(self, visit: Visit) -> None:
        visit.open()
        visit.ask(DATES)
        expect(visit.page.locator("#value li")).to_have_text(["14 May 1900", "4 May 1924", "26 July 2024"])

    def test_a_tie_is_told_as_one(self, visit: Visit) -> None:
        visit.open()
        answer = visit.ask(TIE)
        assert len(answer["answers"]) > 1
        expect(visit.page.locator("#value .tie")).to_contain_text(f"A tie: {len(answer['answers'])}")

    def test_yes_and_no(self, visit: Visit) -> None:
        visit.open()
        visit.ask(HOLDS)
        expect(visit.page.locator("#value")).to_have_text("Yes")

    def test_groups_are_bars(self, visit: Visit) -> None:
        visit.open()
        visit.ask(GROUPS)
        page = visit.page
        bars = page.locator("#chart-box svg.bars g")
        expect(bars.first).to_contain_text("United States")
        expect(bars).to_have_count(12)
        page.get_by_role("button", name="Show 8 more").click()
        expect(bars).to_have_count(20)
        chart = page.get_by_role("img", name="Bar chart")
        expect(chart).to_have_attribute("aria-label", re.compile("United States 4, .*Brazil 1"))
        visit.ask(MOST_OFTEN)
        expect(page.locator("#value")).to_have_text("United States")
        expect(page.locator("#chart-box g.is-marked")).to_contain_text("United States")

    def test_groups_of_a_long_table_are_made_of_all_its_rows(self, visit: Visit) -> None:
        visit.open()
        visit.opens("".join(parts(1200)), "parts.csv")
        answer = visit.ask(SHELVES)
        assert [step["kept_count"] for step in answer["program_steps"]] == [1200, 1200, 0]
        expect(visit.page.locator("#only")).to_be_hidden()

    def test_the_first_three_are_bars_in_order(self, visit: Visit) -> None:
        visit.open()
        visit.ask(TOP)
        labels = visit.page.locator("#chart-box .label")
        expect(labels).to_have_text(["Tokyo", "Rio de Janeiro", "Beijing"])

    def test_a_trend_is_a_line(self, visit: Visit) -> None:
        visit.open()
        visit.ask(TREND)
        expect(visit.page.get_by_role("img", name="Line chart")).to_be_visible()
        expect(visit.page.locator("#chart-box circle")).to_have_count(30)

    def test_saves_the_answer(self, visit: Visit) -> None:
        visit.open()
        visit.ask(GROUPS)
        with visit.page.expect_download() as download:
            visit.page.locator("#save-answer").click()
        assert download.value.suggested_filename == "How-many-games-per-country.csv"
        with Path(download.value.path()).open(encoding="utf-8", newline="") as file:
            lines = list(csv.reader(file))
        assert lines[:3] == [["country", "number of rows"], ["Greece", "2"], ["France", "3"]]
        assert len(lines) == 21

    def test_tells_what_else_it_may_mean(self, visit: Visit) -> None:
        visit.open()
        answer = visit.ask(COUNT)
        page = visit.page
        page.locator("#others-box summary").click()
        expect(page.locator("#others strong")).to_have_text(
            [other["answer"] for other in answer["alternatives"]]
        )
        expect(page.locator("#others li").first).to_contain_text(answer["alternatives"][0]["sentence"])


class TestWords:
    def test_say_what_they_were_taken_for(self, visit: Visit) -> None:
        visit.open()
        answer = visit.ask(COUNT)
        page = visit.page
        assert (page.locator("#asked").text_content() or "").startswith("How many")
        words = page.locator("#asked .understood")
        expect(words).to_have_count(len(answer["understood"]))
        page.locator("#asked .understood", has_text="France").hover()
        expect(page.locator("#word-meaning")).to_have_text("“in France” was taken for: country = France")
        page.locator("#question").hover()
        words.first.focus()
        expect(page.locator("#word-meaning")).to_contain_text("taken for")

    def test_unused_words_are_struck(self, visit: Visit) -> None:
        def with_unused(route: Route) -> None:
            answer = route.fetch().json()
            route.fulfill(json=answer | {"unused": ["games"], "unused_spans": [{"start": 9, "end": 14}]})

        visit.open()
        visit.page.route("**/api/ask", with_unused)
        visit.ask(COUNT)
        word = visit.page.locator("#asked .unused")
        word.focus()
        expect(visit.page.locator("#word-meaning")).to_have_text("“games” was not used")
        assert "line-through" in word.evaluate("word => getComputedStyle(word).textDecorationLine")


class TestRefusals:
    def test_says_when_the_table_has_none(self, visit: Visit) -> None:
        visit.open()
        answer = visit.ask(KING)
        assert answer["answer"] is None
        expect(visit.page.locator("#value")).to_have_text("No answer")
        expect(visit.page.locator("#sentence")).to_contain_text("does not seem to be about this table")
        expect(visit.page.locator("#program-box")).to_be_hidden()
        expect(visit.page.locator("td.answer")).to_have_count(0)
        expect(visit.page.locator("#nearest")).to_be_hidden()

    def test_shows_the_nearest_row(self, visit: Visit) -> None:
        visit.open("countries")
        answer = visit.ask("What is the phone number of Norway?")
        assert answer["nearest"]["row"] == 0
        page = visit.page
        expect(page.locator("#nearest")).to_contain_text("The nearest is row 1")
        expect(page.locator("#nearest .named dd")).to_have_text("Norway")
        expect(page.locator("#asked .understood")).to_contain_text("was taken for: Norway")
        expect(page.locator("#asked .unused")).to_contain_text("“phone” was not found in the table")
        expect(page.locator("#body tr.marked th")).to_contain_text("1")
        expect(page.locator("#head th.used")).to_contain_text("Country")
        expect(page.locator("#sheet-title")).to_have_text("countries.csv")


class TestConversation:
    def test_goes_back_to_what_was_asked(self, visit: Visit) -> None:
        visit.open()
        visit.ask(SYDNEY)
        visit.ask(COUNT)
        page = visit.page
        expect(page.locator("#questions .question")).to_have_text([COUNT, SYDNEY])
        expect(page.locator("#questions .brief")).to_have_text(["3", "2000"])
        asked = len(visit.requests)
        page.locator("#questions button").last.click()
        expect(page.locator("#value")).to_have_text("2000")
        expect(page.locator("#question")).to_have_value(SYDNEY)
        page.go_back()
        expect(page.locator("#value")).to_have_text("3")
        assert not any(url.endswith("api/ask") for url in visit.requests[asked:])

    def test_a_reload_keeps_uploads_questions_and_the_answer(self, visit: Visit) -> None:
        visit.open()
        visit.opens(CITIES)
        visit.ask("What is the country of Vienna?")
        visit.ask("Which city has the most people?")
        page = visit.page
        page.reload()
        expect(page.locator("#value")).to_have_text("Paris")
        expect(page.locator("td.answer")).to_have_text("Paris")
        expect(page.locator("#questions li")).to_have_count(2)
        page.go_back()
        expect(page.locator("#value")).to_have_text("Austria")
        page.locator("#forget-questions").click()
        expect(page.locator("#questions-box")).to_be_hidden()
        expect(page.locator("#answer-box")).to_be_hidden()

    def test_a_follow_up_leans_on_the_question_before(self, visit: Visit) -> None:
        sent = []

        def read(route: Route) -> None:
            sent.append(json.loads(route.request.post_data or "{}"))
            answer = route.fetch().json()
            route.fulfill(json=answer | {"read_as": "How many rows where country is Greece?"})

        visit.open()
        answer = visit.ask(COUNT)
        visit.page.route("**/api/ask", read)
        visit.ask("and in Greece?")
        before = {key: answer[key] for key in ("question", "program", "confidence")}
        assert sent[0]["after"] == before
        read_as = visit.page.locator("#read-as")
        expect(read_as).to_contain_text("Read as: How many rows where country is Greece?")
        visit.ask("and in Japan?")
        assert sent[1]["after"]["question"] == "How many rows where country is Greece?"
        with visit.page.expect_response("**/api/ask"):
            read_as.get_by_role("button", name="Ask it on its own").click()
        assert sent[2]["question"] == "and in Japan?"
        assert "after" not in sent[2]

    def test_after_a_refusal_a_follow_up_leans_on_the_likeliest_reading(self, visit: Visit) -> None:
        sent = []

        def refuse(route: Route) -> None:
            sent.append(json.loads(route.request.post_data or "{}"))
            answer = route.fetch().json()
            reading = {"answer": "9", "answers": ["9"], "sentence": "Counted the 9 rows."}
            reading |= {"program": "count(rows())", "probability": 0.25}
            route.fulfill(json=answer | {"program": None, "answer": None, "alternatives": [reading]})

        visit.open()
        visit.page.route("**/api/ask", refuse)
        visit.ask(COUNT)
        visit.ask("list them")
        assert sent[1]["after"] == {"question": COUNT, "program": "count(rows())", "confidence": 0.25}

    def test_another_table_starts_anew(self, visit: Visit) -> None:
        visit.open()
        visit.ask(COUNT)
        visit.page.select_option("#tables", label="countries.csv")
        expect(visit.page.locator("#sheet-title")).to_have_text("countries.csv")
        expect(visit.page.locator("#answer-box")).to_be_hidden()
        with visit.page.expect_request("**/api/ask") as request:
            visit.ask("the Capital")
        assert "after" not in json.loads(request.value.post_data or "{}")

    def test_lost_server(self, visit: Visit) -> None:
        visit.open()
        page = visit.page
        page.route("**/*", lambda route: route.abort())
        page.fill("#question", QUESTION)
        page.press("#question", "Enter")
        expect(page.get_by_role("alert")).to_contain_text("does not answer")
        page.unroute("**/*")
        page.get_by_role("button", name="Try again").click()
        expect(page.locator("#value")).to_have_text("London")
        expect(page.get_by_role("alert")).to_be_hidden()
        visit.forgive("ERR_FAILED")

    def test_asks_again_by_itself_when_the_server_is_back(self, visit: Visit) -> None:
        visit.open()
        page = visit.page
        page.route("**/api/ask", lambda route: route.abort())
        page.fill("#question", QUESTION)
        page.press("#question", "Enter")
        expect(page.get_by_role("alert")).to_contain_text("does not answer")
        page.fill("#question", "Which city")  # somebody begins the next one meanwhile
        page.unroute("**/api/ask")
        expect(page.locator("#value")).to_have_text("London")
        expect(page.locator("#question")).to_have_value("Which city")
        visit.forgive("ERR_FAILED")

    def test_question_without_words(self, visit: Visit) -> None:
        visit.open()
        visit.page.fill("#question", "   ")
        visit.page.press("#question", "Enter")
        expect(visit.page.locator("#question")).to_be_focused()
        assert not any(url.endswith("/api/ask") for url in visit.requests)
        visit.page.fill("#question", "?!")
        visit.page.press("#question", "Enter")
        expect(visit.page.get_by_role("alert")).to_be_visible()
        visit.forgive("status of 422")


class TestCorrections:
    @pytest.fixture
    def kept(self, corrections: Path) -> Path:
        corrections.unlink(missing_ok=True)
        return corrections

    def test_another_reading(self, visit: Visit, kept: Path) -> None:
        visit.open()
        answer = visit.ask(COUNT)
        page = visit.page
        page.locator("#wrong").click()
        expect(page.locator("#correction-send")).to_be_disabled()
        page.locator("#choices").get_by_text(answer["alternatives"][0]["sentence"]).click()
        page.locator("#correction-send").click()
        expect(page.locator("#thanks")).to_contain_text("corrections.jsonl (1 correction)")
        expect(page.locator("#thanks")).to_contain_text("enquirer learn olympics.csv corrections.jsonl --out")
        expect(page.locator("#thanks")).to_contain_text("Other answers stay as they are")
        assert answer["alternatives"][0]["program"] in json.loads(kept.read_text())["program"]

    def test_cells_and_rows_of_the_table(self, visit: Visit, kept: Path) -> None:
        visit.open()
        visit.ask(COUNT)
        page = visit.page
        page.locator("#wrong").click()
        page.get_by_text("Cells or rows that I pick").click()
        page.locator("#body tr:nth-child(2) th").click()
        expect(page.locator("#picked-told")).to_have_text("1 row picked.")
        visit.cell(1).click()
        visit.cell(2).click()
        visit.cell(2).click()
        expect(page.locator("#picked-told")).to_have_text("1 cell picked.")
        with page.expect_request("**/api/corrections") as request:
            page.locator("#correction-send").click()
        sent = json.loads(request.value.post_data or "{}")
        assert sent["cells"] == [{"table": "olympics", "row": 1, "field": "host_city"}]  # Paris in 1900
        expect(page.locator("#thanks")).to_be_visible()
        expect(page.locator("td.picked")).to_have_count(0)
        assert len(kept.read_text().splitlines()) == 1

    def test_typed_or_none(self, visit: Visit, kept: Path) -> None:
        visit.open()
        visit.ask(COUNT)
        page = visit.page
        page.locator("#wrong").click()
        page.fill("#typed", "four")
        page.locator("#correction-send").click()
        expect(page.locator("#thanks")).to_contain_text("1 correction")
        page.locator("#wrong").click()
        page.get_by_text("There is no answer in this table").click()
        page.locator("#correction-send").click()
        expect(page.locator("#thanks")).to_contain_text("2 corrections")
        assert len(kept.read_text().splitlines()) == 2
