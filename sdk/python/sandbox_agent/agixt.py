"""The interface that AGiXT installations know: `from agixt.sandbox import SandboxExecutor`."""
import asyncio
import os
from types import TracebackType
from typing import Any, Optional, Type, Union

from .aio import AsyncSandbox
from .client import Sandbox
from .errors import SandboxError
from .result import ExecutionResult, ScanReport

__all__ = ["SandboxExecutor", "ExecutionResult", "SandboxError"]


class SandboxExecutor:
    """config: the service's own configuration file (endpoints.api says where the service is and where its key lies)."""

    def __init__(self, config: Union[str, "os.PathLike[str]", None] = None, **options: Any) -> None:
        self._options = dict(options, config=config)
        self.sandbox = Sandbox(**self._options)

    def execute(self, language: str, code: str, agent_id: Optional[str] = None, **options: Any) -> ExecutionResult:
        """See Sandbox.execute()."""
        return self.sandbox.execute(language, code, agent_id=agent_id, **options)

    async def aexecute(self, language: str, code: str, agent_id: Optional[str] = None, **options: Any) -> ExecutionResult:
        """A cancelled task ends its run."""
        async with AsyncSandbox(threads=1, **self._options) as sandbox:
            return await sandbox.execute(language, code, agent_id=agent_id, **options)

    def analyze(self, code: str, language: str = "python") -> ScanReport:
        """What the scan before a run would find; nothing runs."""
        return self.sandbox.scan(language, code)

    async def aanalyze(self, code: str, language: str = "python") -> ScanReport:
        return await asyncio.get_running_loop().run_in_executor(None, self.analyze, code, language)

    def close(self) -> None:
        self.sandbox.close()

    def __enter__(self) -> "SandboxExecutor":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        self.close()
