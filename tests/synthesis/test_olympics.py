import re

import numpy as np
import pytest

from neural_enquirer.synthesis.olympics import (
    CITIES,
    CONTINENTS,
    COUNTRIES,
    FIELD_NAMES,
    NUMBERS,
    RESERVED_CITIES,
    RESERVED_COUNTRIES,
    ROWS,
    WORDS,
    YEARS,
    sample_bounds,
    sample_tables,
)

NAMES = FIELD_NAMES


@pytest.fixture(scope="module")
def cells() -> np.ndarray:
    return sample_tables(np.random.default_rng(0), 3000)


def column(cells: np.ndarray, name: str) -> np.ndarray:
    return cells[:, :, NAMES.index(name)]


def test_there_are_240_words_and_120_reserved_ones() -> None:
    assert (len(CITIES), len(COUNTRIES), len(NUMBERS)) == (60, 60, 120)
    assert (len(RESERVED_CITIES), len(RESERVED_COUNTRIES)) == (60, 60)
    assert len(WORDS) == 240


def test_every_value_is_one_word_of_its_own() -> None:
    words = [word.lower() for word in (*WORDS, *RESERVED_CITIES, *RESERVED_COUNTRIES, *CONTINENTS)]

    assert len(set(words)) == len(words)
    assert all(re.fullmatch(r"[a-z]+|[0-9]+(,[0-9]{3})*", word) for word in words)


def test_numbers_rise_and_only_years_lack_the_separator() -> None:
    values = [int(word.replace(",", "")) for word in NUMBERS]

    assert values == sorted(set(values))
    assert all((word in YEARS) == ("," not in word) for word in NUMBERS if int(word.replace(",", "")) >= 1000)
    assert len(YEARS) == 30


def test_tables_are_ten_by_ten_with_words_of_the_right_kind(cells: np.ndarray) -> None:
    assert cells.shape == (3000, ROWS, 10)
    kinds = {"host_city": CITIES, "host_country": COUNTRIES, "year": YEARS}
    for name in NAMES:
        found = {WORDS[code] for code in np.unique(column(cells, name))}
        assert found == set(kinds.get(name, NUMBERS))


def test_years_do_not_repeat_in_a_table_but_cities_do(cells: np.ndarray) -> None:
    def repeats(name: str) -> np.ndarray:
        return np.array([len(set(values)) < ROWS for values in column(cells, name).tolist()])

    assert not repeats("year").any()
    # 10 draws out of 60 or 120 repeat in 54 % or 32 % of the tables.
    assert repeats("host_city").mean() == pytest.approx(0.54, abs=0.05)
    assert repeats("#_medals").mean() == pytest.approx(0.32, abs=0.05)


def test_a_country_that_hosts_twice_keeps_its_size_population_and_gdp(cells: np.ndarray) -> None:
    countries = column(cells, "host_country")
    same = countries[:, :, None] == countries[:, None, :]

    for name in ("GDP", "country_size", "population"):
        values = column(cells, name)
        assert (values[:, :, None] == values[:, None, :])[same].all()
    medals = column(cells, "#_medals")
    assert not (medals[:, :, None] == medals[:, None, :])[same].all()


def test_bounds_are_years_for_the_year_and_any_number_for_other_fields() -> None:
    fields = np.repeat([NAMES.index("year"), NAMES.index("GDP")], 5000).astype(np.int16)

    bounds = sample_bounds(np.random.default_rng(0), fields)

    assert {WORDS[code] for code in bounds[:5000]} == set(YEARS)
    assert {WORDS[code] for code in bounds[5000:]} == set(NUMBERS)
