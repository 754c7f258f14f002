"""What the server does, apart from HTTP: keeps tables, has questions answered and figures drawn."""

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from neural_enquirer.asking.answer import Answer
from neural_enquirer.asking.enquirer import Enquirer
from neural_enquirer.asking.questions import check_question
from neural_enquirer.tables import Table
from neural_enquirer.web import uploads
from neural_enquirer.web.batching import Batcher, cells_of
from neural_enquirer.web.limits import Limits
from neural_enquirer.web.processes import AnsweringProcess, Tell, completed
from neural_enquirer.web.tables import KnownTable, TableStore
from neural_enquirer.web.wire import RequestError, busy

_Result = TypeVar("_Result")


class Service:
    """Everything behind the endpoints. Its threads live until `close`."""

    def __init__(
        self,
        enquirer: Enquirer,
        tables: Iterable[tuple[str, Table]],
        limits: Limits,
        corrections: Path | None = None,
        examples: Iterable[tuple[str, Table]] = (),
    ) -> None:
        """Takes a model, the tables that are there for everybody, and the file that keeps corrections."""
        self.limits = limits
        self.corrections = corrections
        self.model = enquirer.model
        self.tables = TableStore(limits, tables, examples=examples)
        several = limits.processes if limits.processes > 1 else 0
        self._processes = [AnsweringProcess(enquirer.model) for _ in range(several)]
        self._short = Batcher(self._processes or [enquirer], limits)
        self._long = Batcher([enquirer], limits)
        self._readers = ThreadPoolExecutor(2, "reads uploads")
        self._record_readers = ThreadPoolExecutor(1, "reads records")  # which need not wait for uploads
        self._drawers = ThreadPoolExecutor(1, "draws figures")  # matplotlib is not made for more
        self._uploads = asyncio.Semaphore(limits.uploads_at_once)
        self._figures = asyncio.Semaphore(limits.waiting_figures)
        for known in self.tables.preloaded:
            self._readers.submit(known.prepare)

    def close(self) -> None:
        """Ends the threads once the work at hand is done."""
        self._short.close()
        self._long.close()
        for process in self._processes:
            process.close()
        for pool in (self._readers, self._record_readers, self._drawers):
            pool.shutdown(wait=False, cancel_futures=True)

    async def upload(
        self, name: str, chunks: AsyncIterator[bytes], session: str
    ) -> tuple[KnownTable, tuple[str, ...]]:
        """Receives a file and keeps the table in it for a session; also says what was odd about it."""
        async with _one_of(self._uploads, "uploads"):
            content = await uploads.receive(chunks, self.limits.upload_bytes, self.limits.upload_seconds)
            read = await _run(self._readers, uploads.read_table, content, name, self.limits)
            known = self.tables.add(uploads.file_name(name), read.table, session)
            self._readers.submit(known.prepare)
            return known, read.warnings

    async def read_records(self, records: Sequence[dict[str, Any]]) -> Table:
        """Makes a table of the rows that came with a question."""
        return await _run(self._record_readers, uploads.read_records, records, self.limits)

    async def ask(
        self, tables: tuple[Table, ...], question: str, top: int = 5, tell: Tell = completed
    ) -> Any:
        """Answers a question, together with others that wait; `tell` makes of the answer what is wanted."""
        if len(question) > (most := self.limits.question_letters):
            raise RequestError(422, f"The question has {len(question):,} letters; ask with at most {most:,}.")
        if top > self.limits.top:
            raise RequestError(422, f"At most {self.limits.top:,} candidates can be listed, not {top:,}.")
        elsewhere = any(table.is_elsewhere for table in tables)
        is_long = elsewhere or cells_of(tables) > self.limits.batch_cells
        try:
            check_question(question)
            answer = (self._long if is_long else self._short).submit(tables, question, top, tell)
            return await asyncio.wrap_future(answer)
        except ValueError as error:
            if not type(error).__module__.startswith("neural_enquirer."):
                raise  # a fault of the program; its own kinds of ValueError are for people to read
            raise RequestError(422, f"{error}.") from None

    async def figure(self, tables: tuple[Table, ...], question: str, form: str) -> bytes:
        """Draws the steps that led to an answer."""
        async with _one_of(self._figures, "figures"):
            answer = await self.ask(tables, question)
            return await _run(self._drawers, _drawn, answer, form)


@contextlib.asynccontextmanager
async def _one_of(slots: asyncio.Semaphore, what: str) -> AsyncIterator[None]:
    """Does something that only so many may do at a time; the next one is told to come again."""
    if slots.locked():
        raise busy(what)
    async with slots:
        yield


async def _run(executor: Executor, work: Callable[..., _Result], *arguments: Any) -> _Result:
    return await asyncio.get_running_loop().run_in_executor(executor, work, *arguments)


def _drawn(answer: Answer, form: str) -> bytes:
    with tempfile.TemporaryDirectory(prefix="enquirer-") as folder:
        path = Path(folder) / f"why.{form}"
        answer.plot(path)
        return path.read_bytes()
