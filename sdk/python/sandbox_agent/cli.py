"""The command line on this host, where no service runs: the same results and the same errors.

The code goes in through standard input, never onto the disk or into argv. While a run is streamed, its standard output
comes as it is written (--output-file on a pipe); its standard error comes with the result, in one event: the program
has no second such option. What lives longer than one call (submit, events, cancel by id) needs the service. """
import json
import os
import subprocess
import threading
from typing import Any, Dict, IO, Iterator, List, Optional, Tuple

from .backend import Backend, Json
from .cancel import Cancel
from .errors import InvalidRequest, NotFound, SandboxError, SandboxFailed, Timeout
from .events import Event
from .refusal import refusal_of
from .result import ExecutionResult

__all__ = ["Program"]

GRACE = 10.0  # seconds from SIGTERM, which ends the sandbox in order, to SIGKILL
CHUNK = 65536
ABSENT = (" is not known", " nothing is kept of it", " is not there")  # how the program says 404


def _argv(body: Json) -> List[str]:
    """Every option as two words: the program takes the second one as the value, whatever it begins with."""
    if "files" in body:
        files = body["files"]
        if len(files) != 1 or "content" not in files[0]:
            raise _needs_service("several files, or files of bytes")
    limits = body.get("limits") or {}
    named = [
        ("--language", body["language"]),
        ("--agent-id", body.get("agent_id")),
        ("--risk-level", body.get("risk_level")),
        ("--backend", body.get("backend")),
        ("--signature", body.get("signature")),
        ("--packages", body.get("packages")),
        ("--timeout", limits.get("timeout")),
        ("--memory", limits.get("memory")),
        ("--cpu", limits.get("cpu")),
    ]
    argv = [word for name, value in named if value is not None for word in (name, _word(value))]
    for name, value in (body.get("env") or {}).items():
        argv += ["--env", "%s=%s" % (name, value)]
    for v in body.get("volumes") or []:
        argv += ["--volume", "%s:%s:%s" % (v["host"], v["inside"], v["mode"])]
    return argv


def _word(value: Any) -> str:
    text = "%.3f" % value if isinstance(value, float) else str(value)
    if "\0" in text:
        raise InvalidRequest("a text contains NUL", "invalid_value")
    return text


def _code(body: Json) -> bytes:
    return str(body["code"] if "code" in body else body["files"][0]["content"]).encode("utf-8", "surrogateescape")


def _stdin(body: Json) -> Optional[bytes]:
    if "stdin_base64" in body:
        import base64

        return base64.b64decode(body["stdin_base64"])
    return body["stdin"].encode("utf-8") if "stdin" in body else None


def _needs_service(what: str) -> SandboxError:
    return InvalidRequest(
        "%s: not without a running service" % what,
        "needs_service",
        {"remedy": "start sandboxd, and set SANDBOX_AGENT_URL if it listens elsewhere"},
    )


def _parse(stdout: bytes, stderr: bytes, what: str) -> Json:
    try:
        found = json.loads(stdout)
    except ValueError:
        words = stderr.decode("utf-8", "replace").strip() or "no answer"
        raise SandboxFailed("%s: %s" % (what, words), "sandbox_error") from None
    return {"items": found} if isinstance(found, list) else dict(found)


class _Run:
    """One process with its code and input; close() gives back all that was opened for it."""

    def __init__(self, argv: List[str], body: Json, copies: bool) -> None:
        self.output: Optional[IO[bytes]] = None
        more: List[str] = []
        lent: List[int] = []
        try:
            given = _stdin(body)
            if given is not None:
                lent.append(os.memfd_create("stdin", os.MFD_CLOEXEC))
                with open(os.dup(lent[0]), "wb") as f:
                    f.write(given)
                more += ["--stdin", "/dev/fd/%d" % lent[0]]
            if copies:
                readable, writable = os.pipe()
                lent.append(writable)
                self.output = open(readable, "rb", buffering=0)
                more += ["--output-file", "/dev/fd/%d" % writable]
            arguments = ["--"] + [_word(a) for a in body["args"]] if body.get("args") else []
            self.process = subprocess.Popen(
                argv + more + arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=lent,
            )
        except BaseException:
            if self.output:
                self.output.close()
            raise
        finally:
            for fd in lent:
                os.close(fd)

    def end(self) -> None:
        """Asks the program to end its run; from any thread."""
        if self.process.poll() is None:
            self.process.terminate()

    def close(self) -> None:
        self.end()
        try:
            self.process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr, self.output):
            if stream:
                try:
                    stream.close()
                except BrokenPipeError:
                    pass  # it ended before it read its code


class _Text:
    """Bytes as they come, as events with whole characters."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._rest = b""

    def event(self, data: bytes, is_last: bool = False) -> Optional[Event]:
        data, self._rest = self._rest + data, b""
        exact: Dict[str, str] = {}
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as e:
            if not is_last and e.reason == "unexpected end of data":
                data, self._rest = data[: e.start], data[e.start :]
            text = data.decode("utf-8", "replace")
            if "\ufffd" in text:
                import base64

                exact = {"data_base64": base64.b64encode(data).decode("ascii")}
        return Event({"type": self._kind, "data": text, **exact}) if data else None


class Program(Backend):
    """The backend that is the command line. See Backend for the methods."""

    name = "cli"

    def __init__(self, program: str, config: Optional[str]) -> None:
        self.program = program
        self._config = ["--config", config] if config else []
        self._is_closed = False

    def close(self) -> None:
        self._is_closed = True

    def _check_open(self) -> None:
        if self._is_closed:
            raise SandboxError("this client was closed", "closed", retry_safe=True)

    # ---- runs ----

    def _start(self, body: Json, copies: bool = False) -> _Run:
        self._check_open()
        argv = [self.program, "run", "--json", "--code", "-"] + _argv(body) + self._config
        try:
            return _Run(argv, body, copies)
        except (OSError, ValueError) as e:
            if isinstance(e, SandboxError):
                raise
            raise SandboxFailed("%s: %s" % (self.program, e), "sandbox_error") from None

    def _result(self, stdout: bytes, stderr: bytes) -> ExecutionResult:
        result = ExecutionResult(_parse(stdout, stderr, self.program))
        refusal = refusal_of(result)
        if refusal:
            raise refusal
        return result

    def execute(self, body: Json, key: str, wait: Optional[float], cancel: Cancel) -> ExecutionResult:
        run = self._start(body)
        cancel.add(run.end)
        try:
            stdout, stderr = run.process.communicate(_code(body), wait)
        except subprocess.TimeoutExpired:
            raise Timeout("no result within %g s" % (wait or 0), "client_timeout") from None
        finally:
            cancel.remove(run.end)
            run.close()
        return self._result(stdout, stderr)

    def stream(self, body: Json, key: str, cancel: Cancel) -> Iterator[Event]:
        run = self._start(body, copies=True)
        cancel.add(run.end)
        ends: List[Tuple[bytes, bytes]] = []
        rest = threading.Thread(target=lambda: ends.append(run.process.communicate(_code(body))), daemon=True)
        rest.start()
        try:
            yield Event({"type": "started"})
            text = _Text("stdout")
            while run.output:
                data = run.output.read(CHUNK)
                event = text.event(data, is_last=not data)
                if event:
                    yield event
                if not data:
                    break
            rest.join()
            result = self._result(*ends[0])
            if result.stderr:
                yield Event({"type": "stderr", "data": result.stderr})
            yield Event({"type": "result", "result": result.to_dict()})
        finally:
            cancel.remove(run.end)
            run.end()
            rest.join(GRACE)
            run.close()

    # ---- records ----

    def _ask(
        self, *words: str, stdin: Optional[bytes] = None, codes: Tuple[int, ...] = (0,)
    ) -> Tuple[int, bytes, bytes]:
        self._check_open()
        try:
            done = subprocess.run(
                [self.program, *words], input=stdin if stdin is not None else b"", capture_output=True, timeout=120
            )
        except subprocess.TimeoutExpired:
            raise Timeout("%s %s takes too long" % (self.program, words[0]), "client_timeout") from None
        except (OSError, ValueError) as e:
            raise SandboxFailed("%s: %s" % (self.program, e), "sandbox_error") from None
        if done.returncode in codes:
            return done.returncode, done.stdout, done.stderr
        message, remedy = _words(done.stderr)
        if done.returncode == 2:
            kind = NotFound if message.endswith(ABSENT) else InvalidRequest
            raise kind(message, "not_found" if kind is NotFound else "invalid_value", remedy)
        raise SandboxFailed(message, "sandbox_error", remedy)

    def _json(self, *words: str, stdin: Optional[bytes] = None, codes: Tuple[int, ...] = (0,)) -> Json:
        _, out, err = self._ask(*words, "--json", stdin=stdin, codes=codes)
        return _parse(out, err, "%s %s" % (self.program, words[0]))

    def scan(self, language: str, code: str) -> Json:
        return self._json("scan", "-", "--language", language, *self._config, stdin=code.encode("utf-8"), codes=(0, 1))

    def agents(self, after: Optional[str], limit: Optional[int]) -> Json:
        found = self._json("agents", "list", *(["--after", after] if after else []), *self._config)
        if limit is not None and len(found["agents"]) > limit:
            found["agents"] = found["agents"][:limit]
            found["is_cut"] = True
        return found

    def agent(self, agent_id: str) -> Json:
        return self._json("agents", "show", _id(agent_id), *self._config)

    def set_trust(self, agent_id: str, trust: float, reason: str) -> Json:
        return self._json("agents", "trust", _id(agent_id), "%.3f" % trust, "--reason", reason, *self._config)

    def set_standing(self, agent_id: str, verb: str, reason: str) -> Json:
        return self._json("agents", verb, _id(agent_id), "--reason", reason, *self._config)

    def profiles(self) -> Json:
        return {"profiles": self._json("profiles", "list", *self._config)["items"]}

    def profile(self, level: str) -> Json:
        return self._json("profiles", "show", _id(level), *self._config)

    def audit(self, filters: Json) -> Json:
        words = [w for k, v in filters.items() if v is not None for w in ("--" + k, _word(v))]
        _, out, _ = self._ask("audit", "search", *words, "--json", *self._config, codes=(0, 1))
        return {"events": [json.loads(line) for line in out.splitlines() if line.strip()], "next": None}

    def artifacts(self, execution_id: str) -> Json:
        return self._json("artifacts", "show", _id(execution_id), *self._config)

    def artifact(self, execution_id: str, name: str) -> bytes:
        return self._ask("artifacts", "show", _id(execution_id), _id(name), *self._config)[1]

    def capabilities(self) -> Json:
        return self._json("doctor", codes=(0, 1))

    def health(self) -> Json:
        words = self._ask("--version")[1].decode("utf-8", "replace").split()
        return {"status": "ok", "checks": {"command": self.program}, "version": words[-1] if words else None}

    # ---- what lives longer than a call ----

    def submit(self, body: Json, key: str) -> Json:
        raise _needs_service("submit")

    def execution(self, execution_id: str) -> Json:
        raise _needs_service("execution %s" % execution_id)

    def executions(self, filters: Json) -> Json:
        raise _needs_service("executions")

    def events(self, execution_id: str, after: int, cancel: Cancel) -> Iterator[Event]:
        raise _needs_service("events of %s" % execution_id)

    def kill(self, execution_id: str) -> Json:
        raise _needs_service("cancel of %s" % execution_id)


def _id(text: str) -> str:
    """Where the program expects a name without an option before it."""
    if not text or text.startswith("-") or "\0" in text:
        raise InvalidRequest("%r is no name" % text, "invalid_value")
    return text


def _words(stderr: bytes) -> Tuple[str, Dict[str, str]]:
    """«sandbox-agent: text» and «  remedy: text»"""
    lines = stderr.decode("utf-8", "replace").strip().splitlines() or ["no words"]
    remedies = [line.split("remedy: ", 1)[1] for line in lines if line.lstrip().startswith("remedy: ")]
    message = lines[0].split("sandbox-agent: ", 1)[-1]
    return message, {"remedy": remedies[0]} if remedies else {}
