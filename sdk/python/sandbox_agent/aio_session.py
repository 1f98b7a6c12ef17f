"""Sessions for asyncio: Session, Context, Process and Files, awaited.

Each call is the blocking client's, in a thread of AsyncSandbox's pool; its arguments and types are taken over from
there. A cancelled task ends what it ran: a job, a cell, a watch. A process goes on, as without asyncio. """
import functools
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, Coroutine, Dict, List, Optional, Type, TypeVar

from .aio import AsyncExecution, AsyncExecutionStream, _on_loop, _Threads
from .cancel import Cancel
from .errors import SandboxError
from .execution import Callback, ExecutionStream, deliver
from .result import ExecutionResult
from .session import Context, Files, Process, Session, ended

if TYPE_CHECKING:  # typing has these from Python 3.10 on
    from typing_extensions import Concatenate, ParamSpec

    P = ParamSpec("P")

__all__ = ["AsyncSession", "AsyncContext", "AsyncProcess", "AsyncFiles"]

T = TypeVar("T")
A = TypeVar("A")


class _Around:
    """An object of the blocking client, and the threads that its calls are made in."""

    def __init__(self, threads: _Threads, inner: Any) -> None:
        self._threads = threads
        self._inner = inner

    def __repr__(self) -> str:
        return repr(self._inner).replace("<", "<Async", 1)


def _call(method: "Callable[Concatenate[Any, P], T]") -> "Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]":
    """The same, awaited."""

    @functools.wraps(method)
    async def call(self: _Around, /, *args: "P.args", **named: "P.kwargs") -> T:
        return await self._threads.run(functools.partial(method, self._inner, *args, **named))

    return call


def _makes(
    method: "Callable[Concatenate[Any, P], T]", kind: "Callable[[_Threads, T], A]"
) -> "Callable[Concatenate[Any, P], Coroutine[Any, Any, A]]":
    """The same, awaited, and what it makes is for asyncio, too."""

    @functools.wraps(method)
    async def call(self: _Around, /, *args: "P.args", **named: "P.kwargs") -> A:
        return kind(self._threads, await self._threads.run(functools.partial(method, self._inner, *args, **named)))

    return call


def _streams(
    method: "Callable[Concatenate[Any, P], ExecutionStream]",
) -> "Callable[Concatenate[Any, P], AsyncExecutionStream]":
    """`async for event in …`"""

    @functools.wraps(method)
    def call(self: _Around, /, *args: "P.args", **named: "P.kwargs") -> AsyncExecutionStream:
        return AsyncExecutionStream(self._threads, lambda: method(self._inner, *args, **named))

    return call


def _runs(
    method: "Callable[Concatenate[Any, P], ExecutionResult]",
) -> "Callable[Concatenate[Any, P], Coroutine[Any, Any, ExecutionResult]]":
    """The same, awaited; callbacks are called on the loop, and a cancelled task ends the run."""

    @functools.wraps(method)
    async def call(self: _Around, /, *args: "P.args", **named: "P.kwargs") -> ExecutionResult:
        given: Dict[str, Any] = dict(named)
        cancel = given["cancel"] = given.get("cancel") or Cancel()
        for name in ("on_stdout", "on_stderr", "on_event"):
            if name in given:
                given[name] = _on_loop(given[name])
        return await self._threads.run(functools.partial(method, self._inner, *args, **given), cancel=cancel)

    return call


class AsyncFiles(_Around):
    """Files for asyncio."""

    _inner: Files

    read = _call(Files.read)
    read_text = _call(Files.read_text)
    write = _call(Files.write)
    list = _call(Files.list)
    stat = _call(Files.stat)
    exists = _call(Files.exists)
    mkdir = _call(Files.mkdir)
    move = _call(Files.move)
    remove = _call(Files.remove)
    archive = _call(Files.archive)
    unpack = _call(Files.unpack)

    def watch(
        self, path: str = "", *, recursive: bool = False, seconds: Optional[int] = None
    ) -> AsyncExecutionStream:
        """As Files.watch(): `async for event in …`; leaving `async with` ends it."""
        cancel = Cancel()
        return AsyncExecutionStream(
            self._threads,
            lambda: ExecutionStream(
                self._inner.watch(path, recursive=recursive, seconds=seconds, cancel=cancel), cancel
            ),
        )


class AsyncProcess(_Around):
    """Process for asyncio."""

    _inner: Process

    @property
    def id(self) -> str:
        """Its id."""
        return self._inner.id

    @property
    def state(self) -> str:
        """queued, running, finished: as of the last answer; `refresh()` asks."""
        return self._inner.state

    async def refresh(self) -> "AsyncProcess":
        """Asks the service for its state."""
        await self._threads.run(self._inner.refresh)
        return self

    events = _streams(Process.events)
    write = _call(Process.write)
    close_input = _call(Process.close_input)
    signal = _call(Process.signal)
    resize = _call(Process.resize)
    kill = _call(Process.kill)

    async def wait(self, *, on_stdout: Callback = None, on_stderr: Callback = None) -> ExecutionResult:
        """Its result when it has ended. A cancelled wait leaves it alone."""
        async with self.events() as stream:
            async for event in stream:
                deliver(event, on_stdout, on_stderr, None)
        return ended(stream.result)


class AsyncContext(_Around):
    """Context for asyncio."""

    _inner: Context

    @property
    def id(self) -> str:
        """Its id."""
        return self._inner.id

    execute = _runs(Context.execute)
    interrupt = _call(Context.interrupt)
    restart = _call(Context.restart)
    checkpoint = _call(Context.checkpoint)
    undo = _call(Context.undo)
    end = _call(Context.end)


class AsyncSession(_Around):
    """Session for asyncio: `async with await sandbox.create_session() as session`."""

    _inner: Session

    def __init__(self, threads: _Threads, inner: Session) -> None:
        super().__init__(threads, inner)
        self.id = inner.id
        self.files = AsyncFiles(threads, inner.files)

    async def __aenter__(self) -> "AsyncSession":
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self._threads.run(self._inner.__exit__, kind, value, trace)

    @property
    def state(self) -> str:
        """starting, running, paused, ended: as of the last answer; `refresh()` asks."""
        return self._inner.state

    @property
    def data(self) -> Dict[str, Any]:
        """What the last answer said of it."""
        return self._inner.data

    async def refresh(self) -> "AsyncSession":
        """Asks the service for its state."""
        await self._threads.run(self._inner.refresh)
        return self

    async def extend(self, ttl: int) -> "AsyncSession":
        """It lives so many seconds from now."""
        await self._threads.run(self._inner.extend, ttl)
        return self

    async def pause(self) -> "AsyncSession":
        """All its processes stand still until resume()."""
        await self._threads.run(self._inner.pause)
        return self

    async def resume(self) -> "AsyncSession":
        """Its processes go on."""
        await self._threads.run(self._inner.resume)
        return self

    async def end(self) -> "AsyncSession":
        """Ends it, and all its jobs."""
        await self._threads.run(self._inner.end)
        return self

    execute = _runs(Session.execute)
    stream = _streams(Session.stream)
    submit = _makes(Session.submit, AsyncExecution)
    create_context = _makes(Session.create_context, AsyncContext)
    start = _makes(Session.start, AsyncProcess)
    process = _makes(Session.process, AsyncProcess)
    fetch = _call(Session.fetch)
    checkpoint = _call(Session.checkpoint)
    undo = _call(Session.undo)
    snapshot = _call(Session.snapshot)

    async def processes(self) -> List[AsyncProcess]:
        """Those that are in the service's memory, oldest first."""
        return [AsyncProcess(self._threads, p) for p in await self._threads.run(self._inner.processes)]


async def created(threads: _Threads, create: Callable[[], Session]) -> AsyncSession:
    """A task that is cancelled meanwhile leaves no session behind."""
    cancel = Cancel()

    def end(session: Session) -> None:
        try:
            session.end()
        except SandboxError:
            pass  # nobody asks; its ttl ends it

    def call() -> Session:
        session = create()
        cancel.add(lambda: threads.leave(functools.partial(end, session)))
        return session

    return AsyncSession(threads, await threads.run(call, cancel=cancel))
