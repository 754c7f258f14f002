"""Rows that sum up those above: left out where it is safe to say, kept and told of where it is not."""

import datetime
import warnings
from pathlib import Path

import openpyxl
import pytest
from written_files import written

from neural_enquirer.tables import FieldType, Table, TableWarning

SPENDING = """\
Date,Shop,Category,Paid by,Amount,Card,Notes
2025-03-01,Tesco,Food,Anna,£45.20,Visa,
2025-03-02,Shell,Fuel,Ben,£60.10,Visa,
2025-03-09,Boots,Health,Anna,£12.99,Cash,a gift
2025-04-01,Tesco,Food,Ben,"£1,122.19",Visa,
"""
VISITORS = "Day,Visitors,Takings\nMon,10,100.50\nTue,20,210.25\nWed,34,300\n"


def kept(folder: Path, text: str, told: str) -> Table:
    """The table of a text, of whose last rows a warning tells."""
    with pytest.warns(TableWarning, match=told) as caught:
        table = Table.read(written(folder, "sales.csv", text), totals=False)
    assert len(caught) == 1
    return table


def test_total_of_a_ledger(tmp_path: Path) -> None:
    told = "sales.csv: the last row, 'Total £1,240.48', sums up those above and was left out; "
    table = kept(tmp_path, f'{SPENDING}Total,,,,"£1,240.48",,\n', f"{told}to keep it, give it another name")
    assert table.row_count == 4
    assert table.fields[0].type is FieldType.DATE
    assert table.column("Date")[-1] == datetime.date(2025, 4, 1)
    assert table.column("Amount") == (45.2, 60.1, 12.99, 1122.19)


@pytest.mark.parametrize(
    "label",
    [
        "TOTAL:",
        "Totals",
        "Grand Total",
        "sub-total",
        "Sum",
        "Σ",
        "Summe",
        "Total spending",
        "Yearly total (gross)",
    ],
)
def test_labels(tmp_path: Path, label: str) -> None:
    assert kept(tmp_path, f'{SPENDING}{label},,,,"£1,240.48",,\n', "was left out").row_count == 4


@pytest.mark.parametrize(
    "row",
    [
        ",64,610.75",
        "-,64,610.75",
        ",64,",
        "Total,64,610.75",
        "Total,64,999",
        "Total,Total,610.75",
        "Total,3 days,610.75",
        "Average,21.3,203.58",
        "Avg,21.33,",
    ],
)
def test_figures_of_those_above(tmp_path: Path, row: str) -> None:
    assert kept(tmp_path, f"{VISITORS}{row}\n", "sums up those above and was left out").row_count == 3


def test_no_label_at_all(tmp_path: Path) -> None:
    told = "the last row, '64 610.75', sums up those above and was left out; to keep it, give it a name"
    assert kept(tmp_path, f"{VISITORS},64,610.75\n", told).column("Visitors") == (10, 20, 34)


@pytest.mark.parametrize(
    "row", ["All days,64,610.75", "Thu,64,610.75", "Best day,34,300", ",65,610.85", ",,300"]
)
def test_a_name_of_its_own_or_other_figures_keep_it(tmp_path: Path, row: str) -> None:
    table = Table.read(written(tmp_path, "a.csv", f"{VISITORS}{row}\n"), totals=False)
    assert (table.row_count, table.column("Takings")[:3]) == (4, (100.5, 210.25, 300))


@pytest.mark.parametrize(
    "text",
    [
        "company,country,revenue\nShell,UK,380\nBP,UK,240\nTotal,France,260\n",
        "company,country,revenue\nShell,UK,380\nBP,UK,240\nTotal,,260\n",
        "company,country,boss,revenue\nShell,UK,Ada,380\nBP,UK,Bob,240\nTotal,France,,260\n",
        "company,country,boss,staff,revenue\nShell,UK,Ada,5,380\nBP,UK,Bob,6,240\nTotal,France,,,260\n",
        "company,revenue\nShell,380\nBP,240\nTotal,500\n",
        "shop,staff,sales\nBest Wine,3,10\nWine & Co,4,20\nTotal Wine,7,12\n",
        "event,loss\nfire,4\nflood,5\nTotal loss of power for most of the afternoon,9\n",
        "year,what,points\n2001,a,3\n2002,b,4\n2003,Total,7\n",
        "code,item,price\nA1,x,5\nB2,y,6\nC3,z,1\n7D,,12\n",
        "place,extra,points\n1,5,3\n2,,4\n3,,5\n6,,12\n",
        "city,people\nOslo,5\nTotal,6\nRome,7\n",
        "city\nOslo\nRome\nTotal\n",
        "word,times\nsum,0\ntotal,1\nmean,1\naverage,2\n",
        "level,town,points\nlow,Oslo,30\nhigh,Rome,40\naverage,Bonn,35\n",
        "level,age,points\nlow,30,1\nhigh,40,3\naverage,36,9\n",
        "name,score\nAda,3\nBob,9\nMax,9\n",
        "name,points\nAda,0\nBob,0\nCy,7\n,7\n",
        "a,b\n1,5\n2,6\n,11\n",
        "a,b\n1,1\n2,3\n3,4\n",
        "lift,athlete,weight\nsnatch,Ada,100\npush,Bob,120\njerk,Total,220\n",
        "1st half,2nd half\n10,20\n30,40\n40,60\n",
        "title,total\nx,1\ny,2\n",
    ],
)
def test_data_stays(tmp_path: Path, text: str) -> None:
    with warnings.catch_warnings(record=True):
        warnings.simplefilter("always")
        table = Table.read(written(tmp_path, "a.csv", text), totals=False)
    assert table.row_count == text.count("\n") - 1


def test_what_may_be_a_total_is_told(tmp_path: Path) -> None:
    told = (
        "the last row, 'Total 260', is not the sum of those above and was kept; if it is a total, delete it"
    )
    assert kept(tmp_path, "company,revenue\nShell,380\nBP,240\nTotal,260\n", told).row_count == 3


@pytest.mark.parametrize(
    "row",
    ["Total,,,,£900.00,,", "Total,,,,,,", '"Total, corrected:",,,,"£1,241",,'],
)
def test_label_tells_where_hardly_anything_is_beside_it(tmp_path: Path, row: str) -> None:
    assert kept(tmp_path, f"{SPENDING}{row}\n", "was left out").row_count == 4


@pytest.mark.parametrize("row", ["Total,,15", "Total,all shops,15"])
def test_label_among_dates(tmp_path: Path, row: str) -> None:
    text = "paid,where,amount\n2025-01-01,Tesco,5\n2025-01-02,Shell,6\n"
    assert kept(tmp_path, f"{text}{row}\n", "was left out").fields[0].type is FieldType.DATE


def test_rounded_average(tmp_path: Path) -> None:
    assert kept(tmp_path, "day,hours\nMon,1\nTue,2\nWed,2\nAverage,1.7\n", "was left out").row_count == 3


@pytest.mark.parametrize(
    ("last", "told"),
    [
        (
            "Subtotal,,,430.00\nVAT 20%,,,86.00\nTotal,,,516.00\nPayable within 30 days,,,\n",
            "last 4 rows, from 'Sub",
        ),
        (
            "Total,7,180.00,430.00\nAverage,2.33,60,143.33\nMax,4,100,200\n",
            "last 3 rows, from 'Total 7 180.00 430.00'",
        ),
        ("\n,7,,430\n\nSource: the office\n", "last 2 rows, from '7 430' on, sum up"),
    ],
)
def test_several_rows(tmp_path: Path, last: str, told: str) -> None:
    items = "Item,Qty,Price,Amount\nDesk,2,100.00,200.00\nChair,4,50.00,200.00\nLamp,1,30.00,30.00\n"
    assert kept(tmp_path, items + last, told).column("Item") == ("Desk", "Chair", "Lamp")


def test_data_below_a_total(tmp_path: Path) -> None:
    table = Table.read(written(tmp_path, "a.csv", f"{VISITORS}Total,64,610.75\nThu,9,90\n"), totals=False)
    assert table.row_count == 5


def test_most_figures_are_sums(tmp_path: Path) -> None:
    rows = "".join(f"day {place},{place % 7},{place % 5},2.50\n" for place in range(140))
    assert kept(tmp_path, f"day,sold,left,price\n{rows},420,280,2.50\n", "was left out").row_count == 140


def split(cells: str) -> list[str]:
    return cells.split(";" if ";" in cells else ",")


@pytest.mark.parametrize(
    ("cells", "total", "is_sum"),
    [
        ("33.3,33.3,33.3", "100", True),
        ("33,33,33", "100", False),
        ("7:30,8:15,6:45", "22:30", True),
        ("7:30,8:15,26:45", "42:30", True),
        ("1h 30m,45m,2h 15m", "4h 30m", True),
        ("12 kg,3 kg,4.5 kg", "19.5 kg", True),
        ("1.250,00 €;928,20 €;10,30 €", "2.188,50 €", True),
        ("12,3,4.5", "$19.50", True),
        ("12,3,4.5", "20.5", False),
        ("-5,8,10", "13", True),
        ("2001,2002,2003", "6007", False),
    ],
)
def test_sums(tmp_path: Path, cells: str, total: str, is_sum: bool) -> None:
    rows = "".join(f'{place},"{cell}"\n' for place, cell in zip("xyz", split(cells), strict=True))
    with warnings.catch_warnings(record=True):
        warnings.simplefilter("always")
        table = Table.read(written(tmp_path, "a.csv", f'what,much\n{rows},"{total}"\n'), totals=False)
    assert table.row_count == (3 if is_sum else 4)


@pytest.mark.parametrize("amounts", [[place % 7 for place in range(500)], [90, -80] * 100 + [-30] * 60])
def test_long_tables(tmp_path: Path, amounts: list[int]) -> None:
    rows = "".join(f"day {place},{amount}\n" for place, amount in enumerate(amounts))
    assert kept(tmp_path, f"day,sold\n{rows},{sum(amounts)}\n", "was left out").row_count == len(amounts)
    assert (
        Table.read(written(tmp_path, "a.csv", f"day,sold\n{rows},3\n"), totals=False).row_count
        == len(amounts) + 1
    )


def test_total_that_nearly_fits(tmp_path: Path) -> None:
    text = "share,people\nNorth,5001\nSouth,4990\nEast,10\n"
    assert kept(tmp_path, f"{text}Total,10000\n", "was left out").row_count == 3
    assert Table.read(written(tmp_path, "a.csv", f"{text},10000\n"), totals=False).row_count == 4


def test_workbook(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    day = datetime.date(2025, 3, 1)
    for row in (
        ["Day", "Shop", "Paid"],
        [day, "Tesco", 45.2],
        [day, "Shell", 60.1],
        [],
        ["Total", None, 105.3],
    ):
        book.active.append(row)
    book.save(tmp_path / "a.xlsx")
    with pytest.warns(TableWarning, match="'Total 105.3', sums up those above"):
        table = Table.read(tmp_path / "a.xlsx", totals=False)
    assert (table.fields[0].type, table.column("Paid")) == (FieldType.DATE, (45.2, 60.1))


def test_each_of_several_files(tmp_path: Path) -> None:
    for month in ("May", "June"):
        written(tmp_path, f"{month}.csv", f"{VISITORS}Total,64,610.75\n")
    with pytest.warns(TableWarning, match="was left out"):
        assert Table.read(tmp_path / "*.csv", totals=False).column("Visitors") == (10, 20, 34) * 2


@pytest.mark.parametrize(
    "cells", [("1e308", "1e308", "5"), (f"{'9' * 299} trillion", "2 trillion", "3 trillion")]
)
def test_sums_that_are_too_large(tmp_path: Path, cells: tuple[str, str, str]) -> None:
    rows = "".join(f"x,{cell}\n" for cell in cells)
    assert kept(tmp_path, f"a,b\n{rows}Total,{cells[0]}\n", "was kept").row_count == 4


def test_other_sources_keep_all_rows() -> None:
    rows = [{"day": "Mon", "visitors": 3}, {"day": "Tue", "visitors": 4}, {"day": "Total", "visitors": 7}]
    assert Table.of(rows).row_count == 3
