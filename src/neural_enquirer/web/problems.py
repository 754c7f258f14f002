"""What a client is told when a request is turned away: a status and one plain sentence."""


class RequestError(Exception):
    """A request that is turned away.

    Attributes:
        status: of the HTTP response.
        sentence: what is wrong and what to do.
    """

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence


def busy(what: str) -> RequestError:
    """Too much at once: the client may come again."""
    return RequestError(503, f"The server has too many {what} at once; try again in a moment.")
