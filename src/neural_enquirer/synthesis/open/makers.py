"""Makers of text values, and which values are for training, validation and testing.

The split of a value is a fixed function of its letters: no text of a training table is ever in a test table,
with whatever seeds they are drawn.
"""

import functools
import zlib
from collections.abc import Callable
from typing import Final

from neural_enquirer.synthesis.open.draw import Draw
from neural_enquirer.synthesis.open.shapes import VALUES

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


def _one(draw: Draw, name: str) -> str:
    """One of the words of a list."""
    return draw.of(VALUES[name])


def made_up_word(draw: Draw) -> str:
    """A word of two or three syllables that means nothing."""
    syllables = [_one(draw, "onsets") + _one(draw, "vowels") for _ in range(2 if draw.chance(0.75) else 3)]
    return "".join(syllables) + (_one(draw, "codas") if draw.chance(0.75) else "")


def _name(draw: Draw) -> str:
    return made_up_word(draw).capitalize()


def _first_name(draw: Draw) -> str:
    return _one(draw, "first_names") if draw.chance(0.85) else _name(draw)


def _last_name(draw: Draw) -> str:
    return _one(draw, "last_names") if draw.chance(0.75) else _name(draw)


def _person(draw: Draw) -> str:
    first, last, kind = _first_name(draw), _last_name(draw), draw.random()
    if kind < 0.78:
        return f"{first} {last}"
    if kind < 0.83:
        return f"{first} {draw.of('ABCDEFGHJKLMNPRSTW')}. {last}"
    if kind < 0.87:
        return f"{first} {_one(draw, 'particles')} {last}"
    if kind < 0.91:
        return f"{first} {last}-{_last_name(draw)}"
    if kind < 0.94:
        return f"{last}, {first}"
    return f"{_one(draw, 'titles')} {last}" if kind < 0.96 else f"{first[0]}. {last}"


def _city(draw: Draw) -> str:
    kind = draw.random()
    if kind < 0.6:
        return _one(draw, "cities")
    if kind < 0.85:
        return _name(draw) + _one(draw, "city_endings")
    return f"{_one(draw, 'city_openings')} {_name(draw)}"


def _country(draw: Draw) -> str:
    kind = draw.random()
    if kind < 0.85:
        return _one(draw, "countries")
    return _name(draw) + _one(draw, "country_endings") if kind < 0.96 else f"Republic of {_name(draw)}"


def _region(draw: Draw) -> str:
    return _one(draw, "region_forms").replace("{n}", _name(draw))


def _company(draw: Draw) -> str:
    kind = draw.random()
    if kind < 0.35:
        first, second = _one(draw, "company_words"), _one(draw, "company_words").lower()
        return f"{first}{second} {_one(draw, 'company_endings')}"
    if kind < 0.55:
        return f"{_last_name(draw)} {_one(draw, 'company_endings')}"
    if kind < 0.62:
        return f"{_last_name(draw)} & {_last_name(draw)}"
    if kind < 0.7:
        return "".join(draw.of("ABCDEFGHIKLMNOPRSTVWX") for _ in range(draw.between(2, 4)))
    if kind < 0.85:
        return f"{_name(draw)} {_one(draw, 'company_endings')}"
    return _brand(draw)


def _brand(draw: Draw) -> str:
    kind = draw.random()
    if kind < 0.5:
        return _name(draw)
    if kind < 0.8:
        return _one(draw, "company_words") + draw.of(VALUES["company_words"] + VALUES["nouns"]).lower()
    return _one(draw, "company_words") + _one(draw, "nouns") if kind < 0.9 else _last_name(draw)


def _title(draw: Draw) -> str:
    adjective, noun, other, kind = (
        _one(draw, "adjectives"),
        _one(draw, "nouns"),
        _one(draw, "nouns"),
        draw.random(),
    )
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
        f"{_name(draw)}"
        if kind < 0.95
        else f"{_name(draw)} {draw.of(('in', 'at', 'of'))} {_one(draw, 'cities')}"
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
        return _one(draw, "place_forms").replace("{n}", _name(draw))
    if kind < 0.75:
        return _one(draw, "place_forms").replace("{n}", _last_name(draw))
    return _one(draw, "place_forms").replace("{n}", draw.of(VALUES["adjectives" if kind < 0.88 else "nouns"]))


def _product(draw: Draw) -> str:
    kind = draw.random()
    if kind < 0.3:
        return f"{_brand(draw)} {draw.between(1, 99) * draw.of((1, 10, 100))}"
    if kind < 0.55:
        return f"{_brand(draw)} {_one(draw, 'product_words')}"
    if kind < 0.75:
        return f"{_brand(draw)} {_one(draw, 'product_words')} {draw.between(2, 20)}"
    if kind < 0.88:
        return f"{_brand(draw)} {draw.of('ABCDEGKLMRSTXZ')}{draw.between(1, 900)}"
    return (
        f"{_one(draw, 'adjectives')} {_one(draw, 'nouns')}"
        if kind < 0.95
        else f"i{_name(draw)} {draw.between(2, 15)}"
    )


def _team(draw: Draw) -> str:
    kind = draw.random()
    home = _one(draw, "cities") if draw.chance(0.5) else _city(draw)
    if kind < 0.75:
        return f"{home} {_one(draw, 'team_words')}"
    return f"{_one(draw, 'clubs')} {home}" if kind < 0.9 else f"{_one(draw, 'nouns')}s"


def _address(draw: Draw) -> str:
    street = draw.of((_name(draw), _last_name(draw), _one(draw, "nouns")))
    number = draw.between(1, 400)
    if draw.chance(0.8):
        return f"{number} {street} {_one(draw, 'street_endings')}"
    return f"{street}{_one(draw, 'joined_street_endings')} {number}"


def _street(draw: Draw) -> str:
    return f"{draw.of((_name(draw), _last_name(draw), _one(draw, 'nouns')))} {_one(draw, 'street_endings')}"


def _word(draw: Draw) -> str:
    return made_up_word(draw)


def _words(draw: Draw) -> str:
    kind = draw.random()
    if kind < 0.4:
        return _name(draw)
    if kind < 0.6:
        return made_up_word(draw)
    return (
        f"{_name(draw)} {made_up_word(draw)}"
        if kind < 0.8
        else f"{_one(draw, 'adjectives')} {_one(draw, 'nouns')}"
    )


def _email(draw: Draw) -> str:
    first, last, domain = made_up_word(draw), made_up_word(draw), made_up_word(draw)
    return f"{first}.{last}@{domain}.{_one(draw, 'mail_domains')}"


def _phone(draw: Draw) -> str:
    return f"+{draw.between(1, 99)} {draw.between(10, 999)} {draw.between(1000, 999999)}"


def _url(draw: Draw) -> str:
    return f"www.{made_up_word(draw)}{draw.of(('', '-' + made_up_word(draw)))}.{_one(draw, 'domains')}"


def _event(draw: Draw) -> str:
    place = draw.of((_one(draw, "cities"), _name(draw), _one(draw, "adjectives")))
    return f"{place} {_one(draw, 'events')}" + (f" {draw.between(1980, 2024)}" if draw.chance(0.15) else "")


def _mission(draw: Draw) -> str:
    return f"{draw.of((_name(draw), _one(draw, 'nouns')))}{draw.of((' ', ' ', '-'))}{draw.between(1, 40)}"


def _species(draw: Draw) -> str:
    kind = draw.random()
    if kind < 0.4:
        return f"{_name(draw)} {made_up_word(draw)}"
    return (
        f"{_one(draw, 'adjectives')} {_one(draw, 'nouns').lower()}"
        if kind < 0.8
        else f"{_one(draw, 'adjectives')}-{_one(draw, 'nouns').lower()}"
    )


def _note(draw: Draw) -> str:
    count = draw.between(2, 5)
    return " ".join(
        draw.of((made_up_word(draw), _one(draw, "nouns").lower(), _one(draw, "adjectives").lower()))
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
