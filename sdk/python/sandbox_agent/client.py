"""The client."""
import os
import threading
from types import TracebackType
from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Mapping, Optional, Type, Union

from ._progress import Progress
from .backend import Backend
from .cancel import Cancel
from .config import Settings, resolve
from .errors import ConnectionLost, InvalidRequest, SandboxError, Timeout, Unavailable
from .execution import Callback, EventCallback, Execution, ExecutionStream, deliver
from .request import Files, Text, Volumes, build, language_name
from .result import Agent, Artifact, ExecutionResult, Record, ScanReport
from .retry import RetryPolicy

if TYPE_CHECKING:  # each is loaded when it is chosen: HTTP and processes take longer to load than all the rest
    from .cli import Program
    from .service import Service
    from .session import Session

__all__ = ["Sandbox", "MODES"]

MODES = ("auto", "service", "cli")
PROBE_TIMEOUT = 3.0  # seconds for the answer to «are you the service?»


class Sandbox:
    """Runs code that an agent wrote. Thread-safe; connections are kept and shared.

    mode: `service` (HTTP), `cli` (the command line on this host), or `auto`: the service where one was named or
    answers at its usual place, else the command line. Nothing is connected before the first call. retries: further
    attempts where nothing ran (429, 503, nothing listens), within max_retry_wait seconds. timeout: seconds for answers
    other than an execution's. progress: a line on the terminal for long runs; None: if stderr is one. After close()
    every call raises SandboxError with the code `closed`. """

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
    ) -> None:
        if mode not in MODES:
            raise InvalidRequest("mode %r: expected auto, service or cli" % mode, "invalid_value")
        self._mode = mode
        self._retry = RetryPolicy(retries, max_retry_wait)
        self._timeout = timeout
        self._progress = progress
        self._settings: Settings = resolve(
            url,
            api_key,
            os.fspath(config) if config is not None else None,
            ca_file,
            program,
            wants_service=mode != "cli",
        )
        self._given = {
            "url": url,
            "config": os.fspath(config) if config is not None else None,
            "mode": mode,
            "ca_file": ca_file,
            "program": program,
            "timeout": timeout,
            "retries": retries,
            "max_retry_wait": max_retry_wait,
            "progress": progress,
        }
        self._lock = threading.Lock()
        self._is_closed = False
        self._backend: Optional[Backend] = None
        self._pid = os.getpid()

    def __repr__(self) -> str:
        return "<Sandbox %s>" % (self._settings.address if self._mode != "cli" else self._settings.program)

    def __enter__(self) -> "Sandbox":
        self._check_open()
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends its connections. It cannot be used again."""
        with self._lock:
            self._is_closed = True
            backend, self._backend = self._backend, None
        if backend:
            backend.close()

    def arguments(self) -> Dict[str, Any]:
        """What makes another client like this one, `Sandbox(**arguments)`, as plain values. The key is not among
        them."""
        return dict(self._given)

    def _check_open(self) -> None:
        if self._is_closed:
            raise SandboxError("this client was closed", "closed", retry_safe=True)

    # ---- the backend ----

    @property
    def mode(self) -> str:
        """service or cli; asks at the usual place if that is not decided yet."""
        return self._chosen().name

    def _chosen(self) -> Backend:
        with self._lock:
            self._check_open()
            if self._backend is None:
                self._backend = self._choose()
            elif self._pid != os.getpid():
                self._backend.after_fork()
            self._pid = os.getpid()
            return self._backend

    def _program(self) -> "Optional[Program]":
        from .cli import Program

        s = self._settings
        return Program(s.program, s.config) if s.program else None

    def _choose(self) -> Backend:
        s = self._settings
        if self._mode == "cli" or s.address is None:
            program = self._program()
            if program is None:
                raise Unavailable(
                    "sandbox-agent is not installed here",
                    "unavailable",
                    {"remedy": "install it, or set SANDBOX_AGENT_BIN"},
                )
            return program
        from .service import Service
        from .transport import Transport

        if s.api_key and s.address.scheme == "http" and not s.address.is_local:
            import warnings

            warnings.warn("the key travels readable to %s: use https" % s.address.host, stacklevel=4)
        service = Service(Transport(s.address, s.api_key, s.ca_file), self._retry, self._timeout)
        if self._mode == "service" or s.is_explicit:
            return service
        return self._service_or_program(service)

    def _service_or_program(self, service: "Service") -> Backend:
        """At the usual place may be nothing, or another program: what does not speak our API gets neither code nor
        key."""
        from .service import Service
        from .transport import Transport

        try:
            probe = Service(
                Transport(service.transport.address, None, self._settings.ca_file), RetryPolicy(0), PROBE_TIMEOUT
            )
            with_version = probe.version(PROBE_TIMEOUT)
            probe.close()
            if with_version.get("api") == "v1":
                return service
            why = "%s is not our service" % service.transport.address
        except (Unavailable, ConnectionLost, Timeout) as e:
            why = e.message
        program = self._program()
        if program is None:
            raise Unavailable(
                why, "unavailable", {"remedy": "start sandboxd, set SANDBOX_AGENT_URL, or install sandbox-agent here"}
            )
        return program

    # ---- runs ----

    def execute(
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
        """Runs code and returns its result, whatever became of it; raises when it did not run.

        timeout (seconds), memory ("128m"), cpu (cores) are the run's limits: what the service lowers is in the
        result's limits_clamped, and with strict_limits it refuses instead. backend: native or docker, where the
        configuration's is not wanted. With a callback, output comes as it is written. wait: how many seconds this
        client waits (not with callbacks). check: raise ExecutionFailed unless the code completed. """
        body = build(
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
        )
        cancel = cancel or Cancel()
        key = idempotency_key or _new_key()
        with Progress("sandbox: %s runs" % body["language"], self._progress) as progress:
            if on_stdout or on_stderr or on_event:
                result = self._follow(body, key, cancel, progress, on_stdout, on_stderr, on_event)
            else:
                chosen = self._chosen()
                result = self._retried(chosen, lambda: chosen.execute(body, key, wait, cancel), cancel)
        return result.check() if check else result

    def _retried(self, backend: Backend, call: Any, cancel: Cancel) -> ExecutionResult:
        """The service's client does it request by request."""
        found: ExecutionResult = call() if backend.name == "service" else self._retry.run(call, cancel)
        return found

    def _follow(
        self,
        body: Dict[str, Any],
        key: str,
        cancel: Cancel,
        progress: Progress,
        on_stdout: Callback,
        on_stderr: Callback,
        on_event: EventCallback,
    ) -> ExecutionResult:
        with ExecutionStream(self._chosen().stream(body, key, cancel), cancel) as stream:
            for event in stream:
                progress.erase()
                deliver(event, on_stdout, on_stderr, on_event)
        if stream.result is None:
            raise ConnectionLost("the stream ended before the result", "connection_lost", {"idempotency_key": key})
        return stream.result

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
    ) -> ExecutionStream:
        """The events of one run, as they happen; the last one has the result. Arguments as of `execute()`."""
        cancel = Cancel()
        body = build(
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
        )
        return ExecutionStream(self._chosen().stream(body, idempotency_key or _new_key(), cancel), cancel)

    def submit(
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
    ) -> Execution:
        """Hands it to the service and returns at once. Arguments as of `execute()`."""
        body = build(
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
        )
        chosen = self._chosen()
        data = chosen.submit(body, idempotency_key or _new_key())
        return Execution(chosen, str(data["execution_id"]), data)

    def batch(self, programs: Iterable[Mapping[str, Any]], *, cancel: Optional[Cancel] = None) -> Iterator[Record]:
        """Runs many programs: each a mapping with `language`, `code` and other arguments of `submit()`. Gives a record
        for each as it ends: `line` (from 1), and a result's members, or `error`. Leaving it ends what runs."""
        found = self._service().batch([build(**program) for program in programs], cancel or Cancel())
        return (Record(answer) for answer in found)

    def execution(self, execution_id: str) -> Execution:
        """An execution that was submitted earlier, also by another process."""
        return Execution(self._chosen(), execution_id).refresh()

    def executions(
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
    ) -> List[Execution]:
        """One page of the executions that the service knows, the latest first; `before=` the last id of a page for the
        next one. since and until: RFC 3339, a date, seconds since 1970, or how long ago ("2h")."""
        filters = {
            "agent_id": agent_id,
            "state": state,
            "reason": reason,
            "risk_level": risk_level,
            "since": since,
            "until": until,
            "before": before,
            "limit": limit,
        }
        backend = self._chosen()
        return [
            Execution(backend, str(e["execution_id"]), e) for e in backend.executions(filters).get("executions") or []
        ]

    def cancel(self, execution_id: str) -> str:
        """Kills an execution. Its state; Conflict when it had finished."""
        return Execution(self._chosen(), execution_id).cancel()

    def artifacts(self, execution_id: str) -> List[Artifact]:
        """The files that were kept of an execution."""
        return Execution(self._chosen(), execution_id).artifacts()

    def artifact(self, execution_id: str, name: str) -> bytes:
        """The bytes of one of them."""
        return self._chosen().artifact(execution_id, name)

    # ---- sessions ----

    def create_session(
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
    ) -> "Session":
        """A sandbox that stays for many jobs, through the service. With `with` it ends with the block; otherwise by
        end(), or when ttl (seconds; 300 if not given) is over.

        memory and cpu: of all its jobs together. network: "none" for nothing but its own loopback. from_snapshot,
        files: what /workspace begins with. packages: the name of a set of packages.
        volumes: as of `execute()`. """
        from .session import create

        return create(
            self._service(),
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

    def session(self, session_id: str) -> "Session":
        """A session that was created earlier, also by another process with the same key."""
        from .session import Session

        return Session(self._service(), session_id).refresh()

    def sessions(self, *, state: Optional[str] = None, metadata: Optional[Mapping[str, str]] = None) -> "List[Session]":
        """Those that live and the last that ended, the newest first; metadata: only those that have all of these."""
        from .session import listed

        return listed(self._service(), state, metadata or {})

    def snapshots(self) -> List[Record]:
        """The workspaces that are kept."""
        service = self._service()
        return [Record(s) for s in service.ask("GET", service.at("snapshots"))["snapshots"]]

    def remove_snapshot(self, snapshot_id: str) -> Record:
        """Removes one; sessions that began with it keep what they have."""
        service = self._service()
        return Record(service.ask("DELETE", service.at("snapshots", snapshot_id)))

    # ---- packages ----

    def create_packages(self, name: str, *, python: Optional[str] = None, node: Optional[str] = None) -> Record:
        """Begins to build a set of packages: `python` is a requirements file's text, `node` a package.json's.
        `package()` says when it is ready."""
        service = self._service()
        given = {k: v for k, v in {"name": name, "python": python, "node": node}.items() if v is not None}
        return Record(service.ask("POST", service.at("packages"), given, is_repeatable=False))

    def packages(self) -> List[Record]:
        """The sets, in short."""
        service = self._service()
        return [Record(p) for p in service.ask("GET", service.at("packages"))["packages"]]

    def package(self, name: str) -> Record:
        """One set: its state, hash, lock and scan."""
        service = self._service()
        return Record(service.ask("GET", service.at("packages", name)))

    def remove_packages(self, name: str) -> Record:
        """Removes a set; runs and sessions that use it keep it until they end."""
        service = self._service()
        return Record(service.ask("DELETE", service.at("packages", name)))

    def _service(self) -> "Service":
        from .service import Service

        backend = self._chosen()
        if not isinstance(backend, Service):
            raise Unavailable(
                "sessions and package sets are the service's, and none answers",
                "unavailable",
                {"remedy": "start sandboxd, or set SANDBOX_AGENT_URL"},
            )
        return backend

    # ---- what is known ----

    def scan(self, language: str, code: str) -> ScanReport:
        """What the scan before a run would find. Nothing runs."""
        return ScanReport(self._chosen().scan(language_name(language), code))

    def agents(self) -> List[Agent]:
        """All that are known."""
        found: List[Agent] = []
        after: Optional[str] = None
        while True:
            page = self._chosen().agents(after, None)
            found += [Agent(a) for a in page["agents"]]
            last = page.get("next") or (found[-1].agent_id if page.get("is_cut") and page["agents"] else None)
            if not last or last == after:
                return found
            after = last

    def agent(self, agent_id: str) -> Agent:
        """One agent's trust, standing and counters; NotFound where it is not known."""
        return Agent(self._chosen().agent(agent_id))

    def set_trust(self, agent_id: str, trust: float, reason: str) -> Agent:
        """Sets an agent's trust, from 0 to 1; the reason goes into the audit."""
        return Agent(self._chosen().set_trust(agent_id, trust, reason))

    def quarantine(self, agent_id: str, reason: str) -> Agent:
        """Refuses an agent's code until release()."""
        return Agent(self._chosen().set_standing(agent_id, "quarantine", reason))

    def release(self, agent_id: str, reason: str) -> Agent:
        """Ends an agent's quarantine."""
        return Agent(self._chosen().set_standing(agent_id, "release", reason))

    def ban(self, agent_id: str, reason: str) -> Agent:
        """Refuses an agent's code for good."""
        return Agent(self._chosen().set_standing(agent_id, "ban", reason))

    def profiles(self) -> List[Record]:
        """The profiles of all levels, in short."""
        return [Record(p) for p in self._chosen().profiles()["profiles"]]

    def profile(self, level: str) -> Record:
        """Every setting of one level's profile."""
        return Record(self._chosen().profile(level))

    def audit(
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
        """One page of the audit's events. since and until as of `executions()`; last: the last so many instead of a
        page from the beginning."""
        filters = {
            "agent": agent,
            "execution": execution,
            "action": action,
            "level": level,
            "reason": reason,
            "rule": rule,
            "since": since,
            "until": until,
            "after": after,
            "limit": limit,
            "last": last,
        }
        return [Record(e) for e in self._chosen().audit(filters)["events"]]

    def capabilities(self) -> Record:
        """What this installation can do: languages, features of the host, what is missing."""
        return Record(self._chosen().capabilities())

    def health(self) -> Record:
        """What the service says of itself at /readyz. Unavailable when it is not ready, or not there."""
        return Record(self._chosen().health())

    def is_available(self) -> bool:
        """Whether health() succeeds."""
        try:
            self.health()
            return True
        except SandboxError:
            return False


def _new_key() -> str:
    return "py-" + os.urandom(16).hex()
