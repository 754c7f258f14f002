"""Bytes to text: UTF-8 or UTF-16 if it is that, else Windows-1252; a warning says where it is a guess."""

import re

from neural_enquirer.tables.raw_table import KNOWN_FORMATS, TableError, warn

_UTF8_MARK = b"\xef\xbb\xbf"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_UTF32_MARKS = (b"\xff\xfe\0\0", b"\0\0\xfe\xff")
_HEAD = 4096  # bytes in which to look for signs of an encoding
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x19\x1b-\x1f]")  # \x1a ends text of DOS


def decoded(content: bytes, name: str) -> str:
    """The text that a file holds, without its byte-order mark.

    Raises:
        TableError: where it is no text, or in an encoding that cannot be told.
    """
    if content.startswith(_UTF32_MARKS):
        raise TableError(f"{name} is UTF-32 text; save it as UTF-8")
    if content.startswith(_UTF16_MARKS):
        try:
            return content.decode("utf-16")
        except UnicodeError:
            raise TableError(f"{name} begins as UTF-16 text but is not; save it as UTF-8") from None
    unmarked = _utf16_without_mark(content)
    if unmarked is not None:
        warn(f"{name} was read as UTF-16 text without a byte-order mark")
        return unmarked
    if b"\0" in content[:_HEAD]:
        raise _no_text(name)
    try:
        return content.removeprefix(_UTF8_MARK).decode()
    except UnicodeDecodeError:
        return _other_than_utf8(content, name)


def _utf16_without_mark(content: bytes) -> str | None:
    """The text if it plainly is UTF-16: in its beginning, every other byte is 0 nearly everywhere."""
    head = content[:_HEAD]
    zeros = [head[start::2].count(0) for start in (0, 1)]
    half_of_letters = len(head) / 4
    if not head or len(content) % 2 or min(zeros) > 0 or max(zeros) < half_of_letters:
        return None
    encoding = "utf-16-be" if zeros[0] else "utf-16-le"
    try:
        text = content.decode(encoding)
    except UnicodeError:
        return None
    return None if _CONTROLS.search(text) else text


def _other_than_utf8(content: bytes, name: str) -> str:
    mended = content.removeprefix(_UTF8_MARK).decode(errors="replace")
    broken = mended.count("\ufffd")
    if broken < sum(not letter.isascii() for letter in mended) - broken:
        line = 1 + mended[: mended.index("\ufffd")].count("\n")
        warn(f"{name} is not UTF-8 throughout, first in line {line}; what cannot be read is shown as \ufffd")
        return mended
    try:
        text = content.decode("windows-1252")
    except UnicodeDecodeError:
        raise TableError(f"{name} is neither UTF-8 nor Windows-1252 text; save it as UTF-8") from None
    if _CONTROLS.search(text):
        raise _no_text(name)
    warn(f"{name} is not UTF-8 text and was read as Windows-1252; if letters are wrong, save it as UTF-8")
    return text


def _no_text(name: str) -> TableError:
    return TableError(f"{name} is not a text file; give a table as {KNOWN_FORMATS}")
