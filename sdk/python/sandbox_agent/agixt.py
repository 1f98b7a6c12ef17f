"""The interface that AGiXT installations know: `from agixt.sandbox import SandboxExecutor`."""
import os
from types import TracebackType
from typing import Any, Iterable, Mapping, Optional, Type, Union

from .cancel import Cancel
from .client import Sandbox
from .errors import SandboxError
from .execution import Callback, EventCallback
from .request import Files, Text, Volumes
from .result import ExecutionResult, ScanReport

__all__ = ["SandboxExecutor", "ExecutionResult", "SandboxError"]


class SandboxExecutor:
    """config: the service's own configuration file (endpoints.api says where the service is and where its key lies).
    The rest as of Sandbox."""

    def __init__(
        self,
        config: Union[str, "os.PathLike[str]", None] = None,
        *,
        url: Optional[str] = None,
        api_key: Optional[str] = None,
        mode: str = "auto",
        ca_file: Optional[str] = None,
        program: Optional[str] = None,
        timeout: float = 60.0,
        retries: int = 2,
        max_retry_wait: float = 10.0,
        progress: Optional[bool] = None,
    ) -> None:
        self.sandbox = Sandbox(
            url,
            api_key,
            config=config,
            mode=mode,
            ca_file=ca_file,
            program=program,
            timeout=timeout,
            retries=retries,
            max_retry_wait=max_retry_wait,
            progress=progress,
        )

    def execute(
        self,
        language: str,
        code: Optional[str] = None,
        agent_id: Optional[str] = None,
        *,
        files: Optional[Files] = None,
        entry: Optional[str] = None,
        stdin: Optional[Text] = None,
        args: Optional[Iterable[str]] = None,
        env: Optional[Mapping[str, str]] = None,
        risk_level: Optional[str] = None,
        backend: Optional[str] = None,
        signature: Optional[str] = None,
        packages: Optional[str] = None,
        timeout: Optional[float] = None,
        memory: Union[str, int, None] = None,
        cpu: Optional[float] = None,
        limits: Optional[Mapping[str, Any]] = None,
        strict_limits: Optional[bool] = None,
        volumes: Optional[Volumes] = None,
        on_stdout: Callback = None,
        on_stderr: Callback = None,
        on_event: EventCallback = None,
        idempotency_key: Optional[str] = None,
        wait: Optional[float] = None,
        check: bool = False,
        cancel: Optional[Cancel] = None,
    ) -> ExecutionResult:
        """See Sandbox.execute()."""
        return self.sandbox.execute(
            language,
            code,
            files=files,
            entry=entry,
            stdin=stdin,
            args=args,
            env=env,
            agent_id=agent_id,
            risk_level=risk_level,
            backend=backend,
            signature=signature,
            packages=packages,
            timeout=timeout,
            memory=memory,
            cpu=cpu,
            limits=limits,
            strict_limits=strict_limits,
            volumes=volumes,
            on_stdout=on_stdout,
            on_stderr=on_stderr,
            on_event=on_event,
            idempotency_key=idempotency_key,
            wait=wait,
            check=check,
            cancel=cancel,
        )

    async def aexecute(
        self,
        language: str,
        code: Optional[str] = None,
        agent_id: Optional[str] = None,
        *,
        files: Optional[Files] = None,
        entry: Optional[str] = None,
        stdin: Optional[Text] = None,
        args: Optional[Iterable[str]] = None,
        env: Optional[Mapping[str, str]] = None,
        risk_level: Optional[str] = None,
        backend: Optional[str] = None,
        signature: Optional[str] = None,
        packages: Optional[str] = None,
        timeout: Optional[float] = None,
        memory: Union[str, int, None] = None,
        cpu: Optional[float] = None,
        limits: Optional[Mapping[str, Any]] = None,
        strict_limits: Optional[bool] = None,
        volumes: Optional[Volumes] = None,
        on_stdout: Callback = None,
        on_stderr: Callback = None,
        on_event: EventCallback = None,
        idempotency_key: Optional[str] = None,
        wait: Optional[float] = None,
        check: bool = False,
        cancel: Optional[Cancel] = None,
    ) -> ExecutionResult:
        """execute() for asyncio; a cancelled task ends its run."""
        from .aio import AsyncSandbox

        async with AsyncSandbox.around(self.sandbox, threads=1) as sandbox:
            return await sandbox.execute(
                language,
                code,
                files=files,
                entry=entry,
                stdin=stdin,
                args=args,
                env=env,
                agent_id=agent_id,
                risk_level=risk_level,
                backend=backend,
                signature=signature,
                packages=packages,
                timeout=timeout,
                memory=memory,
                cpu=cpu,
                limits=limits,
                strict_limits=strict_limits,
                volumes=volumes,
                on_stdout=on_stdout,
                on_stderr=on_stderr,
                on_event=on_event,
                idempotency_key=idempotency_key,
                wait=wait,
                check=check,
                cancel=cancel,
            )

    def analyze(self, code: str, language: str = "python") -> ScanReport:
        """What the scan before a run would find; nothing runs."""
        return self.sandbox.scan(language, code)

    async def aanalyze(self, code: str, language: str = "python") -> ScanReport:
        """analyze() for asyncio."""
        from .aio import AsyncSandbox

        async with AsyncSandbox.around(self.sandbox, threads=1) as sandbox:
            return await sandbox.scan(language, code)

    def close(self) -> None:
        """Ends its connections. It cannot be used again."""
        self.sandbox.close()

    def __enter__(self) -> "SandboxExecutor":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()
