"""What a Sandbox needs from the backend that runs the code: the service (service.py) or the command line on this host
(cli.py)."""
import abc
from typing import Any, Dict, Iterator, Optional

from .cancel import Cancel
from .events import Event
from .result import ExecutionResult

__all__ = ["Backend"]

Json = Dict[str, Any]


class Backend(abc.ABC):
    """Answers are JSON objects as the service gives them; failures are exceptions of errors.py."""

    name: str  # service, cli

    @abc.abstractmethod
    def execute(self, body: Json, key: str, wait: Optional[float], cancel: Cancel) -> ExecutionResult:
        """Blocks until the result. wait: seconds that this client is willing to."""

    @abc.abstractmethod
    def stream(self, body: Json, key: str, cancel: Cancel) -> Iterator[Event]:
        """A generator whose last event is the result; an error is raised. Closing it ends the run."""

    @abc.abstractmethod
    def submit(self, body: Json, key: str) -> Json:
        """{"execution_id", "state"}"""

    @abc.abstractmethod
    def execution(self, execution_id: str) -> Json:
        """The record of one execution, with its result when it has ended."""

    @abc.abstractmethod
    def executions(self, filters: Json) -> Json:
        """{"executions": [record …]}, one page."""

    @abc.abstractmethod
    def events(self, execution_id: str, after: int, cancel: Cancel) -> Iterator[Event]:
        """The events behind number `after`, past ones first."""

    @abc.abstractmethod
    def kill(self, execution_id: str) -> Json:
        """Ends an execution. {"state"}"""

    @abc.abstractmethod
    def artifacts(self, execution_id: str) -> Json:
        """{"artifacts": [{name, size …}]}"""

    @abc.abstractmethod
    def artifact(self, execution_id: str, name: str) -> bytes:
        """The bytes of one artifact."""

    @abc.abstractmethod
    def scan(self, language: str, code: str) -> Json:
        """What the scan before a run would find."""

    @abc.abstractmethod
    def agents(self, after: Optional[str], limit: Optional[int]) -> Json:
        """{"agents": […], "next"}, one page."""

    @abc.abstractmethod
    def agent(self, agent_id: str) -> Json:
        """One agent's record."""

    @abc.abstractmethod
    def set_trust(self, agent_id: str, trust: float, reason: str) -> Json:
        """Sets an agent's trust. The agent's record."""

    @abc.abstractmethod
    def set_standing(self, agent_id: str, verb: str, reason: str) -> Json:
        """verb: quarantine, release, ban"""

    @abc.abstractmethod
    def profiles(self) -> Json:
        """{"profiles": […]}"""

    @abc.abstractmethod
    def profile(self, level: str) -> Json:
        """The profile of one level."""

    @abc.abstractmethod
    def audit(self, filters: Json) -> Json:
        """{"events": […]}, one page."""

    @abc.abstractmethod
    def capabilities(self) -> Json:
        """What this installation can do."""

    @abc.abstractmethod
    def health(self) -> Json:
        """Whether it is ready. Unavailable if not."""

    @abc.abstractmethod
    def close(self) -> None:
        """Gives back what is held; a later call says that the client was closed."""

    def after_fork(self) -> None:
        """Nothing is shared with the parent."""
