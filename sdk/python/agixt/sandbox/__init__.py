"""`from agixt.sandbox import SandboxExecutor`. The directory above has no __init__.py on purpose (PEP 420): it shares
its name."""
from sandbox_agent.agixt import ExecutionResult, SandboxError, SandboxExecutor

__all__ = ["SandboxExecutor", "ExecutionResult", "SandboxError"]
