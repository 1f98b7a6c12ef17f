"""The client for asyncio: the same calls, awaited.

The work is done by the blocking client in threads of its own pool: the loop is never blocked, and calls of others are not held up by runs that take
long. A cancelled task ends its run: the connection is closed (the service kills what nobody waits for), or the program is told to end.
"""
import asyncio
import functools
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any, AsyncIterator, Callable, List, Optional, Type, TypeVar

from .cancel import Cancel
from .client import Sandbox
from .events import Event
from .execution import Execution, ExecutionStream
from .result import Agent, Artifact, ExecutionResult, Record, ScanReport

__all__ = ["AsyncSandbox", "AsyncExecution", "AsyncExecutionStream"]

T = TypeVar("T")


class _Threads:
    def __init__(self, size: int) -> None:
        self._pool = ThreadPoolExecutor(size, thread_name_prefix="sandbox-agent")

    async def run(self, call: Callable[..., T], *args: Any, cancel: Optional[Cancel] = None, **named: Any) -> T:
        loop = asyncio.get_running_loop()
        future = loop.run_in_executor(self._pool, functools.partial(call, *args, **named))
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            if cancel is None:
                future.cancel()
            else:
                cancel.cancel()
                future.add_done_callback(_taken)
            raise

    def close(self) -> None:
        self._pool.shutdown(wait=False)


def _taken(future: "asyncio.Future[Any]") -> None:
    """Its error was our doing and interests nobody."""
    if not future.cancelled():
        future.exception()


class AsyncExecutionStream(AsyncIterator[Event]):
    """`async for event in …`; `result` at the end. Leaving `async with`, and a cancelled task, end the run."""

    def __init__(self, threads: _Threads, open_stream: Callable[[], ExecutionStream]) -> None:
        self._threads = threads
        self._open = open_stream
        self._stream: Optional[ExecutionStream] = None
        self._end = object()

    async def _opened(self) -> ExecutionStream:
        if self._stream is None:
            self._stream = await self._threads.run(self._open)
        return self._stream

    async def __anext__(self) -> Event:
        stream = await self._opened()
        found = await self._threads.run(next, stream, self._end, cancel=stream._cancel)
        if found is self._end:
            raise StopAsyncIteration
        assert isinstance(found, Event)
        return found

    async def __aenter__(self) -> "AsyncExecutionStream":
        return self

    async def __aexit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        if self._stream is not None:
            if self._stream.result is None:
                self._stream.cancel()
            await self._threads.run(self._closed, self._stream)

    @staticmethod
    def _closed(stream: ExecutionStream) -> None:
        try:
            stream.close()
        except ValueError:
            pass  # «generator already executing»: the thread of a cancelled task is still on its way out, and closes it

    @property
    def result(self) -> Optional[ExecutionResult]:
        return self._stream.result if self._stream else None

    @property
    def execution_id(self) -> Optional[str]:
        return self._stream.execution_id if self._stream else None


class AsyncExecution:
    """See Execution."""

    def __init__(self, threads: _Threads, execution: Execution) -> None:
        self._threads = threads
        self._execution = execution
        self.id = execution.id

    @property
    def state(self) -> str:
        return self._execution.state

    @property
    def result(self) -> Optional[ExecutionResult]:
        return self._execution.result

    async def refresh(self) -> "AsyncExecution":
        await self._threads.run(self._execution.refresh)
        return self

    async def wait(self, timeout: Optional[float] = None) -> ExecutionResult:
        """A cancelled wait leaves the execution alone: it was made to go on without us."""
        loop = asyncio.get_running_loop()
        until = None if timeout is None else loop.time() + timeout
        pause = Execution.FIRST_PAUSE
        while True:
            last = until is not None and loop.time() >= until
            result = (await self.refresh())._execution.outcome()
            if result is not None:
                return result
            if last:
                return await self._threads.run(self._execution.wait, 0)  # says Timeout in its words
            await asyncio.sleep(pause if until is None else max(0.0, min(pause, until - loop.time())))
            pause = min(pause * 1.5, Execution.LONGEST_PAUSE)

    def events(self, after: int = 0) -> AsyncExecutionStream:
        return AsyncExecutionStream(self._threads, lambda: self._execution.events(after))

    async def cancel(self) -> str:
        return await self._threads.run(self._execution.cancel)

    async def artifacts(self) -> List[Artifact]:
        return await self._threads.run(self._execution.artifacts)

    async def artifact(self, name: str) -> bytes:
        return await self._threads.run(self._execution.artifact, name)


class AsyncSandbox:
    """Arguments as of Sandbox; threads: calls at once."""

    def __init__(self, url: Optional[str] = None, api_key: Optional[str] = None, *, threads: int = 32, **options: Any) -> None:
        self._sandbox = Sandbox(url, api_key, **options)
        self._threads = _Threads(threads)

    async def __aenter__(self) -> "AsyncSandbox":
        return self

    async def __aexit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        self._sandbox.close()
        self._threads.close()

    async def mode(self) -> str:
        return await self._threads.run(lambda: self._sandbox.mode)

    async def execute(self, language: str, code: Optional[str] = None, **options: Any) -> ExecutionResult:
        """As Sandbox.execute(). Callbacks are called on the loop, in order, before this returns."""
        loop = asyncio.get_running_loop()
        for name in ("on_stdout", "on_stderr", "on_event"):
            if options.get(name):
                options[name] = functools.partial(loop.call_soon_threadsafe, options[name])
        cancel: Cancel = options.pop("cancel", None) or Cancel()
        call = functools.partial(self._sandbox.execute, language, code, cancel=cancel, **options)
        return await self._threads.run(call, cancel=cancel)

    def stream(self, language: str, code: Optional[str] = None, **options: Any) -> AsyncExecutionStream:
        return AsyncExecutionStream(self._threads, lambda: self._sandbox.stream(language, code, **options))

    async def submit(self, language: str, code: Optional[str] = None, **options: Any) -> AsyncExecution:
        return AsyncExecution(self._threads, await self._threads.run(self._sandbox.submit, language, code, **options))

    async def execution(self, execution_id: str) -> AsyncExecution:
        return AsyncExecution(self._threads, await self._threads.run(self._sandbox.execution, execution_id))

    async def executions(self, **filters: Any) -> List[AsyncExecution]:
        return [AsyncExecution(self._threads, e) for e in await self._threads.run(self._sandbox.executions, **filters)]

    async def cancel(self, execution_id: str) -> str:
        return await self._threads.run(self._sandbox.cancel, execution_id)

    async def artifacts(self, execution_id: str) -> List[Artifact]:
        return await self._threads.run(self._sandbox.artifacts, execution_id)

    async def artifact(self, execution_id: str, name: str) -> bytes:
        return await self._threads.run(self._sandbox.artifact, execution_id, name)

    async def scan(self, language: str, code: str) -> ScanReport:
        return await self._threads.run(self._sandbox.scan, language, code)

    async def agents(self) -> List[Agent]:
        return await self._threads.run(self._sandbox.agents)

    async def agent(self, agent_id: str) -> Agent:
        return await self._threads.run(self._sandbox.agent, agent_id)

    async def set_trust(self, agent_id: str, trust: float, reason: str) -> Agent:
        return await self._threads.run(self._sandbox.set_trust, agent_id, trust, reason)

    async def quarantine(self, agent_id: str, reason: str) -> Agent:
        return await self._threads.run(self._sandbox.quarantine, agent_id, reason)

    async def release(self, agent_id: str, reason: str) -> Agent:
        return await self._threads.run(self._sandbox.release, agent_id, reason)

    async def ban(self, agent_id: str, reason: str) -> Agent:
        return await self._threads.run(self._sandbox.ban, agent_id, reason)

    async def profiles(self) -> List[Record]:
        return await self._threads.run(self._sandbox.profiles)

    async def profile(self, level: str) -> Record:
        return await self._threads.run(self._sandbox.profile, level)

    async def audit(self, **filters: Any) -> List[Record]:
        return await self._threads.run(self._sandbox.audit, **filters)

    async def capabilities(self) -> Record:
        return await self._threads.run(self._sandbox.capabilities)

    async def health(self) -> Record:
        return await self._threads.run(self._sandbox.health)

    async def is_available(self) -> bool:
        return await self._threads.run(self._sandbox.is_available)
