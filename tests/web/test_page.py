"""Opens tables on the page, one or several, and forgets them."""

from pathlib import Path
from urllib.parse import quote

import pytest
from page_visits import CITIES, QUESTION, SPENT, Visit, is_in_sight, parts
from playwright.sync_api import Browser, FilePayload, expect


class TestTables:
    def test_starts_with_a_table_and_questions_to_try(self, visit: Visit) -> None:
        page = visit.page
        page.goto(visit.address)
        expect(page.locator("#head th[scope=col]").nth(1)).to_be_visible()
        expect(page.locator("#body th[scope=row]").first).to_contain_text("1")
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

    def test_opens_several_files_to_ask_them_together(self, visit: Visit) -> None:
        visit.open()
        mayors = "town,mayor\nOslo,Ann\nParis,Ben\n"
        files = [
            FilePayload(name=name, mimeType="text/csv", buffer=content.encode())
            for name, content in (("cities.csv", CITIES), ("mayors.csv", mayors))
        ]
        page = visit.page
        page.set_input_files("#file", files)
        expect(page.get_by_role("tab")).to_have_text(["cities.csv", "mayors.csv"])
        expect(page.locator("#links li").first).to_contain_text("cities.csv: city = mayors.csv: town")

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
        for cell in hostile:
            expect(page.locator("#table").get_by_text(cell, exact=True)).to_have_count(1)
        expect(page.locator("#head")).to_contain_text("<b>name</b>")
        page.locator("#head .more").first.click()
        expect(page.locator("#column-menu")).to_contain_text(hostile[0])
        page.keyboard.press("Escape")
        page.locator("#wrong").click()
        page.locator("#paper-box summary").click()
        expect(page.locator("#panels li.current")).to_be_visible()
        assert page.locator("td *, main :is(script, style, img, .name *, h2 *)").count() == 0
        assert page.evaluate("window.harmed") is None

    def test_a_thousand_rows(self, visit: Visit) -> None:
        visit.open()
        visit.opens("".join(parts(1000)), "parts.csv")
        page = visit.page
        answer = visit.ask("What is the weight of part 777?")
        assert (answer["answer"], answer["row"]) == (str(777 * 37 % 1009), 777)
        expect(page.locator("td.answer")).to_have_text(str(777 * 37 % 1009))
        assert is_in_sight(page, "td.answer")
        assert page.locator("#body tr").count() < 100
        page.locator("#table").press("End")
        expect(page.locator("#body").get_by_text("part 999", exact=True)).to_be_visible()
        page.locator("#table").press("Home")
        expect(page.locator("#body").get_by_text("part 777", exact=True)).to_be_visible()  # which counts

    def test_hundreds_of_fields(self, visit: Visit) -> None:
        names = [f"field {field}" for field in range(300)]
        rows = [[f"cell {row} {field}" for field in range(300)] for row in range(5)]
        visit.open()
        visit.opens("\n".join(",".join(line) for line in [names, *rows]), "broad.csv")
        page = visit.page
        page.locator("#scroller").evaluate("scroller => scroller.scrollTo(1e9, 0)")
        last = page.locator("#body").get_by_text("cell 3 299", exact=True)
        expect(last).to_be_visible()
        header = page.get_by_role("columnheader", name="field 299")
        boxes = [found.bounding_box() for found in (last, header)]
        assert boxes[0] is not None
        assert boxes[1] is not None
        assert boxes[0]["x"] == pytest.approx(boxes[1]["x"], abs=1)
        assert page.locator("#body td").count() < 5 * 100


class TestUploads:
    def test_are_there_after_a_reload_and_gone_when_forgotten(self, visit: Visit) -> None:
        visit.open()
        visit.opens(CITIES)
        visit.opens(CITIES, "second.csv")
        page = visit.page
        page.reload()
        expect(page.locator("#sheet-title")).to_have_text("second.csv")
        expect(page.locator("#keep-told")).to_contain_text("Only this browser sees this file")
        expect(page.locator("#tables optgroup[label='Your files'] option")).to_have_count(2)
        page.locator("#forget-all").click()
        expect(page.locator("#sheet-title")).not_to_have_text("second.csv")
        expect(page.locator("#tables optgroup[label='Your files']")).to_have_count(0)
        page.reload()
        expect(page.locator("#sheet-title")).not_to_have_text("second.csv")
        expect(page.locator("#keep-box")).to_be_hidden()

    def test_says_when_the_server_has_forgotten_one(self, visit: Visit) -> None:
        visit.open()
        visit.opens(CITIES)
        page = visit.page
        page.evaluate("fetch('api/tables', {method: 'DELETE'})")
        page.fill("#question", "What is the country of Vienna?")
        page.press("#question", "Enter")
        expect(page.get_by_role("alert")).to_contain_text("no longer keeps mine.csv")
        visit.forgive("status of 404")

    def test_no_other_browser_sees_them(self, visit: Visit, browser: Browser) -> None:
        visit.open()
        visit.opens(CITIES)
        link = visit.page.url
        with browser.new_context() as context:
            other = context.new_page()
            other.goto(link)
            expect(other.get_by_role("alert")).to_contain_text("open its file")
            expect(other.locator("#tables option", has_text="mine.csv")).to_have_count(0)


class TestTogether:
    def test_two_tables_and_how_they_are_linked(self, visit: Visit) -> None:
        visit.open("orders")
        page = visit.page
        page.select_option("#together", label="customers.csv")
        expect(page.get_by_role("tab")).to_have_text(["orders.csv", "customers.csv"])
        expect(page.locator("#links li").first).to_have_text(
            "orders.csv: customer = customers.csv: name · 6 values in both"
        )
        answer = visit.ask(SPENT)
        assert answer["tables"] == ["orders", "customers"]
        expect(page.locator("#value")).to_have_text(answer["answer"])
        expect(page.locator("#sheet-title")).to_have_text("orders.csv")
        expect(page.locator("#body tr.marked")).to_have_count(2)
        page.get_by_role("tab", name="customers.csv").click()
        expect(page.locator("#sheet-title")).to_have_text("customers.csv")
        expect(page.locator("#head th.used")).to_contain_text(["city"])
        page.keyboard.press("ArrowLeft")
        expect(page.locator("#sheet-title")).to_have_text("orders.csv")
        page.reload()
        expect(page.locator("#value")).to_have_text(answer["answer"])
        expect(page.get_by_role("tab")).to_have_count(2)
        page.get_by_role("button", name="Take away: orders.csv").click()
        expect(page.get_by_role("tab")).to_have_count(0)
        expect(page.locator("#sheet-title")).to_have_text("customers.csv")

    def test_says_when_tables_have_nothing_in_common(self, visit: Visit) -> None:
        visit.open("olympics", "planets")
        expect(visit.page.locator("#links")).to_contain_text("share no values")


class TestLinks:
    def test_link_reproduces_the_question(self, visit: Visit) -> None:
        page = visit.page
        visit.open(question=QUESTION)
        expect(page.locator("#question")).to_have_value(QUESTION)
        expect(page.locator("#value")).to_have_text("London")
        page.locator("#link").click()
        expect(page.locator("#link")).to_have_text("Copied")
        assert page.evaluate("navigator.clipboard.readText()") == page.url
        assert quote(QUESTION.split()[0]) in page.url

    def test_unknown_table_in_a_link(self, visit: Visit) -> None:
        visit.page.goto(f"{visit.address}/#table=nowhere&question=what")
        expect(visit.page.get_by_role("alert")).to_contain_text("nowhere")
        expect(visit.page.locator("#body th").first).to_be_visible()  # another table meanwhile


def test_only_its_own_server_may_be_asked(visit: Visit) -> None:
    response = visit.page.goto(visit.address)
    assert response is not None
    policy = response.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    visit.open(question=QUESTION)
    assert all(url.startswith(visit.address) for url in visit.requests)
