"""Starts the server under test: our program `openenv`, or the Python reference.

`OPENENV_SERVER` chooses: `ours` (the default; the program is named by `OPENENV_BINARY`, and a
missing one is an error, never a skip) or `reference`. Both print `listening on URL` when ready.
The environment `faults` is a program of its own on both sides; ours lies beside `openenv`.
`OPENENV_REFERENCE_PYTHON` names the interpreter of the reference, when it is not this one.
"""

import os
import queue
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Optional

REFERENCE_SCRIPTS = {
    name: Path(__file__).with_name(f"reference_{name}.py") for name in ("echo", "faults")
}
START_BOUND_S = 120.0  # bounds a hang; a start takes milliseconds (ours) or seconds (reference)
STOP_BOUND_S = 60.0
PROXY_VARIABLES = {"http_proxy", "https_proxy", "all_proxy", "no_proxy"}


def server_kind() -> str:
    kind = os.environ.get("OPENENV_SERVER", "ours")
    if kind not in ("ours", "reference"):
        raise ValueError(f"OPENENV_SERVER must be ours or reference, got {kind!r}")
    return kind


def our_program(sibling: str = "") -> str:
    """Our program `openenv`, or another one that was built beside it."""
    program = os.environ.get("OPENENV_BINARY")
    if not program:
        raise RuntimeError("OPENENV_BINARY must name our program `openenv`")
    if sibling:
        program = str(Path(program).with_name(sibling))
    if not os.access(program, os.X_OK):
        raise RuntimeError(f"OPENENV_BINARY is not an executable file: {program}")
    return program


class TalkingProcess:
    """A running program; its output is read line by line, and its standard error kept as a log."""

    def __init__(self, command: list[str], **settings: Any):
        self.command = command
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **settings
        )
        self.log: list[str] = []
        self._lines: "queue.Queue[Optional[str]]" = queue.Queue()
        self._readers = [
            threading.Thread(target=self._read_output, daemon=True),
            threading.Thread(target=self._read_log, daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def _read_output(self) -> None:
        for line in self.process.stdout:
            self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def _read_log(self) -> None:
        for line in self.process.stderr:
            self.log.append(line.rstrip("\n"))

    def _finish_readers(self) -> None:
        for reader in self._readers:
            reader.join()
        self.process.stdout.close()
        self.process.stderr.close()


class ServerProcess(TalkingProcess):
    """A running server; a context manager that ends it."""

    def __init__(
        self,
        environment: str = "echo",
        *,
        max_concurrent_envs: Optional[int] = 64,
        mode: str = "simulation",
        port: int = 0,
        kind: Optional[str] = None,
        variables: Optional[dict[str, str]] = None,
    ):
        kind = kind or server_kind()
        surroundings = {
            name: value
            for name, value in os.environ.items()
            if name.lower() not in PROXY_VARIABLES
        }
        surroundings |= {"OPENENV_MODE": mode, **(variables or {})}
        if kind == "reference":
            if environment not in REFERENCE_SCRIPTS:
                raise ValueError(f"the reference server has no {environment}")
            interpreter = os.environ.get("OPENENV_REFERENCE_PYTHON", sys.executable)
            command = [interpreter, str(REFERENCE_SCRIPTS[environment])]
        elif environment == "faults":
            command = [our_program("openenv_faults_env")]
        else:
            command = [our_program(), "serve", environment]
        command += ["--port", str(port)]
        if max_concurrent_envs is not None:
            command += ["--max-concurrent-envs", str(max_concurrent_envs)]

        super().__init__(command, env=surroundings)
        self.url = self._wait_until_listening()
        self.port = int(self.url.rsplit(":", 1)[1])

    def _wait_until_listening(self) -> str:
        prefix = "listening on "
        while True:
            try:
                line = self._lines.get(timeout=START_BOUND_S)
            except queue.Empty:
                self.process.kill()
                raise RuntimeError(f"no address from {self.command}: {self.log}")
            if line is None:
                self.process.wait()
                self._finish_readers()
                raise RuntimeError(
                    f"{self.command} ended at start with status "
                    f"{self.process.returncode}: {self.log}"
                )
            if line.startswith(prefix):
                return line.removeprefix(prefix).strip()

    def stop(self) -> int:
        """Asks the server to end and returns its exit status; harmless when it has ended."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(timeout=STOP_BOUND_S)
        except subprocess.TimeoutExpired:
            self.kill()
            raise RuntimeError(f"{self.command} did not end on SIGTERM: {self.log}")
        self._finish_readers()
        return status

    def kill(self) -> None:
        """Ends the server without letting it say goodbye to anybody."""
        self.process.kill()
        self.process.wait()
        self._finish_readers()

    def __enter__(self) -> "ServerProcess":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
