"""Reads a text word by word, for the parsers of programs and of the paper's logical forms."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from neural_enquirer.programs.language import ProgramError


@dataclass(frozen=True)
class Token:
    """A piece of the text; quoted ones are never keywords and always text."""

    text: str
    kind: str  # quoted, literal, word or mark: the group of the pattern that found it


class TokenReader:
    """Takes tokens from left to right."""

    def __init__(self, text: str, pattern: re.Pattern[str], unquote: Callable[[str], str]) -> None:
        """Cuts a text into tokens; the groups of the pattern name their kinds.

        Raises:
            ProgramError: if some of it is no token.
        """
        self.text = text
        self._next = 0
        self._tokens: list[Token] = []
        position, end = 0, len(text.rstrip())
        while position < end:
            match = pattern.match(text, position)
            if match is None or match.lastgroup is None:
                raise ProgramError(f"cannot read the program from {text[position:].strip()!r} on")
            found, kind = match[match.lastgroup], match.lastgroup
            if kind == "quoted":
                try:
                    found = unquote(found)
                except ValueError:
                    raise ProgramError(f"cannot read what stands in quotes: {found!r}") from None
            self._tokens.append(Token(found, kind))
            position = match.end()

    def peek(self, ahead: int = 0) -> Token | None:
        """The next token, or one behind it."""
        place = self._next + ahead
        return self._tokens[place] if place < len(self._tokens) else None

    def peeks(self, kind: str) -> bool:
        """Whether the next token is of a kind."""
        token = self.peek()
        return token is not None and token.kind == kind

    def peeks_mark(self, mark: str, ahead: int = 0) -> bool:
        """Whether a mark is next."""
        return self.peek(ahead) == Token(mark, "mark")

    def skip(self, count: int = 1) -> None:
        """Takes tokens that were looked at."""
        self._next += count

    def take(self, wanted: str, *kinds: str) -> Token:
        """Takes a token of some kinds."""
        token = self.peek()
        if token is None or token.kind not in kinds:
            raise self.error(wanted)
        self.skip()
        return token

    def keyword(self, word: str) -> bool:
        """Takes a keyword, if it is next."""
        token = self.peek()
        found = token is not None and token.kind == "word" and token.text.lower() == word
        self._next += found
        return found

    def mark(self, mark: str) -> bool:
        """Takes a mark, if it is next."""
        found = self.peeks_mark(mark)
        self._next += found
        return found

    def expect(self, mark: str) -> None:
        """Takes a mark that must be next."""
        if not self.mark(mark):
            raise self.error(f"'{mark}'")

    def expect_word(self, word: str) -> None:
        """Takes a keyword that must be next."""
        if not self.keyword(word):
            raise self.error(f"'{word}'")

    def expect_end(self) -> None:
        """Checks that all was taken."""
        if self.peek() is not None:
            raise self.error("the end")

    def error(self, wanted: str) -> ProgramError:
        """Says what was expected, and what is there."""
        token, before = self.peek(), self.peek(-1) if self._next else None
        found = "the end" if token is None else f"'{token.text}'"
        two_words = token is not None and before is not None and token.kind == before.kind == "word"
        hint = " (names and values of several words stand in double quotes)" * two_words
        return ProgramError(f"expected {wanted} but found {found} in the program: {self.text}{hint}")
