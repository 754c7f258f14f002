"""The words that made-up values are put together from, written in `data/vocabulary/values.toml`."""

from typing import Final

from neural_enquirer.synthesis.word_files import DATA, WordLists

_WORDS: Final = WordLists(DATA / "vocabulary" / "values.toml")

FIRST_NAMES: Final = _WORDS.phrases("first_names")
LAST_NAMES: Final = _WORDS.phrases("last_names")
PARTICLES: Final = _WORDS.phrases("particles")
TITLES: Final = _WORDS.phrases("titles")
CITIES: Final = _WORDS.phrases("cities")
CITY_ENDINGS: Final = _WORDS.phrases("city_endings")
CITY_OPENINGS: Final = _WORDS.phrases("city_openings")
COUNTRIES: Final = _WORDS.phrases("countries")
COUNTRY_ENDINGS: Final = _WORDS.phrases("country_endings")
REGION_FORMS: Final = _WORDS.phrases("region_forms")
PLACE_FORMS: Final = _WORDS.phrases("place_forms")
STREET_ENDINGS: Final = _WORDS.phrases("street_endings")
JOINED_STREET_ENDINGS: Final = _WORDS.phrases("joined_street_endings")
COMPANY_WORDS: Final = _WORDS.phrases("company_words")
COMPANY_ENDINGS: Final = _WORDS.phrases("company_endings")
PRODUCT_WORDS: Final = _WORDS.phrases("product_words")
TEAM_WORDS: Final = _WORDS.phrases("team_words")
CLUBS: Final = _WORDS.phrases("clubs")
ADJECTIVES: Final = _WORDS.phrases("adjectives")
NOUNS: Final = _WORDS.phrases("nouns")
EVENTS: Final = _WORDS.phrases("events")
MAIL_DOMAINS: Final = _WORDS.phrases("mail_domains")
DOMAINS: Final = _WORDS.phrases("domains")
ONSETS: Final = _WORDS.phrases("onsets")
VOWELS: Final = _WORDS.phrases("vowels")
CODAS: Final = _WORDS.phrases("codas")
FIELD_NOUNS: Final = _WORDS.phrases("field_nouns")

_WORDS.finish()
