"""Client of sandboxd, the sandbox for code that AI agents write.

    from sandbox_agent import Sandbox

    with Sandbox() as sandbox:
        result = sandbox.execute("python", "print(6 * 7)", agent_id="my-agent")
        print(result.stdout, result["reason"])

Standard library only. See README.md.
"""
from ._version import __version__

TYPE_CHECKING = False  # type checkers take it for true; typing itself takes longer to load than all that is below
if TYPE_CHECKING:
    from typing import Any

    from .aio import AsyncExecution, AsyncExecutionStream, AsyncSandbox
    from .aio_session import AsyncContext, AsyncFiles, AsyncProcess, AsyncSession
    from .cancel import Cancel
    from .client import Sandbox
    from .errors import (
        Authentication,
        Conflict,
        ConnectionLost,
        ExecutionFailed,
        Forbidden,
        InvalidRequest,
        NotFound,
        PolicyDenied,
        RateLimited,
        SandboxError,
        SandboxFailed,
        Timeout,
        Unavailable,
    )
    from .events import Event
    from .execution import Execution, ExecutionStream
    from .request import LANGUAGES
    from .result import (
        Agent,
        Artifact,
        ClampedLimit,
        ExecutionResult,
        Finding,
        Isolation,
        Need,
        Record,
        ScanReport,
        Timing,
        Trust,
        Violation,
    )
    from .session import Context, Files, PortAnswer, Process, Session

__all__ = [
    "Agent",
    "Artifact",
    "AsyncContext",
    "AsyncExecution",
    "AsyncExecutionStream",
    "AsyncFiles",
    "AsyncProcess",
    "AsyncSandbox",
    "AsyncSession",
    "Authentication",
    "Cancel",
    "ClampedLimit",
    "Conflict",
    "ConnectionLost",
    "Context",
    "Event",
    "Execution",
    "ExecutionFailed",
    "ExecutionResult",
    "ExecutionStream",
    "Files",
    "Finding",
    "Forbidden",
    "InvalidRequest",
    "Isolation",
    "LANGUAGES",
    "NotFound",
    "PolicyDenied",
    "PortAnswer",
    "Process",
    "RateLimited",
    "Record",
    "Sandbox",
    "SandboxError",
    "SandboxFailed",
    "ScanReport",
    "Session",
    "Timeout",
    "Timing",
    "Trust",
    "Unavailable",
    "Violation",
    "__version__",
]

# Loaded when they are used (PEP 562): the import alone costs next to nothing, and asyncio is loaded for AsyncSandbox
# only.
_MODULES = {
    "aio": "AsyncExecution AsyncExecutionStream AsyncSandbox",
    "aio_session": "AsyncContext AsyncFiles AsyncProcess AsyncSession",
    "cancel": "Cancel",
    "client": "Sandbox",
    "errors": "Authentication Conflict ConnectionLost ExecutionFailed Forbidden InvalidRequest NotFound PolicyDenied "
    "RateLimited SandboxError SandboxFailed Timeout Unavailable",
    "events": "Event",
    "execution": "Execution ExecutionStream",
    "request": "LANGUAGES",
    "result": "Agent Artifact ClampedLimit ExecutionResult Finding Isolation Need Record ScanReport "
    "Timing Trust Violation",
    "session": "Context Files PortAnswer Process Session",
}
_PLACES = {name: module for module, names in _MODULES.items() for name in names.split()}


def __getattr__(name: str) -> "Any":
    if name not in _PLACES:
        raise AttributeError("module %r has no attribute %r" % (__name__, name))
    from importlib import import_module

    value = globals()[name] = getattr(import_module("." + _PLACES[name], __name__), name)
    return value


def __dir__() -> "list[str]":
    return sorted({*globals(), *__all__})
