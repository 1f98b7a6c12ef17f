"""One line on a terminal while a run takes long, and nothing of it left at the end."""
import sys
import threading
import time
from types import TracebackType
from typing import Optional, Type

__all__ = ["Progress"]

AFTER = 2.0  # seconds; shorter runs need no words
EVERY = 0.5


class Progress:
    """wanted: None: if standard error is a terminal."""

    def __init__(self, what: str, wanted: Optional[bool] = None) -> None:
        self._what = "".join(c if c.isprintable() else "?" for c in what)[:60]
        self._is_on = _is_terminal() if wanted is None else wanted
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._shown = 0
        self._begin = time.monotonic()
        self._thread: Optional[threading.Thread] = None

    def __enter__(self) -> "Progress":
        if self._is_on:
            self._thread = threading.Thread(target=self._run, name="sandbox-agent-progress", daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self._ended.set()
        if self._thread:
            self._thread.join()
        self.erase()

    def erase(self) -> None:
        """Before something else is written to the terminal; the line comes back by itself."""
        with self._lock:
            if self._shown:
                self._write("\r" + " " * self._shown + "\r")
                self._shown = 0

    def _run(self) -> None:
        pause = AFTER
        while not self._ended.wait(pause):
            pause = EVERY
            line = "%s: %d s" % (self._what, time.monotonic() - self._begin)
            with self._lock:
                self._write("\r" + line)
                self._shown = len(line)

    @staticmethod
    def _write(text: str) -> None:
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except (OSError, ValueError):
            pass  # the terminal is gone


def _is_terminal() -> bool:
    try:
        return bool(sys.stderr and sys.stderr.isatty())
    except ValueError:
        return False
