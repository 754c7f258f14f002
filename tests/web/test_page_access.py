"""The page for everybody: keys alone, screen readers, small screens, light and dark."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from page_visits import (
    CITIES,
    COUNT,
    GROUPS,
    QUESTION,
    SPENT,
    TOP,
    TREND,
    Visit,
    has_sideways_scroll,
    parts,
    tab_to,
)
from playwright.sync_api import FilePayload, Page, expect


class TestNarrowScreen:
    @pytest.fixture
    def settings(self) -> dict[str, Any]:
        return {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}

    def test_nothing_sticks_out(self, visit: Visit) -> None:
        page = visit.page
        visit.open()
        assert not has_sideways_scroll(page)
        for question in (QUESTION, GROUPS, TREND, "What is the phone number of Norway?"):
            visit.ask(question)
            assert not has_sideways_scroll(page)
        expect(page.locator("#answer-title")).to_be_focused()  # so that the keyboard leaves the screen
        visit.ask(COUNT)
        page.locator("#wrong").click()
        assert not has_sideways_scroll(page)
        page.locator("#paper-box summary").click()
        expect(page.locator("#panels li.current")).to_be_visible()
        page.locator("#slider").fill("1")
        assert not has_sideways_scroll(page)
        header = page.locator("#head th.read").bounding_box()  # in sight, although the table is wider
        assert header is not None
        assert header["x"] >= 0
        assert header["x"] + header["width"] <= 320

    def test_long_words(self, visit: Visit) -> None:
        visit.open()
        long_word = "x" * 300
        visit.opens(f"{long_word},b\n{long_word},1\nc,2\n", f"{long_word[:80]}.csv")
        visit.ask("What is the b of c?")
        visit.ask(f"What is the b of {long_word}?")
        assert not has_sideways_scroll(visit.page)

    def test_bars_have_their_names_and_amounts_in_the_card(self, visit: Visit) -> None:
        visit.open()
        names = [f"a company with a long name {number}" for number in range(3)]
        lines = [f"{name},{4_900_000 + number}" for number, name in enumerate(names)]
        visit.opens("\n".join(["city,people", *lines]))
        visit.ask("Which three cities have the most people?")
        page = visit.page
        for part in page.locator("#chart-box :is(.label, .amount)").all():
            box = part.bounding_box()
            assert box is not None
            assert 0 < box["x"] < box["x"] + box["width"] < 320
        expect(page.locator("#chart-box .amount").first).to_have_text("4,900,002")

    def test_rows_have_room(self, visit: Visit) -> None:
        visit.open()
        visit.opens("".join(parts(1000)), "parts.csv")
        visit.ask("How many parts are on shelf 3?")
        places = ("#scroller", "#head", "#body tr.marked >> nth=0")
        boxes = [visit.page.locator(part).bounding_box() for part in places]
        room, head, row = (box["height"] for box in boxes if box)
        assert (room - head) / row >= 5

    def test_a_wide_field_is_seen_from_its_beginning(self, visit: Visit) -> None:
        visit.open()
        long_name = "an answer that has many letters and some more"
        visit.opens(f"country,people,city\nNorway,709037,{long_name}\nFrance,2102,Paris\n")
        visit.ask("Which city has the most people?")
        box = visit.page.locator("td.answer").bounding_box()
        corner = visit.page.locator("#head .corner").bounding_box()
        assert box is not None
        assert corner is not None
        assert box["x"] == pytest.approx(corner["x"] + corner["width"], abs=2)

    def test_messages_are_in_sight_wherever_one_is(self, visit: Visit) -> None:
        visit.open()
        visit.ask(COUNT)
        page = visit.page
        page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
        page.route("**/api/ask", lambda route: route.abort())
        page.evaluate("document.querySelector('#ask').requestSubmit()")
        expect(page.get_by_role("alert")).to_be_in_viewport(ratio=1)
        text = page.locator("#message-text").bounding_box()
        assert text is not None
        assert text["width"] > 180
        visit.forgive("net::ERR_FAILED")

    def test_two_tables(self, visit: Visit) -> None:
        visit.open("orders", "customers")
        visit.ask(SPENT)
        assert not has_sideways_scroll(visit.page)


class TestKeyboardOnly:
    def test_all_can_be_reached(self, visit: Visit) -> None:
        visit.open()
        page = visit.page
        page.keyboard.press("Tab")
        expect(page.locator(".skip")).to_be_focused()
        with page.expect_file_chooser() as chooser:
            tab_to(page, "#open")
            page.keyboard.press("Enter")
        chooser.value.set_files(FilePayload(name="cities.csv", mimeType="text/csv", buffer=CITIES.encode()))
        expect(page.locator("#question")).to_be_focused()
        page.keyboard.type("What is the country of Vienna?")
        page.keyboard.press("Enter")
        expect(page.locator("#value")).to_have_text("Austria")
        expect(page.locator("#question")).to_be_focused()
        expect(page.locator("#spoken")).to_contain_text("Austria. In the only row where city is Vienna")
        for part in ("#asked .word", "#program .panel", "#copy-sql", "#wrong", "#save-answer"):
            tab_to(page, part)
        tab_to(page, "#paper-box summary")
        for part in ("#search", "#only", "#copy", "#export", "#table", "#head .sort"):
            tab_to(page, part)

    def test_the_table(self, visit: Visit) -> None:
        visit.open()
        page = visit.page
        page.locator("#table").focus()
        for key in ("ArrowDown", "ArrowDown", "ArrowRight"):
            page.keyboard.press(key)
        cell = page.locator("td.cursor")
        expect(cell).to_have_text("Paris")
        assert page.locator("#table").get_attribute("aria-activedescendant") == cell.get_attribute("id")
        page.keyboard.press("Space")
        expect(page.locator("tr[aria-selected=true]")).to_contain_text("Paris")
        page.keyboard.press("ControlOrMeta+c")
        expect(page.locator("#spoken")).to_have_text("Copied")
        assert page.evaluate("navigator.clipboard.readText()").endswith("95")
        page.keyboard.press("PageDown")
        page.keyboard.press("End")
        expect(page.locator("td.cursor")).to_have_text("Paris")  # in 2024
        page.keyboard.press("Tab")
        for key in ("ArrowRight", "ArrowRight", "Enter"):
            page.keyboard.press(key)
        expect(page.locator("#head th[aria-sort=ascending] .name")).to_have_text("country")
        page.keyboard.press("ArrowDown")
        expect(page.get_by_label("Has the words")).to_be_focused()
        page.keyboard.press("Escape")
        expect(visit.header("country")).to_be_focused()

    def test_a_correction(self, visit: Visit) -> None:
        visit.open()
        visit.ask(COUNT)
        page = visit.page
        page.locator("#wrong").focus()
        page.keyboard.press("Enter")
        expect(page.locator("#choices input").first).to_be_focused()
        for _ in range(2):
            page.keyboard.press("ArrowDown")
        expect(page.locator("[value=picked]")).to_be_checked()
        page.locator("#table").focus()
        for key in ("ArrowDown", "Enter", "ArrowDown", "Enter"):
            page.keyboard.press(key)
        expect(page.locator("#spoken")).to_have_text("2 cells picked.")
        page.locator("#correction-send").focus()
        page.keyboard.press("Escape")
        expect(page.locator("#correction")).to_be_hidden()
        expect(page.locator("#wrong")).to_be_focused()

    def test_focus_can_be_seen(self, visit: Visit) -> None:
        visit.open(question=QUESTION)
        page = visit.page
        expect(page.locator("#value")).to_have_text("London")
        unseen = []
        for _ in range(45):
            page.keyboard.press("Tab")
            seen = page.evaluate(
                """() => {
                    const focused = document.activeElement;
                    const framed = focused.id === "table" ? focused.closest(".frame") : focused;
                    const { outlineStyle, outlineWidth } = getComputedStyle(framed);
                    const has = outlineStyle !== "none" && parseFloat(outlineWidth) >= 1;
                    return has || focused === document.body ? null : focused.outerHTML.slice(0, 80);
                }"""
            )
            if seen:
                unseen.append(seen)
        assert unseen == []


def _welcome(visit: Visit) -> None:
    visit.page.route("**/api/tables", lambda route: route.fulfill(json=[]))
    visit.page.goto(visit.address)
    expect(visit.page.locator("#welcome")).to_be_visible()


def _table(visit: Visit) -> None:
    visit.open()
    visit.header("year").click()
    visit.page.locator("#head .more").nth(2).click()
    visit.page.get_by_label("Has the words").fill("a")
    expect(visit.page.locator("#narrowed li")).to_have_count(2)


def _asked(*questions: str, tables: tuple[str, ...] = ("olympics",)) -> Callable[[Visit], None]:
    def go(visit: Visit) -> None:
        visit.open(*tables)
        for question in questions:
            visit.ask(question)

    return go


def _correction(visit: Visit) -> None:
    _asked(COUNT)(visit)
    visit.page.locator("#wrong").click()
    visit.page.get_by_text("Cells or rows that I pick").click()
    visit.cell(3).click()


def _thanks(visit: Visit) -> None:
    _correction(visit)
    visit.page.locator("#correction-send").click()
    expect(visit.page.locator("#thanks")).to_be_visible()


def _paper(visit: Visit) -> None:
    _asked(QUESTION)(visit)
    visit.page.locator("#paper-box summary").click()
    expect(visit.page.locator("#panels li.current")).to_be_visible()
    visit.page.locator("#slider").fill("2")


def _upload(visit: Visit) -> None:
    visit.open()
    visit.opens("city,city\nOslo,Norway\n")
    expect(visit.page.get_by_role("alert")).to_be_visible()


STATES: dict[str, Callable[[Visit], None]] = {
    "welcome": _welcome,
    "table": _table,
    "cell": _asked(QUESTION),
    "count": _asked(COUNT),
    "groups": _asked(GROUPS),
    "ranking": _asked(TOP, COUNT, TOP),
    "trend": _asked(TREND),
    "refusal": _asked("What is the phone number of Norway?", tables=("countries",)),
    "correction": _correction,
    "thanks": _thanks,
    "two tables": _asked(SPENT, tables=("orders", "customers")),
    "paper": _paper,
    "upload": _upload,
}


class TestAxe:
    """Each state is looked at once, with all rules in light colours, and for its contrast in dark ones."""

    @pytest.fixture
    def settings(self) -> dict[str, Any]:
        return {"viewport": {"width": 1280, "height": 1000}, "color_scheme": "light"}

    @pytest.mark.parametrize("state", STATES)
    def test_finds_nothing(self, visit: Visit, state: str) -> None:
        STATES[state](visit)
        page = visit.page
        page.mouse.move(0, 0)
        assert not is_dark(page)
        assert violations(page) == []
        page.emulate_media(color_scheme="dark")
        assert is_dark(page)
        assert violations(page, {"runOnly": ["color-contrast"]}) == []


def violations(page: Page, options: dict[str, Any] | None = None) -> list[tuple[str, list[str]]]:
    """What breaks rules; of the table, in its first rows, which are those that count: all are alike."""
    part = {"exclude": [["#body tr:nth-child(n+9)"]]}
    found = Axe().run(page, context=part, options=options).response["violations"]
    return [(each["id"], [node["html"][:200] for node in each["nodes"]]) for each in found]


def is_dark(page: Page) -> bool:
    background = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    return sum(map(int, re.findall(r"\d+", background)[:3])) / 3 < 60
