"""The words that stand in the cells of Olympic tables; the names are written in `data/olympics`."""

from typing import Final

from neural_enquirer.synthesis.word_files import DATA, read_lists

_NAMES: Final = read_lists(DATA / "olympics" / "names.toml")
CITIES: Final = _NAMES["cities"]
COUNTRIES: Final = _NAMES["countries"]
RESERVED_CITIES: Final = _NAMES["reserved_cities"]
RESERVED_COUNTRIES: Final = _NAMES["reserved_countries"]
"""Names for the test set of unseen entities, each in place of the one at the same position above."""
CONTINENTS: Final = _NAMES["continents"]

_YEAR_NUMBERS: Final = range(1896, 2013, 4)
_OTHER_NUMBERS: Final = (
    10, 11, 12, 14, 15, 16, 17, 18, 19, 20, 21, 22, 24, 25, 28, 30, 32, 35, 36, 40, 45, 48, 50, 60, 75,
    80, 90, 100, 110, 120, 130, 150, 160, 180, 200, 220, 240, 250, 280, 300, 320, 350, 400, 450, 500, 600,
    700, 800, 960, 1_000, 1_200, 1_300, 1_500, 1_600, 1_800, 2_100, 2_300, 2_500, 2_800, 3_000, 3_200,
    3_500, 3_800, 4_000, 4_200, 4_500, 5_000, 5_500, 6_000, 6_500, 7_000, 7_500, 8_000, 9_000, 10_000,
    12_000, 15_000, 18_000, 20_000, 25_000, 30_000, 35_000, 40_000, 45_000, 50_000, 60_000, 67_000,
    75_000, 80_000, 90_000,
)  # fmt: skip

YEARS: Final = tuple(str(year) for year in _YEAR_NUMBERS)
"""The numbers that may be years, written without a separator wherever they stand."""

NUMBERS: Final = tuple(
    str(number) if number in _YEAR_NUMBERS else f"{number:,}"
    for number in sorted((*_YEAR_NUMBERS, *_OTHER_NUMBERS))
)
"""The one pool of numbers for all numeric fields, in rising order: comparing positions compares numbers."""
