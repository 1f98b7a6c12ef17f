"""Sessions: sandboxes that stay, with jobs, contexts, processes, files and snapshots (docs/sessions.md)."""
from types import TracebackType
from typing import Any, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Tuple, Type, Union
from urllib.parse import quote, urlencode

from .cancel import Cancel
from .errors import ConnectionLost, InvalidRequest, NotFound, SandboxError
from .events import Event
from .execution import Callback, EventCallback, Execution, ExecutionStream, deliver
from .request import Text, Volumes, base64_of, language_name, limits_of, stricter, volume_of
from .result import ExecutionResult, Record
from .service import Service

__all__ = ["Session", "Context", "Process", "PortAnswer", "Files", "create", "listed"]

Json = Dict[str, Any]
WORKSPACE = "/workspace"


def _given(**members: Any) -> Json:
    return {name: value for name, value in members.items() if value is not None}


def _bytes(data: Text) -> bytes:
    return data.encode("utf-8") if isinstance(data, str) else data


def _what(
    command: Optional[str],
    argv: Optional[Iterable[str]],
    language: Optional[str],
    code: Optional[str],
    args: Optional[Iterable[str]],
) -> Json:
    """What runs: one of command, argv, and language with code."""
    if [command is None, argv is None, code is None].count(False) != 1 or (language is None) != (code is None):
        raise InvalidRequest("give one of command, argv, and language with code", "invalid_request")
    if isinstance(argv, str) or isinstance(args, str):
        raise InvalidRequest("argv and args are lists of texts", "invalid_value")
    return _given(
        command=command,
        argv=list(argv) if argv is not None else None,
        language=language_name(language) if language is not None else None,
        code=code,
        args=list(args) if args is not None else None,
    )


def below(path: str) -> str:
    """Below /workspace, as the service takes it: a/b from a/b, ./a/b and /workspace/a/b."""
    is_inside = path == WORKSPACE or path.startswith(WORKSPACE + "/")
    if path.startswith("/") and not is_inside:
        raise InvalidRequest(
            "%s: files are read and written below %s" % (path, WORKSPACE),
            "invalid_value",
            {"remedy": "a job can work elsewhere, such as in /tmp"},
        )
    names = [n for n in (path[len(WORKSPACE) :] if is_inside else path).split("/") if n not in ("", ".")]
    if ".." in names:
        raise InvalidRequest("%s: expected a path without .." % path, "invalid_value")
    return "/".join(names)


class Files:
    """The files of a session, below /workspace."""

    def __init__(self, service: Service, session_id: str) -> None:
        self._service = service
        self._base = service.at("sessions", session_id)

    def _at(self, kind: str, path: str, **query: Any) -> str:
        found = below(path)
        words = urlencode({k: "" if v is True else v for k, v in query.items() if v is not None and v is not False})
        return self._base + "/" + kind + ("/" + quote(found) if found else "") + ("?" + words if words else "")

    def read(self, path: str) -> bytes:
        """The bytes of a regular file."""
        return self._service.ask_bytes(self._at("files", path))

    def read_text(self, path: str) -> str:
        """Likewise, as UTF-8."""
        return self.read(path).decode("utf-8", "replace")

    def write(self, path: str, data: Text, *, mode: Optional[int] = None) -> Record:
        """Writes it whole, with the directories above it."""
        where = self._at("files", path, mode=None if mode is None else "%o" % mode)
        return Record(self._service.ask("PUT", where, data=_bytes(data), headers=_RAW))

    def list(self, path: str = "", *, depth: Optional[int] = None) -> "List[Record]":
        """What is in a directory; depth levels of it. The service ends a list after 10,000 entries."""
        answer = self._service.ask("GET", self._at("files", path, list=True, depth=depth))
        return [Record(e) for e in answer["entries"]]

    def stat(self, path: str) -> Record:
        """The entry itself; a link is not followed."""
        return Record(self._service.ask("GET", self._at("files", self._named(path), stat=True)))

    def exists(self, path: str) -> bool:
        """Whether stat() finds it."""
        try:
            return not below(path) or bool(self.stat(path))
        except NotFound:
            return False

    def mkdir(self, path: str) -> None:
        """Makes it, with the directories above it."""
        self._service.ask("POST", self._at("files", self._named(path), mkdir=True))

    def move(self, path: str, to: str, *, replace: bool = False) -> None:
        """replace: what is there may be replaced."""
        self._service.ask("POST", self._at("files", self._named(path), move=below(to), replace=replace))

    def remove(self, path: str) -> None:
        """Removes it; a directory with all that is in it."""
        self._service.ask("DELETE", self._at("files", self._named(path)))

    def watch(
        self,
        path: str = "",
        *,
        recursive: bool = False,
        seconds: Optional[int] = None,
        cancel: Optional[Cancel] = None,
    ) -> Iterator[Event]:
        """Changes as they happen: first `watching`, at the end `end`."""
        query = urlencode(_given(path=below(path) or None, recursive="" if recursive else None, seconds=seconds))
        return self._service.changes(self._base + "/watch" + ("?" + query if query else ""), cancel or Cancel())

    def archive(self, path: str = "") -> bytes:
        """A tar archive of a directory. It holds what the code made: unpack it with a program that follows no links
        (tarfile: filter="data")."""
        return self._service.ask_bytes(self._at("archive", path))

    def unpack(self, path: str, archive: bytes) -> int:
        """Unpacks a tar archive there, without compression. -> how many entries it had"""
        answer = self._service.ask("PUT", self._at("archive", path), data=archive, headers=_TAR)
        return int(answer["entries"])

    @staticmethod
    def _named(path: str) -> str:
        if not below(path):
            raise InvalidRequest("expected a path below %s" % WORKSPACE, "invalid_value")
        return path


_RAW = {"Content-Type": "application/octet-stream"}
_TAR = {"Content-Type": "application/x-tar"}


class Process:
    """A job that can be talked to while it runs. A client that leaves does not end it."""

    def __init__(self, service: Service, session_id: str, data: Json) -> None:
        self._service = service
        self.data: Json = dict(data)
        self.id = str(data["process_id"])
        self._base = service.at("sessions", session_id, "processes", self.id)

    def __repr__(self) -> str:
        return "<Process %s %s>" % (self.id, self.state)

    @property
    def state(self) -> str:
        """queued, running, finished: as of the last answer; `refresh()` asks."""
        return str(self.data["state"])

    def refresh(self) -> "Process":
        """Asks the service for its state."""
        self.data = self._service.ask("GET", self._base)
        return self

    def events(self, after: int = 0) -> ExecutionStream:
        """What it writes, from the first event behind number `after`; taken up again when a connection breaks."""
        cancel = Cancel()
        return ExecutionStream(self._service.events_at(self._base + "/events", self.id, after, cancel), cancel)

    def wait(self, *, on_stdout: Callback = None, on_stderr: Callback = None) -> ExecutionResult:
        """Its result when it has ended."""
        return _result_of(self.events(), on_stdout, on_stderr, None)

    def write(self, data: Text, *, eof: bool = False) -> int:
        """Its input. Conflict when it does not read for 5 s, or has no open input. -> bytes that were taken"""
        where = self._base + "/stdin" + ("?eof=" if eof else "")
        answer = self._service.ask("POST", where, data=_bytes(data), headers=_RAW, is_repeatable=False)
        return int(answer["written"])

    def close_input(self) -> None:
        """The end of its input: a pipe is closed, a terminal gets ^D."""
        self.write(b"", eof=True)

    def signal(self, signal: Union[str, int]) -> None:
        """To all of its processes: `INT`, `SIGTERM` or 9."""
        self.data = self._service.ask("POST", self._base + "/signal", {"signal": signal}, is_repeatable=False)

    def resize(self, rows: int, cols: int) -> None:
        """Its terminal has another size."""
        self.data = self._service.ask("POST", self._base + "/resize", {"rows": rows, "cols": cols})

    def kill(self) -> str:
        """Ends it. -> its state. Conflict when it had ended."""
        return str(self._service.ask("DELETE", self._base)["state"])


class Context:
    """A kernel: variables stay between cells."""

    def __init__(self, service: Service, data: Json) -> None:
        self._service = service
        self.data: Json = dict(data)
        self.id = str(data["context_id"])
        self._base = service.at("sessions", str(data["session_id"]), "contexts", self.id)

    def execute(
        self,
        code: str,
        *,
        timeout: Optional[float] = None,
        on_stdout: Callback = None,
        on_stderr: Callback = None,
        check: bool = False,
        cancel: Optional[Cancel] = None,
    ) -> ExecutionResult:
        """Runs a cell. `result["results"]` has what it showed, by MIME type, `result["exception"]` its error."""
        body = _given(code=code, timeout=timeout)
        result = _run(self._service, self._base + "/execute", body, on_stdout, on_stderr, None, cancel)
        return result.check() if check else result

    def interrupt(self) -> None:
        """KeyboardInterrupt in the cell that runs."""
        self.data = self._service.ask("POST", self._base + "/interrupt")

    def restart(self) -> None:
        """A new kernel in its place, without variables."""
        self.data = self._service.ask("POST", self._base + "/restart")

    def checkpoint(self) -> Record:
        """Keeps its variables and the session's workspace as they are: undo() goes back there. Python only. Conflict
        while a cell or a thread runs."""
        return Record(self._service.ask("POST", self._base + "/checkpoints", is_repeatable=False))

    def undo(self, checkpoint_id: Optional[str] = None) -> Record:
        """What they were at this checkpoint, or at the last one; those made after it are gone (`dropped`)."""
        return Record(self._service.ask("POST", self._base + "/undo", _given(checkpoint_id=checkpoint_id)))

    def end(self) -> None:
        """Ends it."""
        self.data = self._service.ask("DELETE", self._base)


def ended(result: Optional[ExecutionResult]) -> ExecutionResult:
    """The result of a stream that has ended."""
    if result is None:
        raise ConnectionLost("the stream ended before the result", "connection_lost")
    return result


def _result_of(
    stream: ExecutionStream, on_stdout: Callback, on_stderr: Callback, on_event: EventCallback
) -> ExecutionResult:
    with stream:
        for event in stream:
            deliver(event, on_stdout, on_stderr, on_event)
    return ended(stream.result)


def _run(
    service: Service,
    path: str,
    body: Json,
    on_stdout: Callback,
    on_stderr: Callback,
    on_event: EventCallback,
    cancel: Optional[Cancel],
) -> ExecutionResult:
    cancel = cancel or Cancel()
    if on_stdout or on_stderr or on_event:
        events = service.stream_at(path, body, None, cancel)
        return _result_of(ExecutionStream(events, cancel), on_stdout, on_stderr, on_event)
    return service.ask_result(path, body, cancel)


class PortAnswer(NamedTuple):
    """What a server of a session answered, or the service where none did."""

    status: int
    headers: Dict[str, str]
    body: bytes


class Session:
    """See Sandbox.create_session(). Without `with` it outlives this object."""

    def __init__(self, service: Service, session_id: str, data: Optional[Json] = None) -> None:
        self._service = service
        self.id = session_id
        self.data: Json = dict(data or {})
        self._base = service.at("sessions", session_id)
        self.files = Files(service, session_id)

    def __repr__(self) -> str:
        return "<Session %s %s>" % (self.id, self.state)

    def __enter__(self) -> "Session":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        try:
            self.end()
        except SandboxError:
            if kind is None and self.refresh().state != "ended":
                raise

    @property
    def state(self) -> str:
        """starting, running, paused, ended: as of the last answer; `refresh()` asks."""
        return str(self.data.get("state") or "starting")

    def _told(self, method: str, route: str = "", body: Optional[Json] = None) -> "Session":
        self.data = self._service.ask(method, self._base + route, body)
        return self

    def refresh(self) -> "Session":
        """Asks the service for its state."""
        return self._told("GET")

    def extend(self, ttl: int) -> "Session":
        """It lives so many seconds from now."""
        return self._told("POST", "/extend", {"ttl": ttl})

    def pause(self) -> "Session":
        """All its processes stand still until resume()."""
        return self._told("POST", "/pause")

    def resume(self) -> "Session":
        """Its processes go on."""
        return self._told("POST", "/resume")

    def end(self) -> "Session":
        """Ends it, and all its jobs."""
        return self._told("DELETE")

    # ---- jobs ----

    def execute(
        self,
        command: Optional[str] = None,
        *,
        argv: Optional[Iterable[str]] = None,
        language: Optional[str] = None,
        code: Optional[str] = None,
        args: Optional[Iterable[str]] = None,
        stdin: Optional[Text] = None,
        env: Optional[Mapping[str, str]] = None,
        cwd: Optional[str] = None,
        timeout: Optional[float] = None,
        on_stdout: Callback = None,
        on_stderr: Callback = None,
        on_event: EventCallback = None,
        check: bool = False,
        cancel: Optional[Cancel] = None,
    ) -> ExecutionResult:
        """Runs a job: a command for bash, argv, or code in a language. Otherwise as Sandbox.execute()."""
        body = _job(_what(command, argv, language, code, args), stdin, env, cwd, timeout)
        result = _run(self._service, self._base + "/execute", body, on_stdout, on_stderr, on_event, cancel)
        return result.check() if check else result

    def stream(
        self,
        command: Optional[str] = None,
        *,
        argv: Optional[Iterable[str]] = None,
        language: Optional[str] = None,
        code: Optional[str] = None,
        args: Optional[Iterable[str]] = None,
        stdin: Optional[Text] = None,
        env: Optional[Mapping[str, str]] = None,
        cwd: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> ExecutionStream:
        """The events of one job, as they happen; leaving it early ends the job."""
        body = _job(_what(command, argv, language, code, args), stdin, env, cwd, timeout)
        cancel = Cancel()
        return ExecutionStream(self._service.stream_at(self._base + "/execute", body, None, cancel), cancel)

    def submit(
        self,
        command: Optional[str] = None,
        *,
        argv: Optional[Iterable[str]] = None,
        language: Optional[str] = None,
        code: Optional[str] = None,
        args: Optional[Iterable[str]] = None,
        stdin: Optional[Text] = None,
        env: Optional[Mapping[str, str]] = None,
        cwd: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Execution:
        """A job in the background: it runs until it ends, or its session does."""
        body = _job(_what(command, argv, language, code, args), stdin, env, cwd, timeout)
        path = self._base + "/execute"
        data = self._service.ask("POST", path, dict(body, background=True), is_repeatable=False)
        return Execution(self._service, str(data["execution_id"]), data)

    def create_context(self, language: str = "python") -> Context:
        """A kernel of python, node or bash, whose variables stay between cells."""
        body = {"language": language_name(language)}
        return Context(self._service, self._service.ask("POST", self._base + "/contexts", body, is_repeatable=False))

    # ---- processes ----

    def start(
        self,
        command: Optional[str] = None,
        *,
        argv: Optional[Iterable[str]] = None,
        language: Optional[str] = None,
        code: Optional[str] = None,
        args: Optional[Iterable[str]] = None,
        stdin: bool = False,
        pty: Optional[Tuple[int, int]] = None,
        env: Optional[Mapping[str, str]] = None,
        cwd: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Process:
        """A job whose input stays open (stdin), or that has a terminal: pty=(rows, cols)."""
        body = _job(_what(command, argv, language, code, args), None, env, cwd, timeout)
        body.update(_given(stdin=stdin or None, pty={"rows": pty[0], "cols": pty[1]} if pty else None))
        data = self._service.ask("POST", self._base + "/processes", body, is_repeatable=False)
        return Process(self._service, self.id, data)

    def processes(self) -> List[Process]:
        """Those that are in the service's memory, oldest first."""
        found = self._service.ask("GET", self._base + "/processes")["processes"]
        return [Process(self._service, self.id, p) for p in found]

    def process(self, process_id: str) -> Process:
        """One of them."""
        return Process(self._service, self.id, self._service.ask("GET", self._base + "/processes/" + quote(process_id)))

    def fetch(
        self,
        port: int,
        path: str = "/",
        *,
        method: str = "GET",
        data: Optional[Text] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> "PortAnswer":
        """Asks a server of the session: `http://localhost:{port}{path}` inside. Sent once; redirects are not
        followed. 502 and 504: nothing answers there."""
        where = "%s/ports/%d/%s" % (self._base, port, path.lstrip("/"))
        body = None if data is None else _bytes(data)
        return PortAnswer(*self._service.pass_on(method, where, body, headers or {}, timeout))

    def checkpoint(self) -> Record:
        """Keeps its workspace as it is now: undo() goes back there. Cheap: what has not changed is not copied."""
        return Record(self._service.ask("POST", self._base + "/checkpoints", is_repeatable=False))

    def undo(self, checkpoint_id: Optional[str] = None) -> Record:
        """Its workspace is what it was at this checkpoint, or at the last one; those made after it are gone
        (`dropped`). Processes go on."""
        return Record(self._service.ask("POST", self._base + "/undo", _given(checkpoint_id=checkpoint_id)))

    def snapshot(self) -> Record:
        """Keeps its workspace: `create_session(from_snapshot=….snapshot_id)` begins with it."""
        return Record(self._service.ask("POST", self._base + "/snapshots", is_repeatable=False))


def _job(
    what: Json,
    stdin: Optional[Text],
    env: Optional[Mapping[str, str]],
    cwd: Optional[str],
    timeout: Optional[float],
) -> Json:
    given = {"stdin": stdin} if isinstance(stdin, str) else {"stdin_base64": base64_of(stdin)} if stdin else {}
    return {**what, **given, **_given(env=dict(env) if env is not None else None, cwd=cwd, timeout=timeout)}


def create(
    service: Service,
    *,
    agent_id: Optional[str],
    risk_level: Optional[str],
    ttl: Optional[int],
    env: Optional[Mapping[str, str]],
    metadata: Optional[Mapping[str, str]],
    memory: Union[str, int, None],
    cpu: Optional[float],
    network: Optional[str],
    from_snapshot: Optional[str],
    files: Optional[Mapping[str, Text]],
    packages: Optional[str],
    volumes: Optional[Volumes],
) -> Session:
    """POST /sessions: only what was given; the service judges it."""
    body = _given(
        agent_id=agent_id,
        risk_level=stricter(risk_level),
        ttl=ttl,
        env=dict(env) if env is not None else None,
        metadata=dict(metadata) if metadata is not None else None,
        limits=limits_of(None, memory, cpu) or None,
        network={"mode": network} if network is not None else None,
        files={k: base64_of(_bytes(v)) for k, v in files.items()} if files is not None else None,
        packages=packages,
        volumes=[volume_of(v) for v in volumes] if volumes is not None else None,
    )
    if from_snapshot is not None:
        body["from"] = from_snapshot
    data = service.ask("POST", service.at("sessions"), body, is_repeatable=False)
    return Session(service, str(data["session_id"]), data)


def listed(service: Service, state: Optional[str], metadata: Mapping[str, str]) -> List[Session]:
    """GET /sessions."""
    query = urlencode({**_given(state=state), **{"metadata." + k: v for k, v in metadata.items()}})
    found = service.ask("GET", service.at("sessions") + ("?" + query if query else ""))["sessions"]
    return [Session(service, str(s["session_id"]), s) for s in found]
