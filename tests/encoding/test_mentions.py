"""What people's own words are taken for, on tables as they come."""

import dataclasses

import pytest

from neural_enquirer.encoding.candidates import candidates_of
from neural_enquirer.encoding.linking import Links, link
from neural_enquirer.encoding.mentions import How
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.programs import condition_text
from neural_enquirer.tables import Table

VOCABULARY = Vocabulary(
    ("which", "what", "the", "of", "in", "how", "many", "most", "game", "price"), frozenset()
)
RIDERS = Table.of(
    [
        dict(zip(("name", "nation", "sex", "bats", "born", "club", "smoker", "junior"), row, strict=True))
        for row in (
            ("Marsh, Mrs Ada", "Switzerland", "F", "L", "Alicante, Spain", "SanDiego", "yes", 0),
            ("French, Mr Bob", "France", "M", "R", "Basel, Switzerland", "San Antonio Spurs", "no", 1),
            ("Rossi, Miss Eva", "Italy", "F", "L", "Rome, Italy", "Health Plan", "no", 1),
            ("Lund, Mr Per", "United States", "M", "B", "Reno, Nevada", "Peanut Butter", "yes", 0),
        )
    ]
)
GAMES = Table.of_columns(
    ["Date", "Opponent", "Result", "State"],
    [
        ["April 3", "April 13", "May 8", "June 8"],
        ["at Dallas Cowboys", "New York Giants", "@ Boston", "Miami Dolphins"],
        ["W 3-1", "L 0-2 (OT)", "W 2-0", "L 1-3"],
        ["TX", "NY", "MA", "FL"],
    ],
)


def links_of(question: str, table: Table) -> Links:
    return link(question, TableIndex.of(table), VOCABULARY)


def conditions(question: str, table: Table) -> set[str]:
    found = candidates_of(question, table, links_of(question, table)).conditions
    return {condition_text(each.condition).replace('"', "") for each in found}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("the Swiss rider", "nation = Switzerland"),
        ("how many Americans", "nation = United States"),
        ("who was born in Spain", "born = Alicante, Spain"),
        ("riders of spanish birth", "born = Alicante, Spain"),
        ("which women ride", "sex = F"),
        ("any gentlemen", "sex = M"),
        ("southpaws", "bats = L"),
        ("points of Ada Marsh", "name = Marsh, Mrs Ada"),
        ("how many smokers", "smoker = yes"),
        ("how many are smoking", "smoker = yes"),
        ("how many juniors", "junior = 1"),
        ("Per's Alicantian friend", "born = Alicante, Spain"),
        ("who rides for the Spurs", "club = San Antonio Spurs"),
        ("riders of san diego", "club = SanDiego"),
        ("riders with health plans", "club = Health Plan"),
        ("riders of PB", "club = Peanut Butter"),
    ],
)
def test_people_and_places_by_other_names(question: str, expected: str) -> None:
    assert expected in conditions(question, RIDERS)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("how many did they win", "Result starts with W"),
        ("games lost in overtime", "Result = L 0-2 (OT)"),
        ("games lost in overtime", "Result starts with L"),
        ("away games", "Opponent one of (at Dallas Cowboys, @ Boston)"),
        ("which home games", "Opponent one of (New York Giants, Miami Dolphins)"),
        ("the Texas game", "State = TX"),
        ("who came on the 3rd of April", "Date = April 3"),
        ("who came on 8 jun", "Date = June 8"),
        ("when were the cowboys there", "Opponent = at Dallas Cowboys"),
    ],
)
def test_codes_count_in_columns_of_codes(question: str, expected: str) -> None:
    assert expected in conditions(question, GAMES)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("average cost of clothing", "category = Apparel"),
        ("cost for the sellers", "payee = vendor"),
        ("cost for Sellers", None),  # a name
        ("cost of semicolons", None),
        ("cost of groceries", None),  # closer to Apparel than to others, but not close
        ("cost of coal", None),  # alike, but not the same as Fuel
        ("cost for buyers", None),
    ],
)
def test_words_that_mean_the_same_as_a_value(question: str, expected: str | None) -> None:
    columns = {
        "category": ["Apparel", "Fuel", "Apparel"],
        "payee": ["vendor", "pilot", "pilot"],
        "cost": [4, 5, 6],
    }
    table = Table.of(columns)
    known = link(question, TableIndex.of(table), dataclasses.replace(VOCABULARY, vectors=True))
    found = {condition_text(each.condition) for each in candidates_of(question, table, known).conditions}
    assert found == ({expected} if expected else set())
    assert set(known.hows) <= {How.ALIAS}
    assert not links_of(question, table).mentions


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("who won the third world cup", "cup = 3rd World Cup"),
        ("and the second World Cup", "cup = 2nd World Cup"),
        ("on the first world cup they spent", "cup = 1st World Cup"),
        ("the third cup of the world", None),
        ("who came third", None),
    ],
)
def test_places_in_digits_may_be_said_in_words(question: str, expected: str | None) -> None:
    cups = ["1st World Cup", "2nd World Cup", "3rd World Cup", "Friendly"]
    table = Table.of_columns(["cup", "winner"], [cups, ["Ada", "Bob", "Cid", "Dan"]])
    found = {each for each in conditions(question, table) if each.startswith("cup = ")}
    assert found == ({expected} if expected else set())


TRIAL = Table.of_columns(
    ["patient", "age group", "blood", "visit", "sample", "paid", "music bg", "answer"],
    [
        ["George I", "George II", "Haldor II", "Ulf Berg"],
        ["<40", "20-29", ">60", "30-39"],
        ["O-", "A+", "A-", "AB+"],
        ["January 1987", "Sep-84", "May 1990", "Oct-79"],
        ["A380", "Camaro Z28", "KW-C05", "KW-C06"],
        ["yes", "no", "no", "yes"],
        ["yes", "no", "yes", "no"],
        ["StronglyAgree", "StronglyDisagree", "Agree", "Western Digital"],
    ],
)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("how long did George the Second reign", "patient = George II"),
        ("the second Haldor", "patient = Haldor II"),
        ("when did George the First come", "patient = George I"),
        ("how many under 40", "age group = <40"),
        ("visits of patients less than 40", "age group = <40"),
        ("those older than 60", "age group = >60"),
        ("men in their twenties", "age group = 20-29"),
        ("everybody who is o neg", "blood = O-"),
        ("who has A+", "blood = A+"),
        ("patients with ab positive", "blood = AB+"),
        ("who came in jan 87", "visit = January 1987"),
        ("who came in September 1984", "visit = Sep-84"),
        ("what did the Z28 show", "sample = Camaro Z28"),
        ("and the A380", "sample = A380"),
        ("what about C06", "sample = KW-C06"),
        ("number of unpaid visits", "paid = yes"),
        ("people with musical training", "music bg = yes"),
        ("who strongly disagreed", "answer = StronglyDisagree"),
        ("those of wd", "answer = Western Digital"),
    ],
)
def test_cells_may_be_spelled_otherwise(question: str, expected: str) -> None:
    assert expected in conditions(question, TRIAL)


@pytest.mark.parametrize(
    ("question", "score"),
    [("which ended one all", "1-1"), ("a two nil win", "2-0"), ("lost nil-three", "0-3")],
)
def test_scores_may_be_spoken(question: str, score: str) -> None:
    table = Table.of_columns(["club", "score"], [["Leeds", "Derby", "Stoke"], ["1-1", "2-0", "0-3"]])
    assert f"score = {score}" in conditions(question, table)


def test_a_part_of_a_longer_number_is_no_year() -> None:
    table = Table.of_columns(["ship", "note"], [["Ada", "Bob"], ["in 1982", "lost 1941"]])
    assert "note = in 1982" not in conditions("in '82", table)


def test_who_is_named_by_a_party_is_not_taken_for_a_field_of_yes_and_no() -> None:
    table = Table.of_columns(["party", "rep", "vote"], [["R", "D", "R"], [1, 0, 1], ["yes", "no", "no"]])
    assert "party = R" in conditions("how many Republicans are there", table)


@pytest.mark.parametrize("question", ["in 07/08", "the 2007-08 season", "2007/2008 please"])
def test_seasons_may_be_short(question: str) -> None:
    table = Table.of_columns(["season", "goals"], [["2006/07", "2007/08", "2008/09"], ["3", "4", "5"]])
    assert "season = 2007/08" in conditions(question, table)


def test_a_name_is_not_corrected_into_a_word() -> None:
    table = Table.of_columns(["province", "games"], [["PE", "ON", "QC"], ["1", "2", "3"]])
    assert conditions("what of Prince Edward Island", table) == {"province = PE"}


def test_the_cell_that_is_there_beats_an_alias() -> None:
    table = Table.of_columns(["surname", "nation"], [["French", "Polish"], ["France", "Germany"]])
    assert conditions("what of French", table) == {"surname = French"}


def test_a_letter_is_no_code_among_other_letters() -> None:
    table = Table.of_columns(["grade", "x"], [["F", "A", "B", "C"], ["1", "2", "3", "4"]])
    assert not links_of("how many women", table).mentions


def test_a_longer_part_beats_a_shorter_cell() -> None:
    table = Table.of_columns(["opponent", "x"], [["Kansas", "at Kansas State", "Iowa"], ["1", "2", "3"]])
    assert conditions("when did they play Kansas State", table) == {
        "opponent = at Kansas State",
        "opponent contains Kansas State",
    }


def test_where_some_cells_are_all_of_a_mention_it_means_them_or_all_that_have_it() -> None:
    table = Table.of_columns(["scorers", "x"], [["Harford", "Harford, Stein", "Stein"], ["1", "2", "3"]])
    links = links_of("games with a Harford goal", table)
    assert links.hows == (How.WHOLE, How.PART)
    assert [rows.tolist() for cells in links.mentioned for _, rows in cells] == [[0], [0, 1]]
    assert links.cell_mentions[:, 0].tolist() == [1, 2, 0]


def test_common_words_mean_a_part_of_a_cell_only_as_names() -> None:
    table = Table.of_columns(["title", "x"], [["Game Night", "The Old Town", "Heat"], ["1", "2", "3"]])
    assert not links_of("how many games in town", table).mentions
    assert links_of("who directed Town", table).mentions


def test_a_word_of_all_cells_means_none_of_them() -> None:
    table = Table.of_columns(
        ["arena", "x"], [[f"{name} gardens" for name in ("Oak", "Elm", "Ash", "Fir", "Yew")], list("12345")]
    )
    assert not links_of("the largest gardens", table).mentions


def test_selected_links_are_those_of_the_selected_rows() -> None:
    index = TableIndex.of(RIDERS)
    rows = index.numbers[:, -1].argsort()[1:]
    chosen = link("points of the women", index, VOCABULARY).select(rows)
    fresh = link("points of the women", index.select(rows), VOCABULARY)
    assert chosen.cell_mentions.tolist() == fresh.cell_mentions.tolist()
    assert [[(n, own.tolist()) for n, own in cells] for cells in chosen.mentioned] == [
        [(n, own.tolist()) for n, own in cells] for cells in fresh.mentioned
    ]


def test_a_name_of_several_words_is_found_in_long_texts() -> None:
    long = "Guests were Ada Marsh, Bob Lund, Eva Rossi, Per French, Tim Roth, Jo Field, Al Stone and Max Reed"
    table = Table.of([{"day": "one", "guests": long}, {"day": "two", "guests": "nobody at all came"}])
    assert "guests = " + long in conditions("which day was with eva rossi", table)


def test_a_word_that_cells_have_does_not_mean_its_other_names() -> None:
    table = Table.of([{"status": "4. Divorced"}, {"status": "5. Separated"}, {"status": "1. Married"}])
    assert "status = 5. Separated" in conditions("how many are separated", table)


def test_a_whole_cell_counts_though_a_part_of_another_is_longer() -> None:
    table = Table.of(
        [{"language": "Telugu", "notes": "his first Telugu film"}, {"language": "Hindi", "notes": "-"}]
    )
    assert "language = Telugu" in conditions("which was the last Telugu film", table)


SEASON = Table.of_columns(
    ["Opponent", "Round", "Season", "Kickoff", "League", "Playoffs", "Wind", "Guard", "Height", "Card"],
    [
        ["@ Boston", "Dallas", "@ Miami"],
        ["2nd Round", "R1", "Final"],
        ["S09", "S10", "S11"],
        ["11:30 AM", "11:30 PM", "8:00 PM"],
        ["NL", "AL", "AL"],
        ["Did not qualify", "Semifinals", "Champions"],
        ["none", "strong", "light"],
        ["South African Air Force 1942", "none at all", "Gendarmerie"],
        ["6'6", "6'1", "5'11"],
        ["Club", "Heart", "Club"],
    ],
)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("when did they win in Boston", "Opponent = @ Boston"),
        ("who was met in round two", "Round = 2nd Round"),
        ("the first round", "Round = R1"),
        ("season 9", "Season = S09"),
        ("season 10", "Season = S10"),
        ("games at 11:30 in the morning", "Kickoff = 11:30 AM"),
        ("National League games", "League = NL"),
        ("a year without playoffs", "Playoffs = Did not qualify"),
        ("they didn't reach the playoffs", "Playoffs = Did not qualify"),
        ("games with no wind", "Wind = none"),
        ("SAAF men", "Guard = South African Air Force 1942"),
        ("who stands six foot six", "Height = 6'6"),
        ("price of the clubs", "Card = Club"),
    ],
)
def test_what_cells_have_cut_short_or_deny(question: str, expected: str) -> None:
    assert expected in conditions(question, SEASON)


@pytest.mark.parametrize(
    ("question", "wrong"),
    [
        ("games with wind", "Wind = none"),
        ("how many clubs", "Card = Club"),  # counted
        ("the team won in 9 games", "Season = S09"),
        ("no doubt which of the Boston games had wind", "Wind = none"),
        ("games in April", "Opponent = @ Boston"),
    ],
)
def test_what_cells_do_not_deny_or_cut_short(question: str, wrong: str) -> None:
    assert wrong not in conditions(question, SEASON)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("strongest us earthquake", True),
        ("us players", True),
        ("give us names", False),
        ("who beat us", False),
        ("tell us which year", False),
    ],
)
def test_us_before_a_noun_is_the_country(question: str, expected: bool) -> None:
    table = Table.of_columns(["region", "magnitude"], [["United States", "Chile"], [6.1, 8.2]])
    assert ("region = United States" in conditions(question, table)) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("how many women", "male = 0"),
        ("weekend riders", "weekday = no"),
        ("the share of nonsmokers", "smokes = no"),
    ],
)
def test_the_opposite_of_a_field_names_it(question: str, expected: str) -> None:
    columns = {"male": [1, 0, 0], "weekday": ["yes", "no", "yes"], "smokes": ["no", "yes", "no"]}
    named = expected.partition(" ")[0]
    table = Table.of(columns)
    fields = {table.field_names[n] for cells in links_of(question, table).mentioned for n, _ in cells}
    assert fields == {named}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("games against Vandy", "Opponent = Vanderbilt"),
        ("the South Korean game", "Opponent = Korea, South"),
        ("which of them sank", "Fate = Sunk"),
        ("who drives the F-150", "Ship = Ford F-150"),
        ("apps in 2010/11", "Season = 10/11"),
    ],
)
def test_other_forms_of_names(question: str, expected: str) -> None:
    columns = {
        "Opponent": ["Vanderbilt", "Korea, South", "Ohio"],
        "Fate": ["Sunk", "Scrapped", "Lost"],
        "Ship": ["Ford F-150", "Chevrolet", "Dodge"],
        "Season": ["10/11", "11/12", "12/13"],
    }
    assert expected in conditions(question, Table.of(columns))
