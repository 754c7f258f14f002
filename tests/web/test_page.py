"""Drives the real page, served by the real server with answers given by hand, in a real Chromium."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest

pytest.importorskip("fastapi", reason="the page's server needs the extra [web]")
from playwright.sync_api import Browser, ConsoleMessage, FilePayload, Page, Request, expect
from web_server import on_a_socket

from benchmarks.browser import chromium, find_chromium
from fake_predictor import FakePredictor
from neural_enquirer import Enquirer
from neural_enquirer.web.server import create_app

pytestmark = pytest.mark.skipif(
    find_chromium() is None,
    reason="no chromium, chromium-browser or google-chrome on PATH; install one to test the page",
)

EXAMPLES = Path(__file__).parents[2] / "examples"
QUESTION = "Which city hosted the longest game before the game in Moscow?"
COUNT = "How many games were in France?"
KING = "Who is the king of the moon?"
PROGRAMS = {
    QUESTION: "cells(host_city, largest(duration_days, before(rows(host_city = Moscow))))",
    COUNT: "count(rows(country = France))",
    KING: "not_about_this_table",
    "Which year were the games in Sydney?": "cells(year, rows(host_city = Sydney))",
    "What is the country of Vienna?": "cells(country, rows(city = Vienna))",
    "What is the weight of part 777?": 'cells(weight, rows(part = "part 777"))',
}
CITIES = "city,country,people\nOslo,Norway,709037\nParis,France,2102650\nVienna,Austria,1982097\n"


@dataclass
class Visit:
    """A fresh page, and what must not happen on it."""

    page: Page
    address: str
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", self._follow)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.errors.append(message.text)

    def _follow(self, request: Request) -> None:
        self.requests.append(request.url)

    def open(self, table: str = "olympics", question: str | None = None) -> None:
        wanted = {"table": table} | ({"question": question} if question else {})
        self.page.goto(f"{self.address}/#{urlencode(wanted)}")
        expect(self.page.locator("#table tbody th").first).to_be_visible()

    def upload(self, content: str | bytes, name: str = "mine.csv") -> None:
        data = content.encode() if isinstance(content, str) else content
        self.page.set_input_files("#file", FilePayload(name=name, mimeType="text/csv", buffer=data))

    def opens(self, content: str, name: str = "mine.csv") -> None:
        self.upload(content, name)
        expect(self.page.locator("#sheet-title")).to_have_text(name)

    def ask(self, question: str) -> dict[str, Any]:
        """Types a question and asks it with the Enter key; returns what the server answered."""
        self.page.fill("#question", question)
        with self.page.expect_response("**/api/ask") as response:
            self.page.press("#question", "Enter")
        answer: dict[str, Any] = response.value.json()
        expect(self.page.locator("#asked")).to_have_text(question)
        return answer

    def forgive(self, *parts: str) -> None:
        """Takes out what the browser itself says about a request that a test made fail."""
        self.errors[:] = [text for text in self.errors if not any(part in text for part in parts)]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with on_a_socket(create_app(Enquirer(FakePredictor(PROGRAMS)), [])) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def settings() -> dict[str, Any]:
    """Of the browser's window; tests of small or dark ones have their own."""
    return {"viewport": {"width": 1280, "height": 800}}


@pytest.fixture
def visit(browser: Browser, address: str, settings: dict[str, Any]) -> Iterator[Visit]:
    context = browser.new_context(reduced_motion="reduce", accept_downloads=True, **settings)
    context.set_default_timeout(10_000)
    visit = Visit(context.new_page(), address)
    yield visit
    context.close()
    assert visit.errors == []
    local = urlsplit(address).netloc
    assert {urlsplit(url).netloc for url in visit.requests if not url.startswith(("blob:", "data:"))} == {
        local
    }


def is_in_sight(page: Page, selector: str) -> bool:
    """Whether an element of the table is in the part of it that is shown, clear of the headers."""
    return bool(
        page.evaluate(
            """(selector) => {
                const cell = document.querySelector(selector).getBoundingClientRect();
                const frame = document.querySelector("#scroller").getBoundingClientRect();
                const head = document.querySelector("#head").getBoundingClientRect();
                return cell.top >= head.bottom - 1 && cell.bottom <= frame.bottom + 1
                    && cell.left >= frame.left - 1 && cell.right <= frame.right + 1;
            }""",
            selector,
        )
    )


class TestTables:
    def test_starts_with_a_table_and_questions_to_try(self, visit: Visit) -> None:
        page = visit.page
        page.goto(visit.address)
        expect(page.locator("#table thead th[scope=col]").nth(1)).to_be_visible()
        expect(page.locator("#table tbody th[scope=row]").first).to_contain_text("1")
        page.locator("#examples button").first.click()
        expect(page.locator("#value")).not_to_be_empty()
        expect(page.locator("#answer-title")).to_be_focused()

    def test_shows_the_chosen_table(self, visit: Visit) -> None:
        page = visit.page
        page.goto(visit.address)
        page.select_option("#tables", label="olympics.csv")
        expect(page.locator("#sheet-title")).to_have_text("olympics.csv")
        expect(page.locator("#table")).to_have_attribute("aria-rowcount", "31")
        expect(page.get_by_role("columnheader", name="host_city")).to_be_visible()

    def test_drops_a_file(self, visit: Visit) -> None:
        visit.open()
        page = visit.page
        files = page.evaluate_handle(
            """(text) => {
                const transfer = new DataTransfer();
                transfer.items.add(new File([text], "dropped.csv", { type: "text/csv" }));
                return transfer;
            }""",
            CITIES,
        )
        page.dispatch_event("body", "dragenter", {"dataTransfer": files})
        expect(page.locator("#veil")).to_be_visible()
        page.dispatch_event("body", "drop", {"dataTransfer": files})
        expect(page.locator("#sheet-title")).to_have_text("dropped.csv")
        expect(page.locator("#veil")).to_be_hidden()
        expect(page.locator("#question")).to_be_focused()

    def test_says_when_a_file_is_too_large(self, visit: Visit, tmp_path: Path) -> None:
        visit.open()
        large = tmp_path / "large.csv"
        large.write_text("number\n" + "12345678\n" * 3_000_000)
        visit.page.set_input_files("#file", large)
        expect(visit.page.get_by_role("alert")).to_contain_text("too large")
        expect(visit.page.locator("#sheet-title")).to_have_text("olympics.csv")
        visit.forgive("status of 413", "ERR_CONNECTION")

    @pytest.mark.parametrize("content", [b"", b"\x00\xff\xfe" * 50, b"only,headers\n"])
    def test_says_when_a_file_is_no_table(self, visit: Visit, content: bytes) -> None:
        visit.open()
        visit.upload(content, "odd.csv")
        expect(visit.page.get_by_role("alert")).to_contain_text("odd")
        visit.forgive("status of 422")
        visit.opens(CITIES)
        expect(visit.page.get_by_role("alert")).to_be_hidden()

    def test_says_how_a_file_was_understood(self, visit: Visit) -> None:
        visit.open()
        visit.opens("city,city\nOslo,Norway\n", "twice.csv")
        expect(visit.page.get_by_role("alert")).to_contain_text("city")
        visit.page.get_by_role("button", name="Close this message").click()
        expect(visit.page.get_by_role("alert")).to_be_hidden()

    def test_never_reads_cells_as_html(self, visit: Visit) -> None:
        hostile = [
            "<script>window.harmed = 1</script>",
            "<img src=x onerror=window.harmed=1>",
            "<style>body{display:none}</style>",
            "javascript:alert(1)",
        ]
        rows = "".join(f'"{cell}","{cell} two",{number}\n' for number, cell in enumerate(hostile, 1))
        visit.open()
        visit.opens(f'"<b>name</b>","<i onclick=alert(1)>more</i>",size\n{rows}', "<b>bad<b>.csv")
        page = visit.page
        visit.ask("Which <b>name</b> has the largest size?<script>window.harmed = 1</script>")
        page.locator("#slider").fill("1")
        for cell in hostile:
            expect(page.locator("#table").get_by_text(cell, exact=True)).to_have_count(1)
        expect(page.locator("#table thead")).to_contain_text("<b>name</b>")
        assert page.locator("td *, main :is(script, style, img, .name *, h2 *)").count() == 0
        assert page.evaluate("window.harmed") is None

    def test_a_thousand_rows(self, visit: Visit) -> None:
        rows = "".join(f"part {number},{(number * 37) % 1009},{number % 7}\n" for number in range(1000))
        visit.open()
        visit.opens(f"part,weight,shelf\n{rows}", "parts.csv")
        page = visit.page
        answer = visit.ask("What is the weight of part 777?")
        assert (answer["answer"], answer["row"]) == (str(777 * 37 % 1009), 777)
        expect(page.locator("td.answer")).to_have_text(str(777 * 37 % 1009))
        assert is_in_sight(page, "td.answer")
        assert page.locator("#table tbody tr").count() < 100
        page.locator("#scroller").press("End")
        expect(page.locator("#table tbody").get_by_text("part 999", exact=True)).to_be_visible()
        page.locator("#scroller").press("Home")
        expect(page.locator("#table tbody").get_by_text("part 0", exact=True)).to_be_visible()

    def test_hundreds_of_fields(self, visit: Visit) -> None:
        names = [f"field {field}" for field in range(300)]
        rows = [[f"cell {row} {field}" for field in range(300)] for row in range(5)]
        visit.open()
        visit.opens("\n".join(",".join(line) for line in [names, *rows]), "broad.csv")
        page = visit.page
        page.locator("#scroller").evaluate("scroller => scroller.scrollTo(1e9, 0)")
        last = page.locator("#table tbody").get_by_text("cell 3 299", exact=True)
        expect(last).to_be_visible()
        header = page.get_by_role("columnheader", name="field 299")
        boxes = [found.bounding_box() for found in (last, header)]
        assert boxes[0] is not None
        assert boxes[1] is not None
        assert boxes[0]["x"] == pytest.approx(boxes[1]["x"], abs=1)
        assert page.locator("#table tbody td").count() < 5 * 100


class TestAnswer:
    def test_lights_up_the_cell(self, visit: Visit) -> None:
        visit.open()
        visit.opens(CITIES)
        page = visit.page
        answer = visit.ask("What is the country of Vienna?")
        assert (answer["answer"], answer["row"], answer["field"]) == ("Austria", 2, "country")
        expect(page.locator("#value")).to_have_text("Austria")
        expect(page.locator("#place")).to_have_text("country · row 3")
        expect(page.locator("#sure")).to_contain_text(re.compile("^(fairly sure|sure|unsure) · "))
        cell = page.locator("td.answer")
        expect(cell).to_have_text("Austria")
        assert cell.evaluate("cell => [cell.cellIndex, cell.parentElement.ariaRowIndex]") == [2, "4"]
        assert is_in_sight(page, "td.answer")
        expect(page.locator("#sentence")).to_have_text(
            "In the only row where city is Vienna, country is Austria."
        )
        expect(page.locator("#spoken")).to_contain_text("Austria. In the only row where city is Vienna")
        expect(page.locator("#link")).to_be_hidden()  # nobody else has this table

    def test_a_count_shows_its_sql_and_all_of_its_cells(self, visit: Visit) -> None:
        visit.open()
        answer = visit.ask(COUNT)
        page = visit.page
        expect(page.locator("#value")).to_have_text(answer["answer"])
        expect(page.locator("#place")).to_have_text(f"{answer['cells_count']} cells")
        page.locator("#program-box summary").click()
        expect(page.locator("#sql")).to_have_text(answer["sql"])
        expect(page.locator("#program li")).to_have_count(3)
        shown = {
            int(row)
            for row in page.locator("tr:has(td.answer)").evaluate_all(
                "rows => rows.map(row => row.ariaRowIndex - 2)"
            )
        }
        assert shown
        assert shown <= {cell["row"] for cell in answer["cells"]}
        expect(page.locator("#others-box")).to_be_hidden()

    def test_says_when_the_table_has_none(self, visit: Visit) -> None:
        visit.open()
        answer = visit.ask(KING)
        assert answer["answer"] is None
        expect(visit.page.locator("#value")).to_have_text("No answer")
        expect(visit.page.locator("#sentence")).to_contain_text("does not seem to be about this table")
        expect(visit.page.locator("#program-box")).to_be_hidden()
        expect(visit.page.locator("td.answer")).to_have_count(0)
        expect(visit.page.locator("#spoken")).to_contain_text("No answer")
        visit.page.locator("#slider").fill("1")
        expect(visit.page.locator("#head")).to_have_class(re.compile("weighed"))

    def test_runners_up_point_at_their_cells(self, visit: Visit) -> None:
        visit.open()
        answer = visit.ask("the host_city")
        page = visit.page
        if page.locator("#others-box").get_attribute("open") is None:
            page.locator("#others-box summary").click()
        second = next(other for other in answer["ranked"][1:] if other["row"] is not None)
        page.locator("#others button").first.focus()
        expect(page.locator("td.pointed")).to_have_text(second["answer"])
        assert is_in_sight(page, "td.pointed")
        page.locator("#question").focus()
        expect(page.locator("td.pointed")).to_have_count(0)
        page.locator("#others button").first.hover()
        expect(page.locator("td.pointed")).to_have_count(1)

    def test_link_reproduces_the_question(self, visit: Visit) -> None:
        page = visit.page
        visit.open(question=QUESTION)
        expect(page.locator("#question")).to_have_value(QUESTION)
        expect(page.locator("#value")).to_have_text("London")
        visit.ask("Which year were the games in Sydney?")
        expect(page.locator("#value")).to_have_text("2000")
        page.go_back()
        expect(page.locator("#value")).to_have_text("London")
        link = page.locator("#link").get_attribute("href")
        assert link == f"#{urlencode({'table': 'olympics', 'question': QUESTION})}"

    def test_unknown_table_in_a_link(self, visit: Visit) -> None:
        visit.page.goto(f"{visit.address}/#table=nowhere&question=what")
        expect(visit.page.get_by_role("alert")).to_contain_text("nowhere")

    @pytest.mark.parametrize(("kind", "magic"), [("png", b"\x89PNG"), ("svg", b"<?xml")])
    def test_downloads_the_figure(self, visit: Visit, kind: str, magic: bytes) -> None:
        visit.open(question=QUESTION)
        with visit.page.expect_download() as download:
            visit.page.locator(f"#{kind}").click()
        assert download.value.suggested_filename.endswith(f".{kind}")
        assert Path(download.value.path()).read_bytes().startswith(magic)

    def test_lost_server(self, visit: Visit) -> None:
        visit.open()
        page = visit.page
        page.route("**/api/ask", lambda route: route.abort())
        page.fill("#question", QUESTION)
        page.press("#question", "Enter")
        expect(page.get_by_role("alert")).to_contain_text("does not answer")
        visit.forgive("ERR_FAILED")
        page.unroute("**/api/ask")
        page.get_by_role("button", name="Try again").click()
        expect(page.locator("#value")).to_have_text("London")
        expect(page.get_by_role("alert")).to_be_hidden()

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


class TestSteps:
    @staticmethod
    def check_shown(page: Page, step: dict[str, Any]) -> None:
        """The table shows what the server said of an executor: the weights of fields, the marks of rows."""
        expect(page.locator("#panels li.current strong")).to_have_text(f"Step {step['executor']}")
        weights = page.locator("#head th:not(.corner)").evaluate_all(
            "headers => headers.map(header => [header.querySelector('.name').textContent,"
            " Number(header.style.getPropertyValue('--weight'))])"
        )
        assert dict(weights) == step["fields"]
        marks = page.locator("#table tbody tr:not(.spacer)").evaluate_all(
            "rows => rows.map(row => [row.ariaRowIndex - 2, Number(row.style.getPropertyValue('--mark')),"
            " row.classList.contains('marked')])"
        )
        assert len(marks) >= 20
        assert marks == [[row, step["rows"][row], step["rows"][row] >= 0.5] for row, _, _ in marks]

    def test_slider(self, visit: Visit) -> None:
        visit.open()
        answer = visit.ask(QUESTION)
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

    def test_arrow_keys(self, visit: Visit) -> None:
        visit.open()
        answer = visit.ask(QUESTION)
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
        page.keyboard.press("ArrowLeft")
        self.check_shown(page, answer["steps"][-2])
        page.keyboard.press("Home")
        self.check_shown(page, answer["steps"][0])
        page.keyboard.press("End")
        expect(page.locator("#panels li.current strong")).to_have_text("Answer")

    def test_panels_and_rows(self, visit: Visit) -> None:
        visit.open()
        answer = visit.ask(QUESTION)
        page = visit.page
        page.locator("#panels .panel").first.click()
        self.check_shown(page, answer["steps"][0])
        expect(page.locator("#back")).to_be_disabled()
        page.locator("#next").click()
        self.check_shown(page, answer["steps"][1])
        page.locator("#panels li.current .jump").last.click()
        row = page.locator("#panels li.current .jump").last.inner_text()
        assert is_in_sight(page, f"tr[aria-rowindex='{int(row) + 1}'] th")


def has_sideways_scroll(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth > window.innerWidth"))


class TestNarrowScreen:
    @pytest.fixture
    def settings(self) -> dict[str, Any]:
        return {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}

    def test_nothing_sticks_out(self, visit: Visit) -> None:
        page = visit.page
        visit.open()
        assert not has_sideways_scroll(page)
        visit.ask(QUESTION)
        assert not has_sideways_scroll(page)
        expect(page.locator("#answer-title")).to_be_focused()  # so that the keyboard leaves the screen
        page.locator("#slider").fill("1")
        assert not has_sideways_scroll(page)
        header = page.locator("#head th.read").bounding_box()  # in sight, although the table is wider
        assert header is not None
        assert header["x"] >= 0
        assert header["x"] + header["width"] <= 320
        long_word = "x" * 300
        visit.opens(f"{long_word},b\n{long_word},1\nc,2\n", f"{long_word[:80]}.csv")
        visit.ask("What is the b of c?")
        visit.ask(f"What is the b of {long_word}?")
        assert not has_sideways_scroll(page)


class TestKeyboardOnly:
    @staticmethod
    def tab_to(page: Page, selector: str, most: int = 40) -> None:
        for _ in range(most):
            page.keyboard.press("Tab")
            if page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
        raise AssertionError(f"the Tab key does not reach {selector}")

    def test_all_can_be_reached(self, visit: Visit) -> None:
        visit.open()
        page = visit.page
        page.keyboard.press("Tab")
        expect(page.locator(".skip")).to_be_focused()
        with page.expect_file_chooser() as chooser:
            self.tab_to(page, "#open")
            page.keyboard.press("Enter")
        chooser.value.set_files(FilePayload(name="cities.csv", mimeType="text/csv", buffer=CITIES.encode()))
        expect(page.locator("#question")).to_be_focused()
        page.keyboard.type("What is the country of Vienna?")
        page.keyboard.press("Enter")
        expect(page.locator("#value")).to_have_text("Austria")
        expect(page.locator("#question")).to_be_focused()
        self.tab_to(page, "#program-box summary")
        self.tab_to(page, "#slider")
        page.keyboard.press("ArrowLeft")
        expect(page.locator("#panels li.current strong")).not_to_have_text("Answer")
        self.tab_to(page, "#panels .panel")
        page.keyboard.press("Enter")
        expect(page.locator("#panels .panel").first).to_have_attribute("aria-current", "step")
        self.tab_to(page, "#scroller")

    def test_focus_can_be_seen(self, visit: Visit) -> None:
        visit.open(question=QUESTION)
        page = visit.page
        expect(page.locator("#value")).to_have_text("London")
        unseen = []
        for _ in range(30):
            page.keyboard.press("Tab")
            seen = page.evaluate(
                """() => {
                    const focused = document.activeElement;
                    const { outlineStyle, outlineWidth } = getComputedStyle(focused);
                    const has = outlineStyle !== "none" && parseFloat(outlineWidth) >= 1;
                    return has || focused === document.body ? null : focused.outerHTML.slice(0, 80);
                }"""
            )
            if seen:
                unseen.append(seen)
        assert unseen == []


# The least contrast of any text with what is behind it, as WCAG 2.1 counts it; large letters may have less.
LOW_CONTRAST = """() => {
    const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    const rgba = (colour) => {
        context.clearRect(0, 0, 1, 1);
        context.fillStyle = colour;
        context.fillRect(0, 0, 1, 1);
        return [...context.getImageData(0, 0, 1, 1).data];
    };
    const luminance = ([r, g, b]) => [r, g, b]
        .map((part) => part / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
        .reduce((sum, part, place) => sum + part * [0.2126, 0.7152, 0.0722][place], 0);
    const behind = (element) => {
        for (let place = element; place; place = place.parentElement) {
            const colour = rgba(getComputedStyle(place).backgroundColor);
            if (colour[3] === 255) return colour;
        }
        return rgba("white");
    };
    const low = [];
    for (const element of document.querySelectorAll("body *")) {
        const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
        const style = getComputedStyle(element);
        if (!hasText || !element.checkVisibility() || element.disabled) continue;
        if (element.closest(".hidden, .skip")) continue;
        const backdrop = element.closest(".full .weight b")
            ? rgba(getComputedStyle(element.previousSibling).backgroundColor) : behind(element);
        const [dark, light] = [luminance(rgba(style.color)), luminance(backdrop)].sort((a, b) => a - b);
        const isLarge = parseFloat(style.fontSize) >= 24;
        const contrast = (light + 0.05) / (dark + 0.05);
        if (contrast < (isLarge ? 3 : 4.5)) low.push([element.className, element.textContent, contrast]);
    }
    return low;
}"""


class TestColours:
    @pytest.fixture(params=["light", "dark"])
    def settings(self, request: pytest.FixtureRequest) -> dict[str, Any]:
        return {"viewport": {"width": 1280, "height": 1000}, "color_scheme": request.param}

    def test_mode_and_contrast(self, visit: Visit, settings: dict[str, Any]) -> None:
        visit.open()
        page = visit.page
        background = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        brightness = sum(map(int, re.findall(r"\d+", background)[:3])) / 3
        assert (brightness < 60) == (settings["color_scheme"] == "dark")
        assert page.evaluate(LOW_CONTRAST) == []
        answer = visit.ask(QUESTION)
        assert page.evaluate(LOW_CONTRAST) == []
        for step in answer["steps"]:
            page.locator("#slider").fill(str(step["executor"]))
            assert page.evaluate(LOW_CONTRAST) == []


def test_only_its_own_server_may_be_asked(visit: Visit) -> None:
    response = visit.page.goto(visit.address)
    assert response is not None
    policy = response.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    visit.open(question=QUESTION)
    assert {json.dumps(url)[1:].startswith(visit.address) for url in visit.requests} == {True}
