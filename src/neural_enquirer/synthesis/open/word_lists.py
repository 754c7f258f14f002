"""Lists of words that are easier to read as one text."""

__all__ = ["listed"]


def listed(text: str, sign: str | None = None) -> tuple[str, ...]:
    """The parts of a text, between spaces or between other signs."""
    return tuple(text.split(sign))
