"""The page tells how sure an answer is, what decided it, what was corrected, and whose a table is."""

import re
from typing import Any

import pytest
from page_visits import APART, AVERAGES, COUNT, KING, SYDNEY, Visit, is_in_sight
from playwright.sync_api import Locator, Page, Route, expect

BOB = "name,score,comment\nAnn,3,fine\nBob,7,{}\nCem,9,good\n"


def is_cut(cell: Locator) -> bool:
    return bool(cell.evaluate("cell => cell.scrollWidth > cell.clientWidth"))


def answers_with(page: Page, **changes: Any) -> None:
    """Has the server's answers changed on their way."""
    page.route("**/api/ask", lambda route: route.fulfill(json=route.fetch().json() | changes))


class TestAsking:
    def test_after_a_very_long_value(self, visit: Visit) -> None:
        visit.open()
        visit.opens(BOB.format("x" * 20_000))
        visit.ask("What is the comment of Bob?")
        assert visit.ask("Which name has the highest score?")["answer"] == "Cem"

    def test_an_error_takes_the_answer_before_away(self, visit: Visit) -> None:
        visit.open()
        visit.ask(COUNT)
        page = visit.page
        page.fill("#question", "y" * 600)
        page.press("#question", "Enter")
        expect(page.get_by_role("alert")).to_contain_text("600 letters")
        expect(page.locator("#answer-box")).to_be_hidden()
        expect(page.locator("#body tr.marked")).to_have_count(0)
        expect(page.locator("#only")).to_be_hidden()
        visit.forgive("status of 422")

    def test_a_question_whose_answer_nobody_waited_for_is_kept(self, visit: Visit) -> None:
        visit.open()
        page = visit.page
        late: list[Route] = []
        page.route("**/api/ask", lambda route: late.append(route), times=1)
        page.fill("#question", COUNT)
        page.press("#question", "Enter")
        visit.ask(SYDNEY)
        late[0].continue_()
        expect(page.locator("#questions .question")).to_have_text([SYDNEY, COUNT])
        expect(page.locator("#value")).to_have_text("2000")
        page.locator("#questions button").last.click()
        expect(page.locator("#value")).to_have_text("3")

    def test_an_example_says_so(self, visit: Visit) -> None:
        visit.open()
        page = visit.page
        expect(page.locator("#purpose")).to_contain_text("This one is an example")
        visit.opens("city\nOslo\n", "olympics.csv")
        expect(page.locator("#purpose")).to_be_hidden()
        chosen = page.locator("#tables option:checked")
        expect(chosen).to_have_text("olympics.csv (yours)")
        page.select_option("#tables", label="olympics.csv (example)")
        expect(page.locator("#purpose")).to_be_visible()


class TestSureness:
    @pytest.mark.parametrize(
        ("confidence", "told"),
        [(0.39, "a guess"), (0.51, "unsure"), (0.79, "fairly sure"), (0.9, "sure"), (0.97, "very sure")],
    )
    def test_in_words(self, visit: Visit, confidence: float, told: str) -> None:
        visit.open()
        answers_with(visit.page, confidence=confidence)
        visit.ask(COUNT)
        expect(visit.page.locator("#sure strong")).to_have_text(told)

    def test_what_is_unsure_looks_so(self, visit: Visit) -> None:
        visit.open()
        value = visit.page.locator("#value .one")
        size = "value => parseFloat(getComputedStyle(value).fontSize)"
        visit.ask(COUNT)
        sure = value.evaluate(size)
        answers_with(visit.page, confidence=0.51)
        visit.ask(COUNT)
        assert value.evaluate(size) < sure

    def test_unlikely_readings_are_left_out(self, visit: Visit) -> None:
        visit.open()
        answer = visit.ask(COUNT)
        others = answer["alternatives"]
        assert len(others) == 2
        answers_with(visit.page, alternatives=[others[0], others[1] | {"probability": 0.01}])
        visit.ask(COUNT)
        expect(visit.page.locator("#others li")).to_have_count(1)

    def test_refusals_look_otherwise_in_the_history(self, visit: Visit) -> None:
        visit.open()
        visit.ask(KING)
        visit.ask(COUNT)
        expect(visit.page.locator("#questions .brief.refused")).to_have_text("No answer")


class TestWhatDecided:
    def test_both_rows_of_a_difference(self, visit: Visit) -> None:
        visit.open()
        visit.ask(APART)
        page = visit.page
        expect(page.locator("#only")).to_be_hidden()
        expect(page.locator("#body tr.marked")).to_have_count(2)
        assert is_in_sight(page, "td.answer")
        rows = page.locator("#body tr.marked").evaluate_all("rows => rows.map(row => row.number)")
        for row in rows:
            page.locator("#place button").click()
            expect(page.locator(f"#body tr[aria-rowindex='{row + 2}']")).to_be_in_viewport()

    def test_of_an_answer_made_of_all_rows_the_headers_are_framed(self, visit: Visit) -> None:
        visit.open()
        visit.ask(AVERAGES)
        page = visit.page
        expect(page.locator("#head th.whole .name")).to_have_text(["country", "athletes"])
        expect(page.locator("td.answer")).to_have_count(0)
        expect(page.locator("#legend")).to_contain_text("looked at: country, athletes")

    def test_the_chart_says_the_numbers_of_the_sentence(self, visit: Visit) -> None:
        visit.open()
        answer = visit.ask(AVERAGES)
        amounts = visit.page.locator("#chart-box .amount").all_text_contents()
        told = re.findall(r"[\d,.]*\d", answer["sentence"])
        assert told
        assert {*told} & {*amounts}
        assert any("." in amount for amount in amounts)

    def test_a_field_far_to_the_right_is_brought_in_whole(self, visit: Visit) -> None:
        names = ["last", *(f"a field with a name {number}" for number in range(9)), "first"]
        lines = [[f"person {row}", *("some words" for _ in range(9)), str(row)] for row in range(30)]
        visit.open()
        visit.opens("\n".join(map(",".join, [names, *lines])))
        visit.ask("Which last has the most of first?")
        page = visit.page
        assert is_in_sight(page, "#body td.used")
        boxes = "heads => heads.map(head => head.getBoundingClientRect())"
        _, stays, *others = page.locator("#head th").evaluate_all(boxes)
        edge = stays["right"]
        assert not any(box["left"] < edge - 2 < edge + 2 < box["right"] for box in others)
        expect(page.locator(".frame.more-fields")).to_have_count(0)
        page.locator("#scroller").evaluate("scroller => scroller.scrollTo(0, 0)")
        expect(page.locator(".frame.more-fields")).to_have_count(1)


class TestRoom:
    def test_bold_cells_are_not_cut(self, visit: Visit) -> None:
        states = ["delivered", "cancelled", "delivered", "delivered", "delivered", "delivered"]
        head = ",".join(["status", *(f"another field {number}" for number in range(9))])
        visit.open()
        visit.opens("\n".join([head, *(f"{state}{',a word' * 9}" for state in states)]))
        visit.ask("How many were cancelled?")
        cell = visit.page.locator("td.answer")
        expect(cell).to_have_text("cancelled")
        assert not is_cut(cell)
        assert not any(is_cut(name) for name in visit.page.locator("#head .name").all())

    def test_rows_that_come_later_get_room(self, visit: Visit) -> None:
        lines = [f"{number},{'abc'[number % 3]}" for number in range(12_000)]
        visit.open()
        visit.opens("\n".join(["n,letter", *lines]))
        page = visit.page
        page.fill("#search", "1199")
        expect(page.locator("#rows-told")).to_contain_text("of 12,000 rows")
        cell = page.locator("#body td", has_text="11990")
        assert not is_cut(cell)
        page.set_viewport_size({"width": 1300, "height": 800})
        page.set_viewport_size({"width": 1280, "height": 800})
        page.wait_for_function(
            """() => Math.abs(
                document.querySelector("#scroller").clientWidth - document.querySelector("#table").offsetWidth
            ) <= 2"""
        )

    def test_the_menu_of_durations(self, visit: Visit) -> None:
        visit.open()
        visit.opens("name,time\nAna,0:53:17\nBo,0:49:30\nCy,1:02:00\n")
        page = visit.page
        page.locator("#head .more").nth(1).click()
        expect(page.get_by_label("Has the words")).to_have_count(0)
        page.get_by_role("button", name="Longest first").click()
        expect(visit.cell(0)).to_have_text("Cy")
        page.get_by_role("textbox", name="To", exact=True).fill("0:50:00")
        expect(page.locator("#rows-told")).to_have_text("1 of 3 rows")
        assert visit.column(0) == ["Bo"]


def test_a_correction_is_told_whenever_it_is_asked_again(visit: Visit) -> None:
    visit.open()
    visit.ask(COUNT)
    page = visit.page
    expect(page.locator("#corrected")).to_be_hidden()
    page.locator("#wrong").click()
    page.fill("#typed", "four")
    page.locator("#correction-send").click()
    expect(page.locator("#corrected")).to_have_text("You corrected this: four")
    visit.ask(SYDNEY)
    expect(page.locator("#corrected")).to_be_hidden()
    visit.ask(COUNT.removesuffix("?"))
    expect(page.locator("#corrected")).to_have_text("You corrected this: four")
    expect(page.locator("#questions .brief").first).to_have_text("corrected: four")
