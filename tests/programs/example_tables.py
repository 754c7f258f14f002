"""Small tables with ties, gaps and dates, for tests of programs."""

import datetime
from typing import Final

from neural_enquirer.tables import Table

GAMES: Final = Table.of(
    [
        {"city": "Athens", "year": 1896, "days": 10, "price": 0.1, "kind": "summer"},
        {"city": "Paris", "year": 1900, "days": 20, "price": 0.2, "kind": "summer"},
        {"city": "London", "year": 1908, "days": 188, "price": 0.3, "kind": "winter"},
        {"city": "Moscow", "year": 1980, "days": 15, "price": None, "kind": "summer"},
        {"city": "Rome", "year": 1984, "days": 188, "price": 5, "kind": None},
    ],
    name="games",
)
ORDERS: Final = Table.of(
    [
        {"customer": "Ann", "total": 10, "day": datetime.date(2024, 1, 30), "note": "3 boxes"},
        {"customer": "Bob", "total": 25, "day": datetime.date(2024, 2, 1), "note": "1,200 g"},
        {"customer": "Ann", "total": 5, "day": datetime.date(2024, 3, 1), "note": "-4 °C"},
        {"customer": "Cid", "total": 40, "day": None, "note": "none"},
    ],
    name="orders",
)
CUSTOMERS: Final = Table.of(
    [
        {"name": "Ann", "country": "France", "born": datetime.date(1990, 5, 1)},
        {"name": "Bob", "country": "Spain", "born": datetime.date(1985, 5, 2)},
        {"name": "Dan", "country": "France", "born": None},
    ],
    name="customers",
)
