"""Text as linking sees it: words without case, accents and punctuation, the same for questions and tables."""

import functools
import re
import unicodedata
from collections.abc import Sequence

# A number with its separators (commas only between thousands: "3,4 and 5 June" has three numbers), a run of
# letters, a sign of comparison, or a sign behind one or two letters (A+, AB-, C#).
_WORD = re.compile(
    r"\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)*|[^\W\d_]+|[<>=≤≥]"
    r"|(?:(?<=\b[a-z])|(?<=\b[a-z]{2}))[+\-♯♭#](?!\w)"
)
_WORD_OR_END = re.compile(rf"{_WORD.pattern}|\n")
_POSSESSIVE = re.compile(r"['’`´][sS]\b")
_INITIALS = re.compile(r"\b[^\W\d_]\.(?: ?[^\W\d_]\.)+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_COMPOUND = re.compile(r"(?<=[a-z]{3})(?=[A-Z][a-z]{2})")
_ONE_WORD = re.compile(r"^[A-Za-z]+$", re.MULTILINE)
_ASIDE = re.compile(r"[(\[{].*?[)\]}]")

STOP_WORDS = frozenset([
    "a", "an", "the", "of", "in", "on", "at", "to", "for", "from", "by", "with", "and", "or", "is", "are",
    "was", "were", "be", "been", "has", "have", "had", "do", "does", "did", "it", "its", "as", "that",
    "this", "these", "those", "which", "what", "who", "whom", "whose", "where", "when", "how", "than",
    "there", "their", "his", "her", "them", "they", "me", "my", "i", "you", "your", "we", "our", "us",
    "he", "she", "if", "not", "no", "so", "please",
])  # fmt: skip
"""Words that are too common to point at a header or a cell by themselves."""

NEVER_LAST = frozenset(["a", "an", "the", "no", "and", "or", "my", "your", "our", "i"])
"""Those of them that no phrase ends with: before a comma they are values, as in "with a wing of no, and"."""


def fold(text: str) -> str:
    """Takes case, accents, possessives and the dots of initials away: "São Paulo's U.S. fans"."""
    return plain(text.casefold())


def plain(text: str) -> str:
    """Takes all of that away but case."""
    if not text.isascii():
        text = "\n".join([line if line.isascii() else _unaccented(line) for line in text.split("\n")])
    if "." in text:
        text = _INITIALS.sub(lambda match: match[0].replace(".", "").replace(" ", ""), text)
    return _POSSESSIVE.sub("", text)


def _unaccented(text: str) -> str:
    apart = unicodedata.normalize("NFKD", text)
    return "".join([sign for sign in apart if not unicodedata.combining(sign)])


def words_of(text: str) -> list[str]:
    """Cuts text into folded words."""
    return _WORD.findall(fold(text))


def places_of(folded: str) -> list[tuple[int, int]]:
    """Returns where the words of a folded text stand in it."""
    return [match.span() for match in _WORD.finditer(folded)]


@functools.lru_cache(maxsize=65536)
def phrase_of(text: str) -> str:
    """Returns the folded words of a cell with one space between and around them; 1,200 is 1200."""
    return phrases_of([text])[0]


def phrases_of(texts: Sequence[str]) -> list[str]:
    """Returns the phrase of each cell; all are folded at once, a line each, which takes half of the time."""
    lines = "\n".join(["", *texts])
    if lines.count("\n") > len(texts):
        lines = "\n".join(["", *[text.replace("\n", "\r") for text in texts]])
    if _COMPOUND.search(lines):
        lines = _ONE_WORD.sub(lambda match: _COMPOUND.sub(" ", match[0]), lines)
    lines = lines.replace("\n@", "\nat ").replace("♀", " female ").replace("♂", " male ")  # @: as visitors
    words = f" {' '.join(_WORD_OR_END.findall(fold(lines)))} ".replace(",", "")
    return ["" if line == " " else line for line in words.split("\n")[1:]]


@functools.lru_cache(maxsize=16384)
def header_words(header: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Returns the words of a header in any style, and those in brackets: `Runtime (min)`, `gdp_usd_bn`."""
    spaced = header.replace("#", " number ").replace("%", " percent ").replace("_", " ")
    aside = " ".join(_ASIDE.findall(spaced))
    main = _split_humps(_ASIDE.sub(" ", spaced))
    return (main, _split_humps(aside)) if main else (_split_humps(spaced), ())


def _split_humps(text: str) -> tuple[str, ...]:
    return tuple(word for word in words_of(_HUMP.sub(" ", text)) if word not in "<>=≤≥")


@functools.lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Takes the endings of plurals and verbs away: `hired` meets `hire_date`, `cities` meets `city`.

    Deliberately light: two words with one stem should mean the same to everybody.
    """
    if len(word) < 4 or not word.isalpha():
        return word
    if word.endswith(("ies", "ie")) and len(word) > 4:
        word = word.removesuffix("s")[:-2] + "y"
    elif word.endswith(("sses", "xes", "ches", "shes", "zes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            if word[-1] == word[-2] and word[-1] not in "lsz":
                word = word[:-1]
            break
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@functools.lru_cache(maxsize=4096)
def one_edit_away(word: str) -> frozenset[str]:
    """Returns what a word could have been before one letter was lost, added, changed or swapped."""
    cuts = [(word[:i], word[i:]) for i in range(len(word) + 1)]
    near = {a + b[1:] for a, b in cuts if b}
    near |= {a + b[1] + b[0] + b[2:] for a, b in cuts if len(b) > 1}
    near |= {a + letter + b[1:] for a, b in cuts if b for letter in _LETTERS}
    near |= {a + letter + b for a, b in cuts for letter in _LETTERS}
    return frozenset(near)


_DERIVED = re.compile(
    r"(?<=[a-z]{4})(?:ization|isation|ational|fulness|iveness|ation|ition|ment|ness|ship|hood|ible|able|ance|ence|ure"
    r"|ally|ancy|ency|ial|ian|ia|ion|ist|ism|ity|ive|ful|ous|ant|ent|ual|cy|er|or|al|ly|ic|an|y)$"
)
_SHORTEST_ROOT = 4


@functools.lru_cache(maxsize=65536)
def root(word: str) -> str:
    """Takes the endings of derived words away, two at most: managerial and managed are of manag."""
    base = _DERIVED.sub("", _DERIVED.sub("", stem(word)))
    if base.endswith("ns") and len(base) > _SHORTEST_ROOT:
        base = f"{base[:-1]}d"  # responses, to respond
    doubled = base[-1:] == base[-2:-1] and base[-1:] not in "lsz"  # swimmer, swimming
    return base[:-1] if doubled or (base.endswith("e") and len(base) > _SHORTEST_ROOT) else base


_DENIED = re.compile(r"^(?:un|non|in|im|dis)(?=[a-z]{4})")


def denied(word: str) -> str:
    """What a word says is not so: `paid` of unpaid; the word itself where it denies nothing."""
    return _DENIED.sub("", word)
