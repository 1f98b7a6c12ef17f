"""Runs that have not ended: a stream, and an execution that goes on without this process."""
import time
from types import TracebackType
from typing import Callable, Iterator, List, Optional, Type

from .backend import Backend, Json
from .cancel import Cancel
from .errors import SandboxFailed, Timeout
from .events import Event
from .refusal import refusal_of
from .result import Artifact, ExecutionResult

__all__ = ["ExecutionStream", "Execution", "deliver"]

Callback = Optional[Callable[[str], None]]
EventCallback = Optional[Callable[[Event], None]]


def deliver(event: Event, on_stdout: Callback, on_stderr: Callback, on_event: EventCallback) -> None:
    """Calls the callbacks that want this event."""
    if event.type == "stdout" and on_stdout:
        on_stdout(event.text)
    if event.type == "stderr" and on_stderr:
        on_stderr(event.text)
    if on_event:
        on_event(event)


class ExecutionStream(Iterator[Event]):
    """Iterate it for events; `result` is there at the end. Leaving it early (`close()`, the end of `with`) ends the
    run. One thread iterates; `cancel()` is for any thread."""

    def __init__(self, events: Iterator[Event], cancel: Cancel) -> None:
        self._events = events
        self._cancel = cancel
        self.execution_id: Optional[str] = None
        self.result: Optional[ExecutionResult] = None

    def __next__(self) -> Event:
        event = next(self._events)
        self.execution_id = self.execution_id or event.execution_id
        self.result = event.result or self.result
        return event

    def __enter__(self) -> "ExecutionStream":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def cancel(self) -> None:
        """Ends the run; from any thread."""
        self._cancel.cancel()

    def close(self) -> None:
        """Ends the run if it goes on, and gives the connection back."""
        close = getattr(self._events, "close", None)
        if close:
            close()


class Execution:
    """An execution that the service runs for us: `wait()`, `events()`, `cancel()`. It outlives this object and this
    process."""

    FIRST_PAUSE = 0.02
    LONGEST_PAUSE = 1.0

    def __init__(self, backend: Backend, execution_id: str, data: Optional[Json] = None) -> None:
        self._backend = backend
        self.id = execution_id
        self.data: Json = dict(data or {})

    def __repr__(self) -> str:
        return "<Execution %s %s>" % (self.id, self.state)

    @property
    def state(self) -> str:
        """queued, running, finished: as of the last answer; `refresh()` asks."""
        return str(self.data.get("state") or "queued")

    @property
    def result(self) -> Optional[ExecutionResult]:
        """The result that the last answer brought; None while it goes on."""
        found = self.data.get("result")
        return ExecutionResult(found) if isinstance(found, dict) else None

    def refresh(self) -> "Execution":
        """Asks the service for its state."""
        self.data = self._backend.execution(self.id)
        return self

    def outcome(self) -> Optional[ExecutionResult]:
        """The result that is known, or None while it goes on; raises as execute() does where the code did not run."""
        result = self.result
        if result is None and self.state == "finished":
            raise SandboxFailed(
                "%s ended (%s), and its result was not kept" % (self.id, self.data.get("reason")),
                "not_kept",
                {"execution_id": self.id},
            )
        refusal = refusal_of(result) if result is not None else None
        if refusal:
            raise refusal
        return result

    def wait(self, timeout: Optional[float] = None) -> ExecutionResult:
        """Raises Timeout when it goes on for longer than `timeout` seconds (the execution itself is left alone), and
        as execute() does where the code did not run."""
        until = None if timeout is None else time.monotonic() + timeout
        pause = self.FIRST_PAUSE
        while True:
            result = self.refresh().outcome()
            if result is not None:
                return result
            if until is not None and time.monotonic() >= until:
                raise Timeout(
                    "%s is %s after %g s" % (self.id, self.state, timeout or 0),
                    "client_timeout",
                    {"execution_id": self.id},
                    retry_safe=True,
                )
            time.sleep(pause if until is None else max(0.0, min(pause, until - time.monotonic())))
            pause = min(pause * 1.5, self.LONGEST_PAUSE)

    def events(self, after: int = 0) -> ExecutionStream:
        """From the first event behind number `after`, past ones first; a connection that breaks is taken up again.
        Closing the stream leaves the execution alone."""
        cancel = Cancel()
        return ExecutionStream(self._backend.events(self.id, after, cancel), cancel)

    def cancel(self) -> str:
        """Kills it. -> its state. Conflict when it had finished already."""
        return str(self._backend.kill(self.id).get("state"))

    def artifacts(self) -> List[Artifact]:
        """The files that were kept of it."""
        return [Artifact(a) for a in self._backend.artifacts(self.id).get("artifacts") or []]

    def artifact(self, name: str) -> bytes:
        """The bytes of one of them."""
        return self._backend.artifact(self.id, name)
