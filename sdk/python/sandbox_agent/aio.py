"""The client for asyncio: the same calls, awaited.

The blocking client does the work in threads of its own pool: the loop is never blocked, and a long run holds up no
other call. A cancelled task ends its run: the connection is closed, upon which the service kills the run, or the
program is ended. """
import asyncio
import functools
import os
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import (
    TYPE_CHECKING,
    Any,
    AsyncGenerator,
    AsyncIterator,
    Callable,
    Dict,
    Iterable,
    Iterator,
    List,
    Mapping,
    Optional,
    Type,
    TypeVar,
    Union,
)

from .cancel import Cancel
from .client import Sandbox
from .errors import SandboxError
from .events import Event
from .execution import Callback, EventCallback, Execution, ExecutionStream
from .request import Files, Text, Volumes
from .result import Agent, Artifact, ExecutionResult, Record, ScanReport

if TYPE_CHECKING:
    from .aio_session import AsyncSession

__all__ = ["AsyncSandbox", "AsyncExecution", "AsyncExecutionStream"]

T = TypeVar("T")


class _Threads:
    def __init__(self, size: int) -> None:
        self._pool = ThreadPoolExecutor(size, thread_name_prefix="sandbox-agent")
        self._is_closed = False

    async def run(self, call: Callable[..., T], *args: Any, cancel: Optional[Cancel] = None, **named: Any) -> T:
        loop = asyncio.get_running_loop()
        if self._is_closed:
            raise SandboxError("this client was closed", "closed", retry_safe=True)
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

    def leave(self, call: Callable[[], Any]) -> None:
        """Runs it when a thread is free; nothing waits for it."""
        try:
            self._pool.submit(call)
        except RuntimeError:
            pass  # closed meanwhile

    def close(self) -> None:
        self._is_closed = True
        self._pool.shutdown(wait=False)


def _taken(future: "asyncio.Future[Any]") -> None:
    """Its error is the cancellation's own; looked at, so that asyncio does not report it."""
    if not future.cancelled():
        future.exception()


def _next(answers: Iterator[T]) -> Optional[T]:
    return next(answers, None)


def _on_loop(callback: Optional[Callable[[T], None]]) -> Any:
    """The same, called on the loop that runs now."""
    loop = asyncio.get_running_loop()
    return None if callback is None else functools.partial(loop.call_soon_threadsafe, callback)


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

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Ends the run if it goes on, and gives the connection back."""
        if self._stream is not None:
            if self._stream.result is None:
                self._stream.cancel()
            await self._threads.run(self._closed, self._stream)

    @staticmethod
    def _closed(stream: ExecutionStream) -> None:
        try:
            stream.close()
        except ValueError:
            pass  # «generator already executing»: the thread of a cancelled task closes it

    @property
    def result(self) -> Optional[ExecutionResult]:
        """The result that the last answer brought; None while it goes on."""
        return self._stream.result if self._stream else None

    @property
    def execution_id(self) -> Optional[str]:
        """Known from the first event on."""
        return self._stream.execution_id if self._stream else None


class AsyncExecution:
    """Execution for asyncio: `await wait()`, `async for event in events()`, `await cancel()`."""

    def __init__(self, threads: _Threads, execution: Execution) -> None:
        self._threads = threads
        self._execution = execution
        self.id = execution.id

    @property
    def state(self) -> str:
        """As of the last answer."""
        return self._execution.state

    @property
    def result(self) -> Optional[ExecutionResult]:
        """The result that the last answer brought; None while it goes on."""
        return self._execution.result

    async def refresh(self) -> "AsyncExecution":
        """Asks the service for its state."""
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
        """As Execution.events()."""
        return AsyncExecutionStream(self._threads, lambda: self._execution.events(after))

    async def cancel(self) -> str:
        """Kills it."""
        return await self._threads.run(self._execution.cancel)

    async def artifacts(self) -> List[Artifact]:
        """The files that were kept of it."""
        return await self._threads.run(self._execution.artifacts)

    async def artifact(self, name: str) -> bytes:
        """The bytes of one of them."""
        return await self._threads.run(self._execution.artifact, name)


class AsyncSandbox:
    """Sandbox for asyncio. Arguments as of Sandbox; threads: how many calls at once."""

    def __init__(
        self,
        url: Optional[str] = None,
        api_key: Optional[str] = None,
        *,
        config: Union[str, "os.PathLike[str]", None] = None,
        mode: str = "auto",
        ca_file: Optional[str] = None,
        program: Optional[str] = None,
        timeout: float = 60.0,
        retries: int = 2,
        max_retry_wait: float = 10.0,
        progress: Optional[bool] = None,
        threads: int = 32,
    ) -> None:
        self._sandbox = Sandbox(
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
        self._threads = _Threads(threads)
        self._is_owner = True

    @classmethod
    def around(cls, sandbox: Sandbox, threads: int = 32) -> "AsyncSandbox":
        """The same client for asyncio. It shares the connections of `sandbox`, and closing it leaves that open."""
        made = cls.__new__(cls)
        made._sandbox, made._threads, made._is_owner = sandbox, _Threads(threads), False
        return made

    async def __aenter__(self) -> "AsyncSandbox":
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Ends its connections and threads. It cannot be used again."""
        if self._is_owner:
            self._sandbox.close()
        self._threads.close()

    def arguments(self) -> Dict[str, Any]:
        """See Sandbox.arguments()."""
        return self._sandbox.arguments()

    async def mode(self) -> str:
        """service or cli."""
        return await self._threads.run(lambda: self._sandbox.mode)

    async def execute(
        self,
        language: str,
        code: Optional[str] = None,
        *,
        files: Optional[Files] = None,
        entry: Optional[str] = None,
        stdin: Optional[Text] = None,
        args: Optional[Iterable[str]] = None,
        env: Optional[Mapping[str, str]] = None,
        agent_id: Optional[str] = None,
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
        """As Sandbox.execute(); a cancelled task ends its run. Callbacks are called on the loop, in order, before this
        returns."""
        cancel = cancel or Cancel()
        call = functools.partial(
            self._sandbox.execute,
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
            on_stdout=_on_loop(on_stdout),
            on_stderr=_on_loop(on_stderr),
            on_event=_on_loop(on_event),
            idempotency_key=idempotency_key,
            wait=wait,
            check=check,
            cancel=cancel,
        )
        return await self._threads.run(call, cancel=cancel)

    def stream(
        self,
        language: str,
        code: Optional[str] = None,
        *,
        files: Optional[Files] = None,
        entry: Optional[str] = None,
        stdin: Optional[Text] = None,
        args: Optional[Iterable[str]] = None,
        env: Optional[Mapping[str, str]] = None,
        agent_id: Optional[str] = None,
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
        idempotency_key: Optional[str] = None,
    ) -> AsyncExecutionStream:
        """As Sandbox.stream(): `async for event in …`."""
        return AsyncExecutionStream(
            self._threads,
            functools.partial(
                self._sandbox.stream,
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
                idempotency_key=idempotency_key,
            ),
        )

    async def submit(
        self,
        language: str,
        code: Optional[str] = None,
        *,
        files: Optional[Files] = None,
        entry: Optional[str] = None,
        stdin: Optional[Text] = None,
        args: Optional[Iterable[str]] = None,
        env: Optional[Mapping[str, str]] = None,
        agent_id: Optional[str] = None,
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
        idempotency_key: Optional[str] = None,
    ) -> AsyncExecution:
        """As Sandbox.submit()."""
        call = functools.partial(
            self._sandbox.submit,
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
            idempotency_key=idempotency_key,
        )
        return AsyncExecution(self._threads, await self._threads.run(call))

    async def batch(self, programs: Iterable[Mapping[str, Any]]) -> AsyncGenerator[Record, None]:
        """As Sandbox.batch(): `async for answer in …`; `aclose()`, and a cancelled task, end what runs."""
        cancel = Cancel()
        answers = await self._threads.run(self._sandbox.batch, programs, cancel=cancel)
        try:
            while True:
                found: Optional[Record] = await self._threads.run(_next, answers, cancel=cancel)
                if found is None:
                    return
                yield found
        finally:
            cancel.cancel()

    async def execution(self, execution_id: str) -> AsyncExecution:
        """As Sandbox.execution()."""
        return AsyncExecution(self._threads, await self._threads.run(self._sandbox.execution, execution_id))

    async def executions(
        self,
        *,
        agent_id: Optional[str] = None,
        state: Optional[str] = None,
        reason: Optional[str] = None,
        risk_level: Optional[str] = None,
        since: Union[str, int, None] = None,
        until: Union[str, int, None] = None,
        before: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> List[AsyncExecution]:
        """As Sandbox.executions()."""
        call = functools.partial(
            self._sandbox.executions,
            agent_id=agent_id,
            state=state,
            reason=reason,
            risk_level=risk_level,
            since=since,
            until=until,
            before=before,
            limit=limit,
        )
        return [AsyncExecution(self._threads, e) for e in await self._threads.run(call)]

    async def cancel(self, execution_id: str) -> str:
        """As Sandbox.cancel()."""
        return await self._threads.run(self._sandbox.cancel, execution_id)

    async def artifacts(self, execution_id: str) -> List[Artifact]:
        """As Sandbox.artifacts()."""
        return await self._threads.run(self._sandbox.artifacts, execution_id)

    async def artifact(self, execution_id: str, name: str) -> bytes:
        """As Sandbox.artifact()."""
        return await self._threads.run(self._sandbox.artifact, execution_id, name)

    # ---- sessions ----

    async def create_session(
        self,
        *,
        agent_id: Optional[str] = None,
        risk_level: Optional[str] = None,
        ttl: Optional[int] = None,
        env: Optional[Mapping[str, str]] = None,
        metadata: Optional[Mapping[str, str]] = None,
        memory: Union[str, int, None] = None,
        cpu: Optional[float] = None,
        network: Optional[str] = None,
        from_snapshot: Optional[str] = None,
        files: Optional[Mapping[str, Text]] = None,
        packages: Optional[str] = None,
        volumes: Optional[Volumes] = None,
    ) -> "AsyncSession":
        """As Sandbox.create_session(): `async with await sandbox.create_session() as session`."""
        from .aio_session import created

        call = functools.partial(
            self._sandbox.create_session,
            agent_id=agent_id,
            risk_level=risk_level,
            ttl=ttl,
            env=env,
            metadata=metadata,
            memory=memory,
            cpu=cpu,
            network=network,
            from_snapshot=from_snapshot,
            files=files,
            packages=packages,
            volumes=volumes,
        )
        return await created(self._threads, call)

    async def session(self, session_id: str) -> "AsyncSession":
        """As Sandbox.session()."""
        from .aio_session import AsyncSession

        return AsyncSession(self._threads, await self._threads.run(self._sandbox.session, session_id))

    async def sessions(
        self, *, state: Optional[str] = None, metadata: Optional[Mapping[str, str]] = None
    ) -> "List[AsyncSession]":
        """As Sandbox.sessions()."""
        from .aio_session import AsyncSession

        found = await self._threads.run(self._sandbox.sessions, state=state, metadata=metadata)
        return [AsyncSession(self._threads, s) for s in found]

    async def snapshots(self) -> List[Record]:
        """As Sandbox.snapshots()."""
        return await self._threads.run(self._sandbox.snapshots)

    async def remove_snapshot(self, snapshot_id: str) -> Record:
        """As Sandbox.remove_snapshot()."""
        return await self._threads.run(self._sandbox.remove_snapshot, snapshot_id)

    # ---- packages ----

    async def create_packages(self, name: str, *, python: Optional[str] = None, node: Optional[str] = None) -> Record:
        """As Sandbox.create_packages()."""
        return await self._threads.run(self._sandbox.create_packages, name, python=python, node=node)

    async def packages(self) -> List[Record]:
        """As Sandbox.packages()."""
        return await self._threads.run(self._sandbox.packages)

    async def package(self, name: str) -> Record:
        """As Sandbox.package()."""
        return await self._threads.run(self._sandbox.package, name)

    async def remove_packages(self, name: str) -> Record:
        """As Sandbox.remove_packages()."""
        return await self._threads.run(self._sandbox.remove_packages, name)

    # ---- what is known ----

    async def scan(self, language: str, code: str) -> ScanReport:
        """As Sandbox.scan()."""
        return await self._threads.run(self._sandbox.scan, language, code)

    async def agents(self) -> List[Agent]:
        """As Sandbox.agents()."""
        return await self._threads.run(self._sandbox.agents)

    async def agent(self, agent_id: str) -> Agent:
        """As Sandbox.agent()."""
        return await self._threads.run(self._sandbox.agent, agent_id)

    async def set_trust(self, agent_id: str, trust: float, reason: str) -> Agent:
        """As Sandbox.set_trust()."""
        return await self._threads.run(self._sandbox.set_trust, agent_id, trust, reason)

    async def quarantine(self, agent_id: str, reason: str) -> Agent:
        """As Sandbox.quarantine()."""
        return await self._threads.run(self._sandbox.quarantine, agent_id, reason)

    async def release(self, agent_id: str, reason: str) -> Agent:
        """As Sandbox.release()."""
        return await self._threads.run(self._sandbox.release, agent_id, reason)

    async def ban(self, agent_id: str, reason: str) -> Agent:
        """As Sandbox.ban()."""
        return await self._threads.run(self._sandbox.ban, agent_id, reason)

    async def profiles(self) -> List[Record]:
        """As Sandbox.profiles()."""
        return await self._threads.run(self._sandbox.profiles)

    async def profile(self, level: str) -> Record:
        """As Sandbox.profile()."""
        return await self._threads.run(self._sandbox.profile, level)

    async def audit(
        self,
        *,
        agent: Optional[str] = None,
        execution: Optional[str] = None,
        action: Optional[str] = None,
        level: Optional[str] = None,
        reason: Optional[str] = None,
        rule: Optional[str] = None,
        since: Union[str, int, None] = None,
        until: Union[str, int, None] = None,
        after: Optional[int] = None,
        limit: Optional[int] = None,
        last: Optional[int] = None,
    ) -> List[Record]:
        """As Sandbox.audit()."""
        call = functools.partial(
            self._sandbox.audit,
            agent=agent,
            execution=execution,
            action=action,
            level=level,
            reason=reason,
            rule=rule,
            since=since,
            until=until,
            after=after,
            limit=limit,
            last=last,
        )
        return await self._threads.run(call)

    async def capabilities(self) -> Record:
        """As Sandbox.capabilities()."""
        return await self._threads.run(self._sandbox.capabilities)

    async def health(self) -> Record:
        """As Sandbox.health()."""
        return await self._threads.run(self._sandbox.health)

    async def is_available(self) -> bool:
        """As Sandbox.is_available()."""
        return await self._threads.run(self._sandbox.is_available)
