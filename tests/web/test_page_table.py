"""The table on the page: the rows behind an answer, order, search, filters, widths, copies, files."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from page_visits import COUNT, KING, PATIENCE, QUESTION, TOP, Linking, Visit, is_in_sight, parts
from playwright.sync_api import Page, expect
from web_server import on_a_socket

from neural_enquirer import Enquirer
from neural_enquirer.engines.choosing import open_object
from neural_enquirer.web.server import create_app


class TestEvidence:
    def test_rows_that_count_come_first_and_marked(self, visit: Visit) -> None:
        visit.open()
        visit.ask(COUNT)
        page = visit.page
        assert visit.rows()[:6] == [1, 6, 29, 0, 2, 3]
        expect(page.locator("#body tr.marked")).to_have_count(3)
        expect(page.locator("#head th.used .name")).to_have_text(["country"])
        expect(page.locator("td.answer")).to_have_text(["France"] * 3)
        page.locator("#only").click()
        expect(page.locator("#rows-told")).to_have_text("3 of 30 rows")
        assert visit.rows() == [1, 6, 29]
        page.locator("#only").click()
        expect(page.locator("#rows-told")).to_have_text("")
        page.locator("#show-all").click()
        expect(page.locator("#only")).to_be_hidden()
        assert visit.rows()[:3] == [0, 1, 2]

    def test_steps_show_what_each_leaves(self, visit: Visit) -> None:
        visit.open()
        answer = visit.ask(QUESTION)
        page = visit.page
        steps = page.locator("#program .panel")
        expect(steps).to_have_count(len(answer["program_steps"]))
        moscow = page.locator("#program .panel", has_text="Moscow").first
        moscow.hover()
        expect(page.locator("#body tr.marked td[aria-colindex='3']")).to_have_text("Moscow")
        page.locator("#question").hover()
        expect(page.locator("#body tr.marked td[aria-colindex='3']")).to_have_text("London")
        moscow.click()
        expect(moscow).to_have_attribute("aria-current", "step")
        expect(page.locator("#body tr").nth(1)).to_contain_text("Moscow")
        page.locator("#step-next").click()
        before = answer["program_steps"][2]
        expect(page.locator("#only")).to_have_text(f"Only these {before['rows']} rows")
        expect(page.locator("#spoken")).to_have_text(before["step"])

    def test_compared_fields_are_in_sight(self, visit: Visit, settings: dict[str, Any]) -> None:
        visit.page.set_viewport_size({"width": 900, "height": 700})
        visit.open()
        visit.ask(TOP)
        assert is_in_sight(visit.page, "td.answer")
        expect(visit.page.locator("#head th.used .name")).to_have_text("athletes")

    def test_more_rows_than_the_answer_lists(self, visit: Visit) -> None:
        visit.open()
        visit.opens("".join(parts(10_000)), "parts.csv")
        answer = visit.ask("How many parts are on shelf 3?")
        assert answer["answers"] == ["1429"]
        page = visit.page
        page.locator("#scroller").evaluate("scroller => scroller.scrollTo(0, 1420 * 34)")
        expect(page.locator("#body").get_by_text("part 9999", exact=True)).to_be_visible()
        expect(page.locator("#body tr.marked", has_text="part 9999")).to_have_count(1)
        expect(page.locator("#body tr:not(.marked):not(.spacer)").first).to_contain_text("part 0")


class TestRows:
    def test_sorts_by_a_header(self, visit: Visit) -> None:
        visit.open()
        page = visit.page
        visit.header("athletes").click()
        expect(page.locator("#head th[aria-sort=ascending] .name")).to_have_text("athletes")
        expect(visit.cell(7)).to_have_text("241")
        visit.header("athletes").click()
        expect(visit.cell(7)).to_have_text("11,420")
        assert visit.rows()[0] == 28
        visit.header("athletes").click()
        expect(page.locator("#head th[aria-sort]")).to_have_count(0)
        expect(visit.cell(7)).to_have_text("241")
        assert visit.rows()[:2] == [0, 1]

    def test_searches_and_filters(self, visit: Visit) -> None:
        visit.open("countries")
        page = visit.page
        page.fill("#search", "reykjavik")
        expect(page.locator("#rows-told")).to_have_text("1 of 16 rows")
        assert visit.column(1) == ["Reykjavík"]
        page.fill("#search", "")
        expect(page.locator("#rows-told")).to_have_text("")
        page.locator("#head .more").nth(2).click()
        page.get_by_label("Has the words").fill("africa")
        expect(page.locator("#rows-told")).to_have_text("4 of 16 rows")
        page.keyboard.press("Enter")
        page.locator("#head .more").nth(4).click()
        page.get_by_label("From").fill("1,000,000")
        expect(page.locator("#rows-told")).to_have_text("2 of 16 rows")
        assert sorted(visit.column(0)) == ["Egypt", "South Africa"]
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Take away: Continent has “africa”").click()
        expect(page.locator("#narrowed li")).to_have_count(1)
        page.locator("#show-all").click()
        expect(page.locator("#narrowed li")).to_have_count(0)

    def test_says_when_no_row_has_that_or_a_filter_is_none(self, visit: Visit) -> None:
        visit.open()
        page = visit.page
        page.fill("#search", "atlantis")
        expect(page.locator("#rows-told")).to_have_text("No row has that.")
        expect(page.locator("#body th")).to_have_count(0)
        page.fill("#search", "")
        page.locator("#head .more").nth(7).click()
        page.get_by_label("From").fill("many")
        expect(page.get_by_role("alert")).to_contain_text("athletes")
        visit.forgive("status of 422")

    def test_tells_of_a_field(self, visit: Visit) -> None:
        visit.open("shop")
        page = visit.page
        assert visit.header("price").get_attribute("title") == "price · numbers in €"
        visit.header("price").focus()
        page.keyboard.press("ArrowDown")
        expect(page.locator("#column-menu .facts")).to_contain_text("amounts of money in €")
        expect(page.locator("#column-menu .facts")).to_contain_text("13 distinct values")

    def test_resizes(self, visit: Visit) -> None:
        visit.open()
        page = visit.page
        header = page.locator("#head th").nth(2)
        before = header.bounding_box()
        grip = header.locator(".grip").bounding_box()
        assert before is not None
        assert grip is not None
        page.mouse.move(grip["x"] + 4, grip["y"] + 4)
        page.mouse.down()
        page.mouse.move(grip["x"] + 84, grip["y"] + 4, steps=4)
        page.mouse.up()
        after = header.bounding_box()
        assert after is not None
        assert after["width"] > before["width"] + 40
        page.locator("#head .more").nth(1).click()
        page.get_by_role("button", name="Narrower").click()
        narrower = header.bounding_box()
        assert narrower is not None
        assert narrower["width"] < after["width"]

    def test_copies_rows(self, visit: Visit) -> None:
        visit.open()
        page = visit.page
        page.locator("#body th").nth(1).click()
        page.locator("#body th").nth(3).click(modifiers=["Shift"])
        expect(page.locator("#copy")).to_have_text("Copy 3 rows")
        page.locator("#copy").click()
        expect(page.locator("#spoken")).to_have_text("Copied")
        lines = [line.split("\t") for line in page.evaluate("navigator.clipboard.readText()").split("\n")]
        assert [line[:2] for line in lines] == [
            ["year", "host_city"],
            ["1900", "Paris"],
            ["1904", "St. Louis"],
            ["1908", "London"],
        ]

    def test_saves_the_rows_shown(self, visit: Visit) -> None:
        visit.open()
        visit.ask(COUNT)
        page = visit.page
        page.locator("#only").click()
        expect(page.locator("#rows-told")).to_have_text("3 of 30 rows")
        with page.expect_download() as download:
            page.locator("#export").click()
        assert download.value.suggested_filename == "olympics.csv"
        with Path(download.value.path()).open(encoding="utf-8", newline="") as file:
            lines = list(csv.reader(file))
        assert [line[0] for line in lines] == ["year", "1900", "1924", "2024"]

    def test_a_hundred_thousand_rows_are_smooth(self, visit: Visit) -> None:
        visit.open()
        visit.opens("".join(parts(100_000)), "parts.csv")
        page = visit.page
        slowest = page.evaluate(
            """async () => {
                const scroller = document.querySelector("#scroller");
                let slowest = 0;
                for (let step = 1; step <= 30; step++) {
                    scroller.scrollTop = step * 113_000;
                    const before = performance.now();
                    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
                    slowest = Math.max(slowest, performance.now() - before);
                }
                return slowest;
            }"""
        )
        assert slowest < 3000  # tens of milliseconds where nothing else runs
        page.locator("#table").press("End")
        expect(page.locator("#body").get_by_text("part 99999", exact=True)).to_be_visible()
        assert page.locator("#body tr").count() < 100
        visit.header("weight").click()
        visit.header("weight").click()
        expect(visit.cell(1)).to_have_text("1008")


class TestLostServer:
    def test_says_so_where_rows_do_not_come(self, visit: Visit) -> None:
        visit.open()
        visit.opens("".join(parts(2_000)), "parts.csv")
        page = visit.page
        page.route("**/api/tables/**", lambda route: route.abort())
        page.locator("#table").press("End")
        expect(page.get_by_role("alert")).to_contain_text("does not answer")
        page.unroute("**/api/tables/**")
        page.get_by_role("button", name="Try again").click()
        expect(page.locator("#body").get_by_text("part 1999", exact=True)).to_be_visible()
        expect(page.get_by_role("alert")).to_be_hidden()
        visit.forgive("ERR_FAILED")


class TestEngine:
    """A table that only an engine has."""

    QUESTION = "How many have the letter b?"

    @pytest.fixture
    def address(self) -> Iterator[str]:
        rows = "SELECT range AS n, chr(97 + (range % 3)::INT) AS letter FROM range(30000)"
        programs = {self.QUESTION: "count(rows(letter = b))"}
        with duckdb.connect() as connection:
            table = open_object(connection.sql(rows), "many")
            with on_a_socket(create_app(Enquirer(Linking(programs)), [table])) as port:
                yield f"http://127.0.0.1:{port}"

    def test_shows_the_rows_that_count_where_they_are(self, visit: Visit) -> None:
        visit.open("many")
        page = visit.page
        expect(page.locator("#sheet-size")).to_contain_text("30,000 rows")
        answer = visit.ask(self.QUESTION)
        assert answer["answer"] == "10,000"
        expect(page.locator("#rows-told")).to_have_text("10,000 of 30,000 rows")
        assert set(visit.column(1)) == {"b"}
        expect(page.locator("#only")).to_be_hidden()
        page.locator("#show-all").click()
        expect(visit.cell(1)).to_have_text("a")
        page.fill("#search", "29999")
        expect(page.locator("#rows-told")).to_have_text("1 of 30,000 rows")


class TestPaperView:
    @staticmethod
    def open(visit: Visit, question: str) -> dict[str, Any]:
        visit.open()
        visit.ask(question)
        with visit.page.expect_response("**/api/ask") as response:
            visit.page.locator("#paper-box summary").click()
        expect(visit.page.locator("#panels li.current strong")).to_have_text("Answer")
        answer: dict[str, Any] = response.value.json()
        return answer

    @staticmethod
    def check_shown(page: Page, step: dict[str, Any]) -> None:
        """The table shows what the server said of an executor: the weights of fields, the marks of rows."""
        expect(page.locator("#panels li.current strong")).to_have_text(f"Step {step['executor']}")
        weights = page.locator("#head th:not(.corner)").evaluate_all(
            "headers => headers.map(header => [header.querySelector('.name').textContent,"
            " Number(header.style.getPropertyValue('--weight'))])"
        )
        assert dict(weights) == step["fields"]
        marks = page.locator("#body tr:not(.spacer)").evaluate_all(
            "rows => rows.map(row => [row.ariaRowIndex - 2, Number(row.style.getPropertyValue('--mark')),"
            " row.classList.contains('marked')])"
        )
        assert len(marks) >= 20
        assert marks == [[row, step["rows"][row], step["rows"][row] >= 0.5] for row, _, _ in marks]

    def test_slider(self, visit: Visit) -> None:
        answer = self.open(visit, QUESTION)
        page = visit.page
        slider = page.get_by_role("slider", name="Step")
        executors = len(answer["steps"])
        expect(slider).to_have_attribute("max", str(executors + 1))
        expect(slider).to_have_value(str(executors + 1))
        expect(page.locator("#panels > li")).to_have_count(executors + 1)
        expect(page.locator("#panels li.current .distribution li").first).to_contain_text("London")
        for step in answer["steps"]:
            slider.fill(str(step["executor"]))
            self.check_shown(page, step)
            told = slider.get_attribute("aria-valuetext") or ""
            assert told.startswith(f"Step {step['executor']}: ")
        page.locator("#paper-box summary").click()
        expect(page.locator("#body tr.marked")).to_have_count(1)
        expect(page.locator("#head.weighed")).to_have_count(0)

    def test_arrow_keys(self, visit: Visit) -> None:
        answer = self.open(visit, QUESTION)
        page = visit.page
        last = len(answer["steps"]) + 1
        slider = page.locator("#slider")
        page.press("#question", "ArrowLeft")  # moves the cursor, nothing else
        expect(slider).to_have_value(str(last))
        page.locator("#place button").focus()
        page.keyboard.press("ArrowLeft")
        self.check_shown(page, answer["steps"][-1])
        expect(page.locator("#spoken")).to_contain_text(f"Step {last - 1}: ")
        slider.focus()
        page.keyboard.press("Home")
        self.check_shown(page, answer["steps"][0])
        page.keyboard.press("End")
        expect(page.locator("#panels li.current strong")).to_have_text("Answer")

    def test_panels_and_rows(self, visit: Visit) -> None:
        answer = self.open(visit, QUESTION)
        page = visit.page
        page.locator("#panels .panel").first.click()
        self.check_shown(page, answer["steps"][0])
        expect(page.locator("#back")).to_be_disabled()
        page.locator("#next").click()
        self.check_shown(page, answer["steps"][1])
        page.locator("#panels li.current .jump").last.click()
        row = page.locator("#panels li.current .jump").last.inner_text()
        assert is_in_sight(page, f"tr[aria-rowindex='{int(row) + 1}'] th")

    def test_of_a_refusal(self, visit: Visit) -> None:
        self.open(visit, KING)
        visit.page.locator("#slider").fill("1")
        expect(visit.page.locator("#head.weighed")).to_have_count(1)

    @pytest.mark.parametrize(("kind", "magic"), [("png", b"\x89PNG"), ("svg", b"<?xml")])
    def test_downloads_the_figure(self, visit: Visit, kind: str, magic: bytes) -> None:
        self.open(visit, QUESTION)
        with visit.page.expect_download(timeout=2 * PATIENCE) as download:  # the first one starts matplotlib
            visit.page.locator(f"#{kind}").click()
        assert download.value.suggested_filename.endswith(f".{kind}")
        assert Path(download.value.path()).read_bytes().startswith(magic)
