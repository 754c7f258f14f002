"""Texts of tables in a line that people read: cut, without what a terminal might obey, listed, counted."""

from collections.abc import Iterable, Sequence

_HARMLESS = frozenset("\n\t\u200c\u200d")  # line ends, and what joins letters and emoji


def cut(text: str, most: int) -> str:
    """One line of at most so many characters."""
    start = one_line(text[: 2 * most])  # before anything is done with a cell of a million letters
    is_whole = len(start) <= most and len(text) <= 2 * most
    return start if is_whole else f"{start[: most - 3]}..."


def one_line(text: str) -> str:
    """The text without line breaks and other white space but blanks."""
    return printable(" ".join(text.split()))


def printable(text: str) -> str:
    """Shows control characters instead of sending them to the terminal, which might obey them."""
    if text.isprintable():
        return text
    return "".join(
        character
        if character.isprintable() or character in _HARMLESS
        else character.encode("unicode_escape").decode()
        for character in text
    )


def listed(parts: Iterable[str], last: str = "and") -> str:
    """The parts as a sentence has them: a, b and c."""
    listed = list(parts)
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} {last} {listed[-1]}"


def rows_told(rows: Sequence[int], most: int) -> str:
    """Some rows, which people count from 1: row 3; rows 1, 2 and 5 more."""
    told = [f"{row + 1:,}" for row in sorted(rows[:most])]
    more = [f"{len(rows) - most:,} more"] if len(rows) > most else []
    return f"row{'s' * (len(rows) > 1)} {listed(told + more)}"


def nth(place: int) -> str:
    """1st, 2nd, 3rd, 11th."""
    ending = "th" if place % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place:,}{ending}"
