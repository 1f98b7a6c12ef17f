"""A way to end a call that blocks in another thread."""
import threading
from typing import Callable, List

__all__ = ["Cancel"]


class Cancel:
    """Given to `execute(cancel=…)`; `cancel()` ends that call and its run, from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._actions: List[Callable[[], None]] = []
        self._is_set = False

    @property
    def is_set(self) -> bool:
        """Whether cancel() was called."""
        return self._is_set

    def add(self, action: Callable[[], None]) -> None:
        """Calls action on cancel(), or at once if that was called already."""
        with self._lock:
            if not self._is_set:
                self._actions.append(action)
                return
        action()

    def remove(self, action: Callable[[], None]) -> None:
        """Forgets action."""
        with self._lock:
            if action in self._actions:
                self._actions.remove(action)

    def cancel(self) -> None:
        """Ends the call that has this object; from any thread."""
        with self._lock:
            self._is_set = True
            actions, self._actions = self._actions, []
        for action in actions:
            action()
