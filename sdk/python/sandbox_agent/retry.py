"""When a call is made again by itself: only where nothing ran, a bounded number of times, for a bounded time."""
import os
import threading
import time
from typing import Callable, NamedTuple, Optional, TypeVar

from .cancel import Cancel
from .errors import RateLimited, SandboxError, Unavailable

__all__ = ["RetryPolicy"]

T = TypeVar("T")


class RetryPolicy(NamedTuple):
    """attempts: further ones, 0 for none. max_wait: seconds, all pauses together; a Retry-After beyond it is not
    waited for."""

    attempts: int = 2
    max_wait: float = 10.0

    def _pause(self, error: SandboxError, number: int) -> Optional[float]:
        if not isinstance(error, (RateLimited, Unavailable)):
            return None
        if error.retry_after is not None:
            return error.retry_after
        return float(0.1 * 2**number * (0.5 + os.urandom(1)[0] / 256))

    def run(self, call: Callable[[], T], cancel: Optional[Cancel] = None) -> T:
        """What call() returns, or the error of its last attempt."""
        left = self.max_wait
        for number in range(self.attempts + 1):
            try:
                return call()
            except SandboxError as error:
                pause = self._pause(error, number)
                if pause is None or pause > left or number == self.attempts or (cancel and cancel.is_set):
                    raise
                left -= pause
            _sleep(pause, cancel)
        raise AssertionError("not reached")


def _sleep(seconds: float, cancel: Optional[Cancel]) -> None:
    if cancel is None:
        time.sleep(seconds)
        return
    woken = threading.Event()
    cancel.add(woken.set)
    woken.wait(seconds)
    cancel.remove(woken.set)
    if cancel.is_set:
        raise SandboxError("the call was cancelled", "cancelled", retry_safe=True)
