"""What can go wrong, as exceptions: the same ones through the service and through the command line.

`execute()` returns a result whenever the sandbox ran, whatever became of the code (`result.reason`). It raises when
the code did not run, or when it is not known what became of it.

`retry_safe` answers one question: can the same call be sent again without the code running twice? Where it is true,
nothing ran. """
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Type

if TYPE_CHECKING:
    from .result import ExecutionResult

__all__ = [
    "SandboxError",
    "InvalidRequest",
    "Authentication",
    "Forbidden",
    "PolicyDenied",
    "NotFound",
    "Conflict",
    "Timeout",
    "RateLimited",
    "Unavailable",
    "SandboxFailed",
    "ConnectionLost",
    "ExecutionFailed",
    "error_from",
]


class SandboxError(Exception):
    """Base of all. `code` is stable; `message` is for people; `details` is what the service said beside it."""

    retry_safe: bool = False

    def __init__(
        self,
        message: str,
        code: str = "internal_error",
        details: Optional[Mapping[str, Any]] = None,
        status: Optional[int] = None,
        retry_safe: Optional[bool] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.details: Dict[str, Any] = dict(details or {})
        self.status = status
        if retry_safe is not None:
            self.retry_safe = retry_safe

    @property
    def remedy(self) -> Optional[str]:
        """What helps, in words."""
        return _text(self.details.get("remedy"))

    @property
    def step(self) -> Optional[str]:
        """Where the sandbox's set-up failed."""
        return _text(self.details.get("step"))

    @property
    def execution_id(self) -> Optional[str]:
        """The execution that the error is about, where it had begun to exist."""
        return _text(self.details.get("execution_id"))

    def __str__(self) -> str:
        return "%s: %s%s" % (self.code, self.message, " (%s)" % self.remedy if self.remedy else "")


class InvalidRequest(SandboxError, ValueError):
    """400, 405, 413, 422, 431: the request is not one; sending it again does not help, but runs nothing."""

    retry_safe = True


class Authentication(SandboxError):
    """401: no key, or none that is known."""

    retry_safe = True


class Forbidden(SandboxError):
    """403 forbidden: the key's role, agents or levels do not permit it."""

    retry_safe = True


class PolicyDenied(SandboxError):
    """403 policy_denied: the scan, the agent's standing or the profile refused the code before it ran."""

    retry_safe = True

    @property
    def findings(self) -> List[Dict[str, Any]]:
        """What the scan found: rule, line, text, risk_increase …"""
        found = self.details.get("findings")
        return [dict(f) for f in found] if isinstance(found, list) else []

    @property
    def rule(self) -> Optional[str]:
        """The scan's rule, the profile's key or the standing that refused the code."""
        return _text(self.details.get("rule"))


class NotFound(SandboxError, LookupError):
    """404: no such execution, agent, artifact or profile."""

    retry_safe = True


class Conflict(SandboxError):
    """409: finished already, or an idempotency key that belongs to another body."""


class Timeout(SandboxError, TimeoutError):
    """408, or this client's own deadline passed. A run that met *its* deadline is a result with reason `timeout`."""


class RateLimited(SandboxError):
    """429: too many runs (`rate_limited`), or the queue is full (`queue_full`)."""

    retry_safe = True

    @property
    def retry_after(self) -> Optional[float]:
        """Seconds after which it makes sense to ask again."""
        return _number(self.details.get("retry_after_seconds"))


class Unavailable(SandboxError):
    """503, or nothing listens at the address: nothing ran."""

    retry_safe = True

    @property
    def retry_after(self) -> Optional[float]:
        """Seconds after which it makes sense to ask again."""
        return _number(self.details.get("retry_after_seconds"))


class SandboxFailed(SandboxError):
    """500: the sandbox could not be set up (`sandbox_error`), or the service has a fault (`internal_error`)."""


class ConnectionLost(SandboxError, ConnectionError):
    """The connection ended, or what came was no answer, after the request was sent: the code may have run. With the
    same `idempotency_key` (see `details`) the call can be repeated: the service then answers with the first
    execution."""


class ExecutionFailed(SandboxError):
    """Of `result.check()`: the code ran and did not complete. `result` is the whole of it."""

    def __init__(self, result: "ExecutionResult") -> None:
        last = result.stderr.strip().splitlines()[-1:] or [""]
        how = result.reason if result.exit_code is None else "%s, exit code %d" % (result.reason, result.exit_code)
        super().__init__(
            "%s%s" % (how, ": " + last[0] if last[0] else ""),
            "execution_" + result.reason,
            {"execution_id": result.execution_id},
        )
        self.result = result

    def __reduce__(self) -> Any:
        return type(self), (self.result,), self.__dict__


_BY_CODE: Dict[str, Type[SandboxError]] = {
    "unauthenticated": Authentication,
    "forbidden": Forbidden,
    "policy_denied": PolicyDenied,
    "not_found": NotFound,
    "conflict": Conflict,
    "request_timeout": Timeout,
    "rate_limited": RateLimited,
    "queue_full": RateLimited,
    "sandbox_error": SandboxFailed,
    "unavailable": Unavailable,
    "usage_error": InvalidRequest,
    "wrong_host": Forbidden,
}
_BY_STATUS: Dict[int, Type[SandboxError]] = {
    400: InvalidRequest,
    401: Authentication,
    403: Forbidden,
    404: NotFound,
    405: InvalidRequest,
    408: Timeout,
    409: Conflict,
    413: InvalidRequest,
    421: Forbidden,
    422: InvalidRequest,
    429: RateLimited,
    431: InvalidRequest,
    503: Unavailable,
}


def error_from(code: str, message: str, details: Mapping[str, Any], status: Optional[int] = None) -> SandboxError:
    """The exception for an error object of the service or of the command line."""
    kind = _BY_CODE.get(code) or _BY_STATUS.get(status or 500) or SandboxFailed
    return kind(message, code, details, status)


def _text(value: object) -> Optional[str]:
    return value if isinstance(value, str) else None


def _number(value: object) -> Optional[float]:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
