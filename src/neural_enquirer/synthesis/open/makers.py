"""Makers of text values, and which values are for training, validation and testing.

The split of a value is a fixed function of its letters: no text of a training table is ever in a test table,
with whatever seeds they are drawn.
"""

import functools
import zlib
from collections.abc import Callable
from typing import Final

from neural_enquirer.synthesis.open.draw import Draw
from neural_enquirer.synthesis.open.value_words import (
    ADJECTIVES,
    CITIES,
    CITY_ENDINGS,
    CITY_OPENINGS,
    CLUBS,
    CODAS,
    COMPANY_ENDINGS,
    COMPANY_WORDS,
    COUNTRIES,
    COUNTRY_ENDINGS,
    DOMAINS,
    EVENTS,
    FIRST_NAMES,
    JOINED_STREET_ENDINGS,
    LAST_NAMES,
    MAIL_DOMAINS,
    NOUNS,
    ONSETS,
    PARTICLES,
    PLACE_FORMS,
    PRODUCT_WORDS,
    REGION_FORMS,
    STREET_ENDINGS,
    TEAM_WORDS,
    TITLES,
    VOWELS,
)

__all__ = ["MAKERS", "made_up_word", "pool", "share", "split_of_text"]

Maker = Callable[[Draw], str]

_POOL: Final = {"train": 5000, "validation": 1000, "test": 1000}
_FEWEST: Final = 4


def split_of_text(text: str) -> str:
    """The split whose tables may hold this text, its case aside."""
    number = zlib.crc32(text.casefold().encode()) % 20
    return "train" if number < 16 else "validation" if number < 18 else "test"


@functools.cache
def pool(maker: str, split: str) -> tuple[str, ...]:
    """Many values of one maker that belong to one split."""
    draw, make = Draw("pool", maker, split), MAKERS[maker]
    found: dict[str, str] = {}
    for _ in range(_POOL[split] * (2 if split == "train" else 12)):
        value = make(draw)
        if split_of_text(value) == split:
            found.setdefault(value.casefold(), value)
            if len(found) == _POOL[split]:
                break
    return tuple(found.values())


@functools.cache
def share(values: tuple[str, ...], split: str) -> tuple[str, ...]:
    """The values of a fixed list that belong to one split; too few are filled up with made-up words."""
    own = [value for value in values if split_of_text(value) == split]
    start = zlib.crc32("/".join(values).encode()) % (_POOL[split] // 2)
    made_up = pool("word", split)[start : start + max(0, _FEWEST - len(own))]
    capital = values[0][:1].isupper()
    return (*own, *(word.capitalize() if capital else word for word in made_up))


def made_up_word(draw: Draw) -> str:
    """A word of two or three syllables that means nothing."""
    syllables = [draw.of(ONSETS) + draw.of(VOWELS) for _ in range(2 if draw.chance(0.75) else 3)]
    return "".join(syllables) + (draw.of(CODAS) if draw.chance(0.75) else "")


def _name(draw: Draw) -> str:
    return made_up_word(draw).capitalize()


def _first_name(draw: Draw) -> str:
    return draw.of(FIRST_NAMES) if draw.chance(0.85) else _name(draw)


def _last_name(draw: Draw) -> str:
    return draw.of(LAST_NAMES) if draw.chance(0.75) else _name(draw)


def _person(draw: Draw) -> str:
    first, last, kind = _first_name(draw), _last_name(draw), draw.random()
    if kind < 0.78:
        return f"{first} {last}"
    if kind < 0.83:
        return f"{first} {draw.of('ABCDEFGHJKLMNPRSTW')}. {last}"
    if kind < 0.87:
        return f"{first} {draw.of(PARTICLES)} {last}"
    if kind < 0.91:
        return f"{first} {last}-{_last_name(draw)}"
    if kind < 0.94:
        return f"{last}, {first}"
    return f"{draw.of(TITLES)} {last}" if kind < 0.96 else f"{first[0]}. {last}"


def _city(draw: Draw) -> str:
    kind = draw.random()
    if kind < 0.6:
        return draw.of(CITIES)
    if kind < 0.85:
        return _name(draw) + draw.of(CITY_ENDINGS)
    return f"{draw.of(CITY_OPENINGS)} {_name(draw)}"


def _country(draw: Draw) -> str:
    kind = draw.random()
    if kind < 0.85:
        return draw.of(COUNTRIES)
    return _name(draw) + draw.of(COUNTRY_ENDINGS) if kind < 0.96 else f"Republic of {_name(draw)}"


def _region(draw: Draw) -> str:
    return draw.of(REGION_FORMS).replace("{n}", _name(draw))


def _company(draw: Draw) -> str:
    kind = draw.random()
    if kind < 0.35:
        return f"{draw.of(COMPANY_WORDS)}{draw.of(COMPANY_WORDS).lower()} {draw.of(COMPANY_ENDINGS)}"
    if kind < 0.55:
        return f"{_last_name(draw)} {draw.of(COMPANY_ENDINGS)}"
    if kind < 0.62:
        return f"{_last_name(draw)} & {_last_name(draw)}"
    if kind < 0.7:
        return "".join(draw.of("ABCDEFGHIKLMNOPRSTVWX") for _ in range(draw.between(2, 4)))
    if kind < 0.85:
        return f"{_name(draw)} {draw.of(COMPANY_ENDINGS)}"
    return _brand(draw)


def _brand(draw: Draw) -> str:
    kind = draw.random()
    if kind < 0.5:
        return _name(draw)
    if kind < 0.8:
        return draw.of(COMPANY_WORDS) + draw.of(COMPANY_WORDS + NOUNS).lower()
    return draw.of(COMPANY_WORDS) + draw.of(NOUNS) if kind < 0.9 else _last_name(draw)


def _title(draw: Draw) -> str:
    adjective, noun, other, kind = draw.of(ADJECTIVES), draw.of(NOUNS), draw.of(NOUNS), draw.random()
    if kind < 0.25:
        return f"The {adjective} {noun}"
    if kind < 0.45:
        return f"{adjective} {noun}"
    if kind < 0.6:
        return f"{noun} of the {other}"
    if kind < 0.68:
        return f"The {noun} and the {other}"
    if kind < 0.74:
        return f"{noun} {draw.between(2, 9)}"
    if kind < 0.8:
        return f"{noun}: {draw.of(('A', 'The'))} {adjective} {other}"
    if kind < 0.85:
        return f"{_first_name(draw)}'s {noun}"
    if kind < 0.9:
        return f"{adjective} {noun}s"
    return (
        f"{_name(draw)}" if kind < 0.95 else f"{_name(draw)} {draw.of(('in', 'at', 'of'))} {draw.of(CITIES)}"
    )


def _code(draw: Draw) -> str:
    letters = "".join(draw.of("ABCDEFGHJKLMNPQRSTUVWXYZ") for _ in range(draw.between(1, 3)))
    kind, number = draw.random(), draw.between(1, 9999)
    if kind < 0.35:
        return f"{letters}-{number}"
    if kind < 0.6:
        return f"{letters}{number}"
    if kind < 0.7:
        return f"{number:05d}"
    if kind < 0.8:
        return f"{letters} {number}"
    return (
        f"{letters}{number % 100}{draw.of('ABCDEFGHX')}"
        if kind < 0.9
        else f"{letters.lower()}_{number % 1000}"
    )


def _place(draw: Draw) -> str:
    kind = draw.random()
    if kind < 0.5:
        return draw.of(PLACE_FORMS).replace("{n}", _name(draw))
    if kind < 0.75:
        return draw.of(PLACE_FORMS).replace("{n}", _last_name(draw))
    return draw.of(PLACE_FORMS).replace("{n}", draw.of(ADJECTIVES if kind < 0.88 else NOUNS))


def _product(draw: Draw) -> str:
    kind = draw.random()
    if kind < 0.3:
        return f"{_brand(draw)} {draw.between(1, 99) * draw.of((1, 10, 100))}"
    if kind < 0.55:
        return f"{_brand(draw)} {draw.of(PRODUCT_WORDS)}"
    if kind < 0.75:
        return f"{_brand(draw)} {draw.of(PRODUCT_WORDS)} {draw.between(2, 20)}"
    if kind < 0.88:
        return f"{_brand(draw)} {draw.of('ABCDEGKLMRSTXZ')}{draw.between(1, 900)}"
    return (
        f"{draw.of(ADJECTIVES)} {draw.of(NOUNS)}" if kind < 0.95 else f"i{_name(draw)} {draw.between(2, 15)}"
    )


def _team(draw: Draw) -> str:
    kind = draw.random()
    home = draw.of(CITIES) if draw.chance(0.5) else _city(draw)
    if kind < 0.75:
        return f"{home} {draw.of(TEAM_WORDS)}"
    return f"{draw.of(CLUBS)} {home}" if kind < 0.9 else f"{draw.of(NOUNS)}s"


def _address(draw: Draw) -> str:
    street = draw.of((_name(draw), _last_name(draw), draw.of(NOUNS)))
    number = draw.between(1, 400)
    if draw.chance(0.8):
        return f"{number} {street} {draw.of(STREET_ENDINGS)}"
    return f"{street}{draw.of(JOINED_STREET_ENDINGS)} {number}"


def _street(draw: Draw) -> str:
    return f"{draw.of((_name(draw), _last_name(draw), draw.of(NOUNS)))} {draw.of(STREET_ENDINGS)}"


def _word(draw: Draw) -> str:
    return made_up_word(draw)


def _words(draw: Draw) -> str:
    kind = draw.random()
    if kind < 0.4:
        return _name(draw)
    if kind < 0.6:
        return made_up_word(draw)
    return f"{_name(draw)} {made_up_word(draw)}" if kind < 0.8 else f"{draw.of(ADJECTIVES)} {draw.of(NOUNS)}"


def _email(draw: Draw) -> str:
    first, last, domain = made_up_word(draw), made_up_word(draw), made_up_word(draw)
    return f"{first}.{last}@{domain}.{draw.of(MAIL_DOMAINS)}"


def _phone(draw: Draw) -> str:
    return f"+{draw.between(1, 99)} {draw.between(10, 999)} {draw.between(1000, 999999)}"


def _url(draw: Draw) -> str:
    return f"www.{made_up_word(draw)}{draw.of(('', '-' + made_up_word(draw)))}.{draw.of(DOMAINS)}"


def _event(draw: Draw) -> str:
    place = draw.of((draw.of(CITIES), _name(draw), draw.of(ADJECTIVES)))
    return f"{place} {draw.of(EVENTS)}" + (f" {draw.between(1980, 2024)}" if draw.chance(0.15) else "")


def _mission(draw: Draw) -> str:
    return f"{draw.of((_name(draw), draw.of(NOUNS)))}{draw.of((' ', ' ', '-'))}{draw.between(1, 40)}"


def _species(draw: Draw) -> str:
    kind = draw.random()
    if kind < 0.4:
        return f"{_name(draw)} {made_up_word(draw)}"
    return (
        f"{draw.of(ADJECTIVES)} {draw.of(NOUNS).lower()}"
        if kind < 0.8
        else f"{draw.of(ADJECTIVES)}-{draw.of(NOUNS).lower()}"
    )


def _note(draw: Draw) -> str:
    count = draw.between(2, 5)
    return " ".join(
        draw.of((made_up_word(draw), draw.of(NOUNS).lower(), draw.of(ADJECTIVES).lower()))
        for _ in range(count)
    )


MAKERS: Final[dict[str, Maker]] = {
    "address": _address,
    "artist": _person,
    "book": _title,
    "brand": _brand,
    "building": _place,
    "city": _city,
    "code": _code,
    "company": _company,
    "country": _country,
    "email": _email,
    "event": _event,
    "film": _title,
    "first_name": _first_name,
    "id": _code,
    "last_name": _last_name,
    "mission": _mission,
    "model": _product,
    "name": _person,
    "note": _note,
    "organisation": _company,
    "organization": _company,
    "person": _person,
    "phone": _phone,
    "place": _place,
    "product": _product,
    "region": _region,
    "school": _place,
    "species": _species,
    "street": _street,
    "team": _team,
    "title": _title,
    "url": _url,
    "word": _word,
    "words": _words,
}
"""The makers by name."""
