from neural_enquirer.real_questions.everyday.rebuilding.sheets import Sheet

TOWNS = Sheet.of_rows(
    ("town", "land", "size"),
    [("Oslo", "Norway", "3"), ("Rome", "Italy", ""), ("Bergen", "Norway", "2"), ("Rome", "Italy", "9")],
)


def test_csv_goes_in_and_out() -> None:
    content = 'a,"b, c"\n"two\nlines","say ""yes"""\n,ü\n'.encode()
    sheet = Sheet.of_csv(content)
    assert sheet.rows == [("two\nlines", 'say "yes"'), ("", "ü")]
    assert sheet.to_csv() == content


def test_columns() -> None:
    assert list(TOWNS.select("size", "town").columns) == ["size", "town"]
    assert list(TOWNS.without("land").columns) == ["town", "size"]
    assert list(TOWNS.renamed({"land": "country"}).columns) == ["town", "country", "size"]
    assert TOWNS.changed("size", lambda size: size + "0").columns["size"] == ("30", "", "20", "90")
    assert TOWNS.replaced("land", {"Italy": "IT"}).columns["land"] == ("Norway", "IT", "Norway", "IT")
    assert list(TOWNS.put("land", "abcd").put("new", "abcd").columns) == ["town", "land", "size", "new"]


def test_rows() -> None:
    assert TOWNS.where("size", bool).columns["size"] == ("3", "2", "9")
    assert TOWNS.among("town", ["Oslo", "Bergen"]).columns["size"] == ("3", "2")
    assert TOWNS.head(1).rows == [("Oslo", "Norway", "3")]
    assert TOWNS.distinct() == TOWNS
    assert TOWNS.distinct("town").columns["size"] == ("3", "", "2")
    assert TOWNS.sorted_by("land", "town").columns["town"] == ("Rome", "Rome", "Bergen", "Oslo")
    assert TOWNS.taken([2, 0]).columns["size"] == ("2", "3")


def test_pivot_leaves_blanks() -> None:
    wide = TOWNS.where("size", bool).pivoted(("land",), "town", "size")
    assert wide.to_csv().decode() == "land,Bergen,Oslo,Rome\nItaly,,,9\nNorway,2,3,\n"
