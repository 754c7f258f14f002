"""Visits of the page: a real browser on the real server with answers given by hand."""

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import ConsoleMessage, FilePayload, Locator, Page, Request, expect

from fake_predictor import FakePredictor, links_of
from neural_enquirer.encoding.linking import Links
from neural_enquirer.judge.ranked import Ranked
from neural_enquirer.prediction import Prediction, Tables, Verdict
from neural_enquirer.programs import parse, run

PATIENCE = 30_000
"""How many milliseconds a test waits for something; much is slow on a computer that does other work."""
expect.set_options(timeout=PATIENCE)

QUESTION = "Which city hosted the longest game before the game in Moscow?"
COUNT = "How many games were in France?"
KING = "Who is the king of the moon?"
SYDNEY = "Which year were the games in Sydney?"
TOP = "Which three games had the most athletes?"
GROUPS = "How many games per country?"
MOST_OFTEN = "Which country hosted most often?"
TIE = "Which games after 1985 took longest?"
DATES = "When did the games in Paris open?"
TREND = "How many athletes were there in each year?"
SHELVES = "How many parts per shelf?"
HOLDS = "Were there games in Sydney?"
APART = "How many more athletes were in London 2012 than in Sydney?"
AVERAGES = "What is the average number of athletes per country?"
SPENT = "How much did customers in Lisbon spend?"
PROGRAMS = {
    QUESTION: "cells(host_city, largest(duration_days, before(rows(host_city = Moscow))))",
    COUNT: "count(rows(country = France))",
    KING: "not_about_this_table",
    SYDNEY: "cells(year, rows(host_city = Sydney))",
    TOP: "cells(host_city, largest(3, athletes))",
    GROUPS: "cells(country, measure, groups(country, count))",
    MOST_OFTEN: "cells(country, largest(measure, groups(country, count)))",
    TIE: "cells(host_city, largest(duration_days, rows(year > 1985)))",
    DATES: "cells(opening_date, rows(host_city = Paris))",
    TREND: "cells(opening_date, athletes)",
    SHELVES: "cells(shelf, measure, groups(shelf, count))",
    HOLDS: "exists(rows(host_city = Sydney))",
    APART: "difference(cells(athletes, rows(year = 2012)), cells(athletes, rows(year = 2000)))",
    AVERAGES: "cells(country, measure, groups(country, average(athletes)))",
    "What is the comment of Bob?": "cells(comment, rows(name = Bob))",
    "Which name has the highest score?": "cells(name, largest(score))",
    "How many were cancelled?": "count(rows(status = cancelled))",
    "Which last has the most of first?": "cells(last, largest(first))",
    SPENT: "sum(orders.amount, rows(customers.city = Lisbon, join(orders, customers, customer = name)))",
    "What is the country of Vienna?": "cells(country, rows(city = Vienna))",
    "What is the weight of part 777?": 'cells(weight, rows(part = "part 777"))',
    "How many parts are on shelf 3?": "count(rows(shelf = 3))",
    "Which three cities have the most people?": "cells(city, largest(3, people))",
    "Which city has the most people?": "cells(city, largest(people))",
    "What is the phone number of Norway?": "no_field",
}
OTHERS = {COUNT: ("count_distinct(host_city, rows(country = France))", "count(rows())")}
"""What else a question may mean."""
CITIES = "city,country,people\nOslo,Norway,709037\nParis,France,2102650\nVienna,Austria,1982097\n"


class Readings(FakePredictor):
    """Has more than one reading of some questions."""

    def _verdict(self, tables: Tables, question: str, prediction: Prediction) -> Verdict:
        verdict = super()._verdict(tables, question, prediction)
        programs = [parse(text) for text in OTHERS.get(question, ())]
        others = [Ranked(program, None, run(program, tables), 0.05) for program in programs]
        return dataclasses.replace(verdict, ranked=(*verdict.ranked, *others))


class Linking(FakePredictor):
    """Links as models do, which engines need."""

    def link(self, tables: Tables, question: str) -> Sequence[Links]:
        return links_of(question, tables)


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

    def open(self, *tables: str, question: str | None = None) -> None:
        wanted = [("table", table) for table in tables or ("olympics",)]
        if question:
            wanted.append(("question", question))
        self.page.goto(f"{self.address}/#{urlencode(wanted)}")
        expect(self.page.locator("#body th").first).to_be_visible()
        if question:
            expect(self.page.locator("#asked")).to_contain_text(question[:4])

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
        expect(self.page.locator("#questions [aria-current] .question")).to_have_text(question)
        expect(self.page.locator("#scroller.loading")).to_have_count(0)
        return answer

    def forgive(self, *parts: str) -> None:
        """Takes out what the browser itself says about a request that a test made fail."""
        self.errors[:] = [text for text in self.errors if not any(part in text for part in parts)]

    def rows(self) -> list[int]:
        """The numbers of the rows in the document, counted from 0, in their order."""
        texts = self.page.locator("#body tr:not(.spacer) th > span:nth-child(2)").all_inner_texts()
        return [int(text.replace(",", "")) - 1 for text in texts]

    def column(self, field: int) -> list[str]:
        """The cells of a field in the document."""
        return self.page.locator(f"#body td[aria-colindex='{field + 2}']").all_inner_texts()

    def cell(self, place: int) -> Locator:
        """One of the cells in the document, counted from the first of the first row."""
        return self.page.locator("#body td[aria-colindex]").nth(place)

    def header(self, name: str) -> Locator:
        return self.page.locator("#head .sort").filter(has_text=name).first


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


def has_sideways_scroll(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth > window.innerWidth"))


def tab_to(page: Page, selector: str, most: int = 60) -> None:
    """Presses the Tab key until something has the focus."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"the Tab key does not reach {selector}")


def parts(count: int) -> Iterator[str]:
    """A table of parts, line by line."""
    yield "part,weight,shelf\n"
    for number in range(count):
        yield f"part {number},{(number * 37) % 1009},{number % 7}\n"
