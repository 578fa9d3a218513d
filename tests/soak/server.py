"""A server program under test: it is started, watched from outside through /proc, and ended."""

import dataclasses
import os
import pathlib
import select
import signal
import subprocess
import tempfile
import time
from typing import Callable, Optional

START_BOUND_S = 60.0  # bounds a hang; a start takes milliseconds
STOP_BOUND_S = 60.0
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
ANNOUNCEMENT = b"listening on "


@dataclasses.dataclass(frozen=True)
class Figures:
    """What the system knows about a process."""

    descriptors: int
    threads: int
    rss_kib: int
    cpu_s: float


def figures_of(pid: int) -> Figures:
    process = pathlib.Path(f"/proc/{pid}")
    status = dict(
        line.split(":", 1) for line in (process / "status").read_text().splitlines() if ":" in line
    )
    times = (process / "stat").read_text().rpartition(")")[2].split()
    return Figures(
        descriptors=len(os.listdir(process / "fd")),
        threads=int(status["Threads"]),
        rss_kib=int(status["VmRSS"].split()[0]),
        cpu_s=(int(times[11]) + int(times[12])) / TICKS_PER_SECOND,
    )


def knows_flag(command: list[str], flag: str) -> bool:
    """Whether the help of a program or command tells of a flag."""
    shown = subprocess.run([*command, "--help"], capture_output=True, text=True)
    return flag in shown.stdout


class Server:
    """A running server; a context manager that ends it.

    `announced` is how many addresses it says it listens at. Errors: RuntimeError when it does not
    begin to listen. `prepare` runs in the new process before the program does.
    """

    def __init__(
        self,
        command: list[str],
        *,
        announced: int = 1,
        prepare: Optional[Callable[[], None]] = None,
    ):
        self.command = command
        self._log = tempfile.TemporaryFile()
        surroundings = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("OPENENV_", "MAX_CONCURRENT_ENVS"))
        }
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env=surroundings,
            preexec_fn=prepare,
        )
        self.pid = self.process.pid
        try:
            self.addresses = self._wait_for_addresses(announced)
        except BaseException:
            self.kill()
            raise
        web = next(a for a in self.addresses if a.startswith("http://"))
        host, _, port = web.removeprefix("http://").rpartition(":")
        self.host, self.port = host, int(port)

    def _wait_for_addresses(self, announced: int) -> list[str]:
        output, text = self.process.stdout.fileno(), b""
        until = time.monotonic() + START_BOUND_S
        while True:
            lines = text.split(b"\n")[:-1]
            found = [line for line in lines if line.startswith(ANNOUNCEMENT)]
            if len(found) >= announced:
                return [line.removeprefix(ANNOUNCEMENT).decode().strip() for line in found]
            ready, _, _ = select.select([output], [], [], max(0.0, until - time.monotonic()))
            more = os.read(output, 4096) if ready else b""
            if not more:
                raise RuntimeError(f"{self.command} does not listen: {self.log()}")
            text += more

    def figures(self) -> Figures:
        return figures_of(self.pid)

    def log(self) -> str:
        """What it wrote to its standard error so far, at most the last 20,000 bytes."""
        size = self._log.seek(0, os.SEEK_END)
        self._log.seek(max(0, size - 20000))
        return self._log.read().decode(errors="replace")

    def is_running(self) -> bool:
        return self.process.poll() is None

    def ask_to_stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)

    def wait(self) -> int:
        """The exit status. Errors: RuntimeError when it does not end."""
        try:
            return self.process.wait(timeout=STOP_BOUND_S)
        except subprocess.TimeoutExpired:
            self.kill()
            raise RuntimeError(f"{self.command} did not end: {self.log()}") from None

    def stop(self) -> int:
        if self.is_running():
            self.ask_to_stop()
        return self.wait()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self.process.stdout.close()
        self._log.close()
