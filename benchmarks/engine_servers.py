"""A PostgreSQL server of one's own, and a Spark session, where these are installed: for tests and figures."""

import contextlib
import functools
import glob
import importlib.util
import os
import pwd
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

__all__ = ["has_postgres", "has_spark", "postgres", "spark_session"]


_JAVA: Final = 17


@functools.cache
def _postgres_programs() -> Path | None:
    known = shutil.which("pg_ctl")
    found = [known] if known else sorted(glob.glob("/usr/lib/postgresql/*/bin/pg_ctl"), reverse=True)
    return Path(found[0]).parent if found else None


def has_postgres() -> bool:
    """Whether a server can be started and spoken to."""
    return _postgres_programs() is not None and importlib.util.find_spec("psycopg") is not None


@functools.cache
def has_spark() -> bool:
    """Whether Spark can be started: it needs a Java runtime that is not too old."""
    if importlib.util.find_spec("pyspark") is None or shutil.which("java") is None:
        return False
    told = subprocess.run(["java", "-version"], capture_output=True, text=True, check=False).stderr
    version = re.search(r'version "(\d+)', told)
    return version is not None and int(version[1]) >= _JAVA


class Server:
    """A running PostgreSQL."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        user = "postgres" if os.getuid() == 0 else pwd.getpwuid(os.getuid()).pw_name
        self.address = f"postgresql://{user}:secret@/postgres?host={folder}"

    def start(self) -> None:
        """Starts it; it listens in its folder only."""
        options = f"-c listen_addresses='' -c unix_socket_directories='{self.folder}' -c fsync=off"
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-w", "-o", options, "-l",
                  str(self.folder / "log"), "start")  # fmt: skip

    def kill(self) -> None:
        """Ends it as a crash would."""
        pid = int((self.folder / "data" / "postmaster.pid").read_text().split()[0])
        os.kill(pid, signal.SIGQUIT)
        with contextlib.suppress(OSError):
            while True:
                os.kill(pid, 0)

    def stop(self) -> None:
        """Ends it."""
        with contextlib.suppress(subprocess.CalledProcessError):
            self._run("pg_ctl", "-D", str(self.folder / "data"), "-m", "immediate", "stop")

    def _run(self, program: str, *arguments: str) -> None:
        programs = _postgres_programs()
        assert programs is not None
        as_user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        subprocess.run(
            [*as_user, str(programs / program), *arguments],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
        )

    def make(self) -> None:
        """Makes an empty database, in the language of a country, whose order of letters is its own."""
        self._run("initdb", "-D", str(self.folder / "data"), "--auth=trust", "--encoding=UTF8",
                  "--locale=C.UTF-8", "--no-sync")  # fmt: skip


@contextlib.contextmanager
def postgres() -> Iterator[Server]:
    """A server that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="pg-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        if os.getuid() == 0:
            shutil.chown(folder, "postgres")
        server = Server(folder)
        server.make()
        server.start()
        try:
            yield server
        finally:
            server.stop()


_SMALL: Final = {
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
    "spark.driver.host": "127.0.0.1",
    "spark.default.parallelism": "1",
    "spark.log.level": "ERROR",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": "1",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}
"""What makes Spark quick where tables are tiny: it compiles nothing, and splits nothing."""


@functools.cache
def spark_session() -> Any:
    """The one Spark session."""
    from pyspark.sql import SparkSession

    session = SparkSession.builder.master("local[2]").config(map=_SMALL).getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session
