"""A way to end a call that blocks in another thread."""
import threading
from typing import Callable, List

__all__ = ["Cancel"]


class Cancel:
    """`cancel()` calls what was laid in, at once and once; what is laid in afterwards is called on the spot."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._actions: List[Callable[[], None]] = []
        self._is_set = False

    @property
    def is_set(self) -> bool:
        return self._is_set

    def add(self, action: Callable[[], None]) -> None:
        with self._lock:
            if not self._is_set:
                self._actions.append(action)
                return
        action()

    def remove(self, action: Callable[[], None]) -> None:
        with self._lock:
            if action in self._actions:
                self._actions.remove(action)

    def cancel(self) -> None:
        with self._lock:
            self._is_set = True
            actions, self._actions = self._actions, []
        for action in actions:
            action()
