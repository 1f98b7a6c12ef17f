"""Results of code that did not run: as the exception that a synchronous call to the service gives."""
import re
from typing import Any, Dict, Optional

from .errors import InvalidRequest, PolicyDenied, RateLimited, SandboxError, SandboxFailed
from .result import ExecutionResult

__all__ = ["refusal_of"]


def _rule(message: str, result: ExecutionResult) -> Optional[str]:
    """As the service names it: the agent's standing, or the profile's key that the message gives; else the scan's rule
    that weighed most."""
    key = re.search(r"\b(?:banned|quarantined|[a-z_]+(?:\.[a-z_]+)+)\b", message)
    worst = max(result.findings, key=lambda f: float(f.get("risk_increase") or 0), default=None)
    return key.group().rpartition(".")[2] if key else worst.get("rule") if worst else None


def refusal_of(result: ExecutionResult) -> Optional[SandboxError]:
    """The exception that `execute()` raises for this, or None: the code ran."""
    error = result.error
    if result.reason not in ("policy_denied", "sandbox_error") or error is None:
        return None
    details: Dict[str, Any] = {k: v for k, v in error.items() if k not in ("code", "message") and v is not None}
    details["execution_id"] = result.execution_id
    message = str(error["message"])
    if error["code"] == "usage_error":
        return InvalidRequest(message, "invalid_value", details)
    if result.reason == "sandbox_error":
        return SandboxFailed(message, str(error["code"]), details)
    if "retry_after_seconds" in details:
        return RateLimited(message, "rate_limited", details)
    details["findings"] = [dict(f) for f in result.findings]
    details.setdefault("rule", _rule(message, result))
    return PolicyDenied(message, "policy_denied", details)
