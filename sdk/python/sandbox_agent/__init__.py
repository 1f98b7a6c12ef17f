"""Client of sandboxd, the sandbox for code that AI agents write.

    from sandbox_agent import Sandbox

    with Sandbox() as sandbox:
        result = sandbox.execute("python", "print(6 * 7)", agent_id="my-agent")
        print(result.stdout, result["reason"])

Standard library only. See README.md.
"""
from ._version import __version__
from .aio import AsyncExecution, AsyncExecutionStream, AsyncSandbox
from .cancel import Cancel
from .client import Sandbox
from .errors import (Authentication, Conflict, ConnectionLost, ExecutionFailed, Forbidden, InvalidRequest, NotFound, PolicyDenied,
                     RateLimited, SandboxError, SandboxFailed, Timeout, Unavailable)
from .events import Event
from .execution import Execution, ExecutionStream
from .request import LANGUAGES
from .result import Agent, Artifact, ExecutionResult, Finding, Isolation, Record, ScanReport, Trust, Violation

__all__ = [
    "Agent", "Artifact", "AsyncExecution", "AsyncExecutionStream", "AsyncSandbox", "Authentication", "Cancel", "Conflict", "ConnectionLost",
    "Event", "Execution", "ExecutionFailed", "ExecutionResult", "ExecutionStream", "Finding", "Forbidden", "InvalidRequest", "Isolation",
    "LANGUAGES", "NotFound", "PolicyDenied", "RateLimited", "Record", "Sandbox", "SandboxError", "SandboxFailed", "ScanReport", "Timeout",
    "Trust", "Unavailable", "Violation", "__version__",
]
