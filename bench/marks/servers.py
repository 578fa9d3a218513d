"""Starts what is measured, and knows its process, its address and its log."""

import os
import queue
import signal
import subprocess
import tempfile
import threading

from .errors import BenchError

START_LIMIT_S = 60
STOP_LIMIT_S = 20
ANNOUNCEMENT = "listening on "


class Server:
    """A running server, pinned to `cores`; a context manager that ends it."""

    def __init__(self, name, command, cores):
        self.name = name
        self.command = [str(part) for part in command]
        self.log = tempfile.TemporaryFile(mode="w+")
        try:
            self.process = subprocess.Popen(
                self.command,
                stdout=subprocess.PIPE,
                stderr=self.log,
                text=True,
                preexec_fn=lambda: os.sched_setaffinity(0, cores),
            )
        except OSError as error:
            raise BenchError(f"{name} cannot be started: {error}") from error
        try:
            self.url = self._read_url()
        except BaseException:
            self.stop()
            raise

    @property
    def pid(self):
        return self.process.pid

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def _read_url(self):
        lines = queue.Queue()

        def read():
            for line in self.process.stdout:
                lines.put(line)
            lines.put("")

        # Goes on reading to the end, so that a talkative server never waits for a reader.
        threading.Thread(target=read, daemon=True).start()
        while True:
            try:
                line = lines.get(timeout=START_LIMIT_S)
            except queue.Empty:
                raise BenchError(f"{self.name} did not start: {self.log_tail()}") from None
            if not line:
                raise BenchError(f"{self.name} ended at once: {self.log_tail()}")
            if ANNOUNCEMENT in line:
                return line.split(ANNOUNCEMENT, 1)[1].split()[0].rstrip("/")

    def log_tail(self):
        self.log.seek(0)
        return self.log.read()[-2000:].strip() or "(it logged nothing)"

    def stop(self):
        if self.process.poll() is not None:
            return
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(STOP_LIMIT_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
