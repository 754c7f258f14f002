"""The words that stand in the cells of Olympic tables."""

from typing import Final

__all__ = ["CITIES", "CONTINENTS", "COUNTRIES", "NUMBERS", "RESERVED_CITIES", "RESERVED_COUNTRIES", "YEARS"]


def _names(names: str) -> tuple[str, ...]:
    return tuple(names.split())


CITIES: Final = _names(
    """
    Athens Paris London Berlin Rome Madrid Lisbon Vienna Prague Warsaw Budapest Dublin Oslo Stockholm Helsinki
    Copenhagen Amsterdam Brussels Antwerp Munich Hamburg Milan Turin Barcelona Seville Moscow Kyiv Istanbul
    Ankara Cairo Nairobi Lagos Tunis Beijing Shanghai Nanjing Tokyo Osaka Nagoya Seoul Busan Delhi Mumbai
    Bangkok Jakarta Manila Hanoi Sydney Melbourne Brisbane Auckland Atlanta Chicago Boston Toronto Montreal
    Vancouver Lima Santiago Havana
    """
)

COUNTRIES: Final = _names(
    """
    Greece France Britain Germany Italy Spain Portugal Austria Czechia Poland Hungary Ireland Norway Sweden
    Finland Denmark Netherlands Belgium Switzerland Russia Ukraine Turkey Egypt Kenya Nigeria Tunisia Morocco
    Algeria Ethiopia Ghana China Japan Korea India Pakistan Bangladesh Thailand Indonesia Malaysia Philippines
    Vietnam Mongolia Kazakhstan Iran Iraq Israel Jordan Australia Canada Cuba Jamaica Brazil Argentina Chile
    Peru Colombia Venezuela Uruguay Bolivia Ecuador
    """
)

# Names that stand only in the test set for unseen entities. Each takes the place of the name at the same
# position above, so that this test set is the ordinary one with other names.
RESERVED_CITIES: Final = _names(
    """
    Macau Lyon Marseille Porto Geneva Zurich Basel Krakow Gdansk Leipzig Dresden Cologne Stuttgart Bremen
    Florence Naples Venice Palermo Genoa Valencia Bilbao Granada Malaga Rotterdam Utrecht Ghent Bergen Malmo
    Tampere Riga Vilnius Tallinn Sofia Bucharest Belgrade Zagreb Sarajevo Skopje Minsk Tbilisi Yerevan Baku
    Tehran Baghdad Amman Beirut Doha Dubai Karachi Lahore Dhaka Colombo Kathmandu Taipei Chengdu Wuhan Kobe
    Sapporo Casablanca Dakar
    """
)

RESERVED_COUNTRIES: Final = _names(
    """
    Afghanistan Albania Angola Armenia Azerbaijan Bahrain Barbados Belarus Belize Benin Bhutan Botswana
    Bulgaria Burundi Cambodia Cameroon Croatia Cyprus Eritrea Estonia Fiji Gabon Gambia Georgia Guyana Haiti
    Honduras Iceland Kyrgyzstan Laos Latvia Lebanon Lesotho Liberia Libya Lithuania Madagascar Malawi Maldives
    Malta Mauritius Moldova Montenegro Mozambique Myanmar Namibia Nepal Nicaragua Oman Paraguay Qatar Romania
    Rwanda Samoa Senegal Serbia Slovakia Slovenia Suriname Zambia
    """
)

CONTINENTS: Final = ("Africa", "America", "Asia", "Europe", "Oceania")

_YEAR_NUMBERS: Final = range(1896, 2013, 4)
_OTHER_NUMBERS: Final = (
    *(
        10,
        11,
        12,
        14,
        15,
        16,
        17,
        18,
        19,
        20,
        21,
        22,
        24,
        25,
        28,
        30,
        32,
        35,
        36,
        40,
        45,
        48,
        50,
        60,
        75,
        80,
        90,
    ),
    *(
        100,
        110,
        120,
        130,
        150,
        160,
        180,
        200,
        220,
        240,
        250,
        280,
        300,
        320,
        350,
        400,
        450,
        500,
        600,
        700,
        800,
        960,
    ),
    *(
        1_000,
        1_200,
        1_300,
        1_500,
        1_600,
        1_800,
        2_100,
        2_300,
        2_500,
        2_800,
        3_000,
        3_200,
        3_500,
        3_800,
        4_000,
    ),
    *(4_200, 4_500, 5_000, 5_500, 6_000, 6_500, 7_000, 7_500, 8_000, 9_000),
    *(10_000, 12_000, 15_000, 18_000, 20_000, 25_000, 30_000, 35_000, 40_000, 45_000, 50_000, 60_000, 67_000),
    *(75_000, 80_000, 90_000),
)

YEARS: Final = tuple(str(year) for year in _YEAR_NUMBERS)
"""The numbers that may be years, written without a separator wherever they stand."""

NUMBERS: Final = tuple(
    str(number) if number in _YEAR_NUMBERS else f"{number:,}"
    for number in sorted((*_YEAR_NUMBERS, *_OTHER_NUMBERS))
)
"""The one pool of numbers for all numeric fields, in rising order: comparing positions compares numbers."""
