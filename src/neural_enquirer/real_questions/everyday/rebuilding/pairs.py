"""Pairs of tables that belong together, each cut from one or two tables of the training part.

A pair is registered by its function: the function's name is that of the pair, the decorator names the sheets
that it gets, and it returns the two tables of the pair by name.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from neural_enquirer.real_questions.everyday.rebuilding.sheets import Cells, Sheet

Tables = dict[str, Sheet]

_YES_NO = {"1": "Yes", "0": "No"}
_COUNTRY_FACTS = ("country", "area", "population", "life_exp_at_birth", "birth_rate", "internet_users")


@dataclass(frozen=True)
class Pair:
    """How a pair is made.

    Attributes:
        sources: the sheets that it is cut from.
        cut: makes the two tables of them.
    """

    sources: tuple[str, ...]
    cut: Callable[..., Tables]

    def tables(self, sheets: Iterable[Sheet]) -> Tables:
        """Cuts the sheets of the sources, in their order; numbers and spaces are written in one way."""
        tables = self.cut(*map(_without_marks, sheets))
        return {name: _tidy(table) for name, table in tables.items()}


PAIRS: dict[str, Pair] = {}
"""All pairs by name."""


def _cut_from(*sources: str) -> Callable[[Callable[..., Tables]], Callable[..., Tables]]:
    def register(cut: Callable[..., Tables]) -> Callable[..., Tables]:
        PAIRS[cut.__name__.strip("_")] = Pair(sources, cut)
        return cut

    return register


def _without_marks(sheet: Sheet) -> Sheet:
    """R writes NA where a cell is missing."""
    return Sheet(
        {name: tuple("" if cell == "NA" else cell for cell in cells) for name, cells in sheet.columns.items()}
    )


def _tidy(sheet: Sheet) -> Sheet:
    return Sheet(
        {
            name: _whole(tuple(" ".join(cell.split()) for cell in cells))
            for name, cells in sheet.columns.items()
        }
    )


def _whole(cells: Cells) -> Cells:
    """Cells without the `.0` that all their numbers end with."""
    if all(not cell or cell.removesuffix(".0").lstrip("-").isdecimal() for cell in cells):
        return tuple(cell.removesuffix(".0") for cell in cells)
    return cells


def _rounded(sheet: Sheet, digits: int, *names: str) -> Sheet:
    for name in names:
        sheet = sheet.changed(name, lambda cell: str(round(float(cell), digits)))
    return sheet


# Politics of the United States


@_cut_from("r_CAFE", "r_usa_states")
def _cafe(votes: Sheet, states: Sheet) -> Tables:
    senators = votes.select("Senator", "State", "Party", "Contribution", "Vote")
    return {
        "senators": senators.replaced("Vote", {"1": "Yea", "0": "Nay"}),
        "states": states.renamed({"stateabb": "State", "statename": "Name"}),
    }


@_cut_from("r_CanadianDrugs", "r_Election16")
def _drug_imports(senators: Sheet, election: Sheet) -> Tables:
    states = election.select("Abr", "State", "Income", "HS", "BA", "TrumpWin")
    names = {"Abr": "Abbreviation", "HS": "HighSchoolPct", "BA": "BachelorPct"}
    return {"senators": senators, "states": states.renamed(names).replaced("TrumpWin", _YES_NO)}


@_cut_from("r_AlitoConfirmation")
def _alito(votes: Sheet) -> Tables:
    return {
        "senators": votes.select("Senator", "Party", "State", "ConfVote"),
        "states": votes.select("State", "StateOpinion").distinct(),
    }


@_cut_from("r_iraqVote")
def _iraq(votes: Sheet) -> Tables:
    votes = votes.renamed(
        {
            "state.abb": "state",
            "state.name": "state_name",
            "gorevote": "gore_share",
            "rep": "party",
            "y": "vote",
        }
    )
    named = votes.changed("name", lambda name: name.split(" (")[0].title())
    told = named.replaced("vote", {"1": "yea", "0": "nay"}).replaced(
        "party", {"True": "Republican", "False": "Democrat"}
    )
    return {
        "votes": told.select("name", "party", "state", "vote"),
        "states": votes.select("state", "state_name", "gore_share").distinct(),
    }


@_cut_from("r_AHCAvote2017")
def _ahca(votes: Sheet) -> Tables:
    votes = votes.renamed(
        {
            "Dist": "District",
            "STATE": "State",
            "uni2013": "Uninsured2013",
            "uni2015": "Uninsured2015",
            "AHCAvote": "Vote",
            "Trump": "TrumpWon",
        }
    )
    votes = votes.replaced("Vote", _YES_NO).replaced("TrumpWon", _YES_NO)
    return {
        "members": votes.select("Member", "Party", "District", "Vote"),
        "districts": votes.select("District", "State", "Uninsured2013", "Uninsured2015", "TrumpWon"),
    }


@_cut_from("r_piracy", "r_murders")
def _piracy(lawmakers: Sheet, states: Sheet) -> Tables:
    return {"lawmakers": lawmakers, "states": states.select("abb", "state", "region", "population")}


@_cut_from("r_breaches", "r_usa_states")
def _breaches(breaches: Sheet, states: Sheet) -> Tables:
    told = breaches.select(
        "Number",
        "Name_of_Covered_Entity",
        "State",
        "Individuals_Affected",
        "Date_of_Breach",
        "Type_of_Breach",
    )
    return {
        "breaches": told.where("State", bool).head(500),
        "states": states.renamed({"stateabb": "abbreviation", "statename": "state"}),
    }


@_cut_from("r_organ_donations", "r_usa_states")
def _donors(rates: Sheet, states: Sheet) -> Tables:
    return {
        "rates": rates.select("State", "Quarter", "Rate"),
        "states": states.without("stateabb").renamed({"statename": "State"}),
    }


@_cut_from("r_Election08", "r_Election16")
def _elections(first: Sheet, second: Sheet) -> Tables:
    return {
        "obama_2008": first.select("State", "Income", "HS", "BA", "ObamaWin"),
        "trump_2016": second.select("State", "Income", "HS", "BA", "Adv", "TrumpWin"),
    }


@_cut_from("r_results_us_election_2016", "r_election_turnout")
def _us2016(results: Sheet, turnout: Sheet) -> Tables:
    names = {
        "turnoutho": "turnout",
        "perhsed": "high_school_pct",
        "percoled": "college_pct",
        "gdppercap": "gdp_per_head",
        "sunempr": "unemployment",
    }
    return {
        "results": results,
        "turnout": turnout.select("state", "region", "division", *names).renamed(names),
    }


@_cut_from("r_murders", "r_us_rent_income")
def _murders(murders: Sheet, costs: Sheet) -> Tables:
    living_costs = costs.pivoted(("NAME",), "variable", "estimate").renamed({"NAME": "state"})
    return {"murders": murders, "living_costs": living_costs}


@_cut_from("r_midterms_house", "r_president")
def _midterms(midterms: Sheet, terms: Sheet) -> Tables:
    return {
        "midterms": _rounded(midterms.without("party"), 2, "unemp", "house_change"),
        "presidents": _presidents(_with_parties(terms)),
    }


def _with_parties(terms: Sheet) -> Sheet:
    parties = terms.changed("party", lambda party: party.strip() or "None")
    return parties.replaced("party", {"Democrate": "Democratic"})


def _presidents(terms: Sheet) -> Sheet:
    """One row for each president: the first party, the first year and the last; Trump's row is added."""
    known: dict[str, tuple[list[str], list[str], list[str]]] = {}
    for name, *facts in (
        *terms.select("potus", "party", "start", "end").rows,
        ("Donald Trump", "Republican", "2017", ""),
    ):
        for values, fact in zip(known.setdefault(name, ([], [], [])), facts, strict=True):
            if fact:
                values.append(fact)
    rows = [
        (name, parties[0], min(starts), max(ends, default=""))
        for name, (parties, starts, ends) in known.items()
    ]
    return Sheet.of_rows(("potus", "party", "start", "end"), rows)


@_cut_from("r_president")
def _vice_presidents(terms: Sheet) -> Tables:
    terms = _with_parties(terms).where("vpotus", lambda name: not name.startswith("No V"))
    return {
        "vice_presidents": terms.select("vpotus", "potus", "start", "end"),
        "presidents": terms.select("potus", "party").distinct("potus"),
    }


@_cut_from("w_203_531", "r_usa_states")
def _golf(tournaments: Sheet, states: Sheet) -> Tables:
    return {
        "tournaments": tournaments,
        "states": states.renamed({"statename": "State", "stateabb": "Abbreviation"}),
    }


# Sports


@_cut_from("r_nba_players_19", "added/nba_teams")
def _nba(players: Sheet, facts: Sheet) -> Tables:
    teams = players.select("team", "team_abbr").distinct().sorted_by("team")
    of_team = {abbreviation: rest for abbreviation, *rest in facts.rows}
    rows = [(team, abbreviation, *of_team[abbreviation]) for team, abbreviation in teams.rows]
    header = ("team", *facts.columns)
    return {"players": players.without("team_abbr"), "teams": Sheet.of_rows(header, rows)}


@_cut_from("r_ncaa_rpi")
def _ncaa(seasons: Sheet) -> Tables:
    names = {"postrpi": "rpi_rank", "recruitrank": "recruiting_rank", "coachexper": "coach_experience"}
    seasons = seasons.replaced("tourney", _YES_NO).replaced("power5", _YES_NO)
    told = ("team", "year", "postrpi", "recruitrank", "wins", "losses", "tourney", "coachexper")
    return {
        "seasons": seasons.select(*told).renamed(names),
        "teams": seasons.select("team", "conference", "power5").distinct(),
    }


@_cut_from("r_NFL2007Standings", "r_NFLStandings2016")
def _nfl(first: Sheet, second: Sheet) -> Tables:
    sides = {"E": "East", "N": "North", "S": "South", "W": "West"}
    divisions = [
        f"{conference} {sides[division[-1]]}"
        for conference, division in first.select("Conference", "Division").rows
    ]
    return {"season_2007": first.put("Division", divisions), "season_2016": second}


@_cut_from("r_SampleFG")
def _kicks(kicks: Sheet) -> Tables:
    told = kicks.select("PlayerID", "Year", "Team", "FGAttempts", "FGMade", "Result", "Yards")
    return {
        "kicks": told.replaced("Result", {"1": "good", "0": "missed"}),
        "kickers": kicks.select("PlayerID", "FirstName", "LastName").distinct(),
    }


@_cut_from("r_nyc_marathon")
def _marathon(races: Sheet) -> Tables:
    runners = races.select("name", "country", "division")
    for name in runners.columns:
        runners = runners.where(name, bool)
    return {"wins": races.select("year", "name", "time").where("name", bool), "runners": runners.distinct()}


@_cut_from("r_mlb", "added/mlb_teams")
def _mlb(players: Sheet, teams: Sheet) -> Tables:
    players = players.replaced("team", {"Los Angeles Angeles": "Los Angeles Angels"})
    return {"players": players.among("team", teams.columns["team"]), "teams": teams}


@_cut_from("w_204_378")
def _f1_1951(entries: Sheet) -> Tables:
    return {
        "entries": entries.select("No", "Driver", "Entrant", "Chassis"),
        "cars": entries.select("Chassis", "Constructor", "Engine", "Tyre").distinct(),
    }


@_cut_from("w_204_525")
def _hurling(games: Sheet) -> Tables:
    return {"games": games.without("County"), "players": games.select("Player", "County").distinct()}


@_cut_from("w_204_678")
def _pole_vault(records: Sheet) -> Tables:
    return {"records": records.without("Nation"), "athletes": records.select("Athlete", "Nation").distinct()}


# Television, cars, food


@_cut_from("r_rpdr_contestants", "r_rpdr_contep")
def _drag_race(queens: Sheet, episodes: Sheet) -> Tables:
    seasons = {"S10", "S11", "S12"}
    taken_part = episodes.among("season", seasons).among("participant", ["1"])
    return {
        "queens": queens.among("season", seasons),
        "episodes": taken_part.select("season", "contestant", "episode", "outcome"),
    }


@_cut_from("r_gtcars")
def _cars(cars: Sheet) -> Tables:
    told = ("mfr", "model", "year", "bdy_style", "hp", "trq", "mpg_c", "mpg_h", "drivetrain", "msrp")
    return {"cars": cars.select(*told), "makers": cars.select("mfr", "ctry_origin").distinct()}


@_cut_from("r_UScereal", "added/cereal_makers")
def _cereals(cereals: Sheet, makers: Sheet) -> Tables:
    measures = ("calories", "protein", "fat", "sodium", "fibre", "carbo", "sugars", "potassium")
    return {"cereals": _rounded(cereals, 2, *measures), "manufacturers": makers}


# Nature and health


@_cut_from("r_msleep")
def _sleep(animals: Sheet) -> Tables:
    return {"animals": animals.without("order"), "genera": animals.select("genus", "order").distinct()}


@_cut_from("r_species")
def _field_species(species: Sheet) -> Tables:
    return {"species": species.without("taxa"), "genera": species.select("genus", "taxa").distinct()}


@_cut_from("r_dietox")
def _pigs(weighings: Sheet) -> Tables:
    first = set(list(dict.fromkeys(weighings.columns["Pig"]))[:36])
    weighings = weighings.among("Pig", first)
    pigs = weighings.select("Pig", "Litter", "Evit", "Cu", "Start").distinct()
    for field in ("Evit", "Cu"):  # such as Evit100
        pigs = pigs.changed(field, lambda dose: str(int(dose[-3:])))
    names = {"Evit": "vitamin_E", "Cu": "copper", "Start": "start_weight"}
    return {
        "weighings": _rounded(weighings.select("Pig", "Time", "Weight", "Feed"), 2, "Weight", "Feed"),
        "pigs": _rounded(pigs, 1, "Start").renamed(names),
    }


@_cut_from("r_daycare_fines")
def _daycare(weeks: Sheet) -> Tables:
    told = weeks.select("center", "week", "late_pickups", "study_period_3")
    return {
        "weeks": told.renamed({"study_period_3": "period"}),
        "centers": weeks.select("center", "group", "children").distinct(),
    }


@_cut_from("r_radon")
def _radon(homes: Sheet) -> Tables:
    homes = homes.without("county").renamed({"county.name": "county", "basement": "floor"}).head(450)
    homes = homes.changed("county", lambda name: name.strip().title())
    homes = homes.replaced("floor", {"0": "basement", "1": "first floor"})
    numbered = homes.put("home", map(str, range(1, len(homes.rows) + 1)))
    return {
        "homes": _rounded(numbered.select("home", "county", "log.radon", "floor"), 2, "log.radon"),
        "counties": _rounded(homes, 3, "uranium").select("county", "uranium").distinct(),
    }


@_cut_from("r_cms_patient_care")
def _hospices(care: Sheet) -> Tables:
    scores = care.pivoted(("ccn", "measure_abbr"), "type", "score")
    names = {"measure_abbr": "measure", "observed": "score", "denominator": "patients"}
    facilities = care.select("ccn", "facility_name").distinct()
    return {
        "scores": scores.renamed(names).select("ccn", "measure", "score", "patients"),
        "facilities": facilities.changed("facility_name", lambda name: name.title().replace("'S", "'s")),
    }


@_cut_from("r_Marriage")
def _marriages(people: Sheet) -> Tables:
    people = _rounded(people, 1, "age").changed("officialTitle", str.title)
    told = ("bookpageID", "person", "dob", "age", "race", "prevcount", "college", "sign")
    marriages = people.select("bookpageID", "appdate", "ceremonydate", "delay", "officialTitle")
    return {"people": people.select(*told), "marriages": marriages.distinct()}


@_cut_from("r_Greene")
def _refugees(appeals: Sheet) -> Tables:
    appeals = appeals.changed("nation", lambda nation: nation.replace(".", " "))
    nations = appeals.select("nation", "success").changed("success", _share).distinct()
    return {"appeals": appeals.without("success"), "nations": nations.renamed({"success": "success_rate"})}


def _share(log_odds: str) -> str:
    return str(round(100 / (1 + math.exp(-float(log_odds))), 1))


# Countries and towns


@_cut_from("r_earthquakes", "r_cia_factbook")
def _earthquakes(earthquakes: Sheet, countries: Sheet) -> Tables:
    earthquakes = earthquakes.renamed({"region": "country"}).replaced("country", {"Chine": "China"})
    return _with_countries("earthquakes", earthquakes, countries)


@_cut_from("r_eustates", "r_cia_factbook")
def _eu(members: Sheet, countries: Sheet) -> Tables:
    members = members.renamed({"date": "joined"}).replaced("country", {"Czechia": "Czech Republic"})
    known = countries.among("country", members.columns["country"])
    return {"members": members, "countries": known.select(*_COUNTRY_FACTS)}


@_cut_from("r_Forbes2000", "r_cia_factbook")
def _companies(companies: Sheet, countries: Sheet) -> Tables:
    names = {"South Korea": "Korea, South", "Hong Kong/China": "Hong Kong"}
    return _with_countries("companies", companies.head(400).replaced("country", names), countries)


def _with_countries(name: str, sheet: Sheet, countries: Sheet) -> Tables:
    """A sheet and the facts of the countries in it; rows of other countries go."""
    sheet = sheet.among("country", countries.columns["country"])
    known = countries.among("country", sheet.columns["country"])
    return {name: sheet, "countries": known.select(*_COUNTRY_FACTS)}


@_cut_from("r_SBCD", "r_UN98")
def _crises(crises: Sheet, countries: Sheet) -> Tables:
    countries = countries.renamed({"name": "country"})
    countries = countries.changed("country", lambda name: name.replace(".", " "))
    countries = countries.among("country", crises.columns["country"])
    facts = ("country", "region", "tfr", "lifeMale", "lifeFemale", "infantMortality", "GDPperCapita")
    known = set(countries.columns["country"])
    return {"crises": crises.among("country", known), "countries": countries.select(*facts)}


@_cut_from("r_Sacramento")
def _homes(homes: Sheet) -> Tables:
    import numpy as np  # those who only read questions need no numpy

    drawn = np.random.RandomState(1).permutation(len(homes.rows))[:450].tolist()  # its draws never change
    homes = homes.taken(sorted(drawn)).changed("zip", lambda code: code[1:])  # such as z95838
    homes = homes.changed("city", lambda city: city.replace("_", " ").title())
    return {
        "homes": homes.without("city", "latitude", "longitude"),
        "zips": homes.select("zip", "city").distinct("zip"),
    }
