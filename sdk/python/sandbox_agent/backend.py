"""What a Sandbox needs from whoever runs the code: the service (service.py) or the command line on this host (cli.py)."""
import abc
from typing import Any, Dict, Iterator, Optional

from .cancel import Cancel
from .events import Event
from .result import ExecutionResult

__all__ = ["Backend"]

Json = Dict[str, Any]


class Backend(abc.ABC):
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
    def execution(self, execution_id: str) -> Json: ...

    @abc.abstractmethod
    def executions(self, filters: Json) -> Json: ...

    @abc.abstractmethod
    def events(self, execution_id: str, after: int, cancel: Cancel) -> Iterator[Event]: ...

    @abc.abstractmethod
    def kill(self, execution_id: str) -> Json: ...

    @abc.abstractmethod
    def artifacts(self, execution_id: str) -> Json: ...

    @abc.abstractmethod
    def artifact(self, execution_id: str, name: str) -> bytes: ...

    @abc.abstractmethod
    def scan(self, language: str, code: str) -> Json: ...

    @abc.abstractmethod
    def agents(self, after: Optional[str], limit: Optional[int]) -> Json: ...

    @abc.abstractmethod
    def agent(self, agent_id: str) -> Json: ...

    @abc.abstractmethod
    def set_trust(self, agent_id: str, trust: float, reason: str) -> Json: ...

    @abc.abstractmethod
    def set_standing(self, agent_id: str, verb: str, reason: str) -> Json:
        """verb: quarantine, release, ban"""

    @abc.abstractmethod
    def profiles(self) -> Json: ...

    @abc.abstractmethod
    def profile(self, level: str) -> Json: ...

    @abc.abstractmethod
    def audit(self, filters: Json) -> Json: ...

    @abc.abstractmethod
    def capabilities(self) -> Json: ...

    @abc.abstractmethod
    def health(self) -> Json: ...

    @abc.abstractmethod
    def close(self) -> None: ...

    def after_fork(self) -> None:
        """Nothing is shared with the parent."""
