"""The service, over HTTP: one method per route."""
import http.client
import json
from typing import Any, BinaryIO, Dict, Iterator, List, Mapping, Optional, Tuple, cast
from urllib.parse import quote, urlencode

from .backend import Backend, Json
from .cancel import Cancel
from .errors import ConnectionLost, SandboxError, error_from
from .events import Event, read_events
from .result import ExecutionResult
from .retry import RetryPolicy
from .transport import Answer, Transport, error_of

__all__ = ["Service"]

SILENCE = 60.0  # seconds; the service writes a comment into a quiet stream every ten
PATIENCE = 120.0  # beyond a run's own deadline: waiting for a turn, set-up
NO_LIMIT = 3600.0  # how long an answer may take where the caller set no deadline of its own
RESUMES = 5  # of a broken stream of events, without an event in between


def _path(*parts: str) -> str:
    return "".join("/" + quote(part, safe="") for part in parts)


def _seconds(value: Any) -> Optional[float]:
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


class Service(Backend):
    """The backend that is a sandboxd. See Backend for the methods."""

    name = "service"

    def __init__(self, transport: Transport, retry: RetryPolicy, timeout: float) -> None:
        self.transport = transport
        self._retry = retry
        self._timeout = timeout
        self._base = transport.address.base_path

    def close(self) -> None:
        self.transport.close()

    def after_fork(self) -> None:
        self.transport.forget_idle()

    # ---- requests ----

    def _open(
        self,
        method: str,
        path: str,
        body: Optional[Mapping[str, Any]] = None,
        headers: Optional[Dict[str, str]] = None,
        timeout: Optional[float] = None,
        cancel: Optional[Cancel] = None,
        data: Optional[bytes] = None,
        is_repeatable: bool = True,
    ) -> Answer:
        """An answer with a status of success; everything else is raised, after its retries. data: a body that is no
        JSON."""
        if body is not None:
            data = json.dumps(body).encode("ascii")

        def once() -> Answer:
            answer = self.transport.open(method, path, data, headers, timeout or self._timeout, cancel, is_repeatable)
            if 200 <= answer.status < 300:
                return answer
            try:
                raise error_of(answer)
            finally:
                answer.close()

        return self._retry.run(once, cancel)

    def _bytes(self, method: str, path: str, body: Optional[Mapping[str, Any]] = None, **more: Any) -> bytes:
        answer = self._open(method, path, body, **more)
        try:
            return answer.read()
        finally:
            answer.close()

    def _json(self, method: str, path: str, body: Optional[Mapping[str, Any]] = None, **more: Any) -> Json:
        data = self._bytes(method, path, body, **more)
        try:
            found = json.loads(data)
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise ConnectionLost("%s %s: the answer is no JSON object" % (method, path), "bad_answer")
        return found

    def _get(self, path: str, filters: Optional[Mapping[str, Any]] = None) -> Json:
        query = urlencode({k: v for k, v in (filters or {}).items() if v is not None})
        return self._json("GET", self._base + path + ("?" + query if query else ""))

    def at(self, *parts: str) -> str:
        """The whole path of a route below the base path."""
        return self._base + _path(*parts)

    def ask(
        self,
        method: str,
        path: str,
        body: Optional[Json] = None,
        *,
        data: Optional[bytes] = None,
        headers: Optional[Dict[str, str]] = None,
        is_repeatable: bool = True,
    ) -> Json:
        """For session.py: the JSON object that answers; path is whole. data: a body that is no JSON."""
        return self._json(method, path, body, data=data, headers=headers, is_repeatable=is_repeatable)

    def ask_bytes(self, path: str) -> bytes:
        """Likewise: what is there."""
        return self._bytes("GET", path, headers={"Accept": "*/*"})

    def pass_on(
        self, method: str, path: str, data: Optional[bytes], headers: Mapping[str, str], timeout: Optional[float]
    ) -> Tuple[int, Dict[str, str], bytes]:
        """A request to a session's port, sent once: -> status, headers and body, whatever the status."""
        answer = self.transport.open(method, path, data, headers, timeout or self._timeout, is_repeatable=False)
        try:
            return answer.status, dict(answer.headers.items()), answer.read()
        finally:
            answer.close()

    def ask_result(self, path: str, body: Json, cancel: Cancel) -> ExecutionResult:
        """Runs what the body says, once, and waits for its result."""
        limit = _seconds(body.get("timeout"))
        timeout = limit + PATIENCE if limit is not None else NO_LIMIT
        return ExecutionResult(self._json("POST", path, body, timeout=timeout, cancel=cancel, is_repeatable=False))

    # ---- runs ----

    def execute(self, body: Json, key: str, wait: Optional[float], cancel: Cancel) -> ExecutionResult:
        limit = _seconds((body.get("limits") or {}).get("timeout"))
        timeout = wait if wait is not None else limit + PATIENCE if limit is not None else NO_LIMIT
        try:
            found = self._json(
                "POST", self._base + "/execute", body, headers={"Idempotency-Key": key}, timeout=timeout, cancel=cancel
            )
        except ConnectionLost as e:
            e.details.setdefault("idempotency_key", key)
            raise
        if "reason" not in found or "execution_id" not in found:
            raise ConnectionLost("the answer is no result", "bad_answer", {"idempotency_key": key})
        return ExecutionResult(found)

    def stream(self, body: Json, key: str, cancel: Cancel) -> Iterator[Event]:
        return self.stream_at(self._base + "/execute", body, key, cancel)

    def stream_at(self, path: str, body: Json, key: Optional[str], cancel: Cancel) -> Iterator[Event]:
        """A run that one request begins and its answer tells. Without a key it cannot be sent again."""
        headers = {"Accept": "text/event-stream", **({"Idempotency-Key": key} if key else {})}
        answer = self._open(
            "POST", path, dict(body, stream=True), headers, SILENCE, cancel, is_repeatable=key is not None
        )
        last = None
        try:
            for event in self._read(answer):
                last = event
                yield event
        except ConnectionLost as e:
            if key:
                e.details.setdefault("idempotency_key", key)
            raise
        finally:
            answer.close()
        if last is None or last.result is None:
            details = {"execution_id": answer.headers.get("X-Execution-Id")}
            if key:
                details["idempotency_key"] = key
            raise ConnectionLost("the stream ended before the result", "connection_lost", details)

    def batch(self, programs: List[Json], cancel: Cancel) -> Iterator[Json]:
        """An answer to each, as it ends. Closing it ends what runs."""
        lines = "".join(json.dumps(p) + "\n" for p in programs).encode("ascii")
        headers = {"Content-Type": "application/x-ndjson", "Accept": "application/x-ndjson"}
        path = self._base + "/executions:batch"
        answer = self._open("POST", path, None, headers, NO_LIMIT, cancel, data=lines, is_repeatable=False)
        try:
            for line in answer.response:
                yield json.loads(line)
        except (OSError, ValueError, http.client.HTTPException) as e:
            raise ConnectionLost("the answers broke off: %r" % e, "connection_lost") from None
        finally:
            answer.close()

    def changes(self, path: str, cancel: Cancel) -> Iterator[Event]:
        """The events of a stream that has no result."""
        answer = self._open("GET", path, None, {"Accept": "text/event-stream"}, SILENCE, cancel)
        try:
            yield from read_events(cast(BinaryIO, answer.response))
        except (OSError, ValueError, http.client.HTTPException) as e:
            if isinstance(e, SandboxError):
                raise
            raise ConnectionLost("the stream broke off: %r" % e, "connection_lost") from None
        finally:
            answer.close()

    @staticmethod
    def _read(answer: Answer) -> Iterator[Event]:
        """Up to the result, which is read with the end behind it, so that the connection can be used again."""
        try:
            for event in read_events(cast(BinaryIO, answer.response)):
                if event.type == "error":
                    e = event.get("error") or {}
                    raise error_from(str(e.get("code")), str(e.get("message")), dict(e.get("details") or {}))
                if event.type == "result":
                    answer.response.read()
                yield event
                if event.type == "result":
                    return
        except (OSError, ValueError, http.client.HTTPException) as e:
            if isinstance(e, SandboxError):
                raise
            raise ConnectionLost("the stream broke off: %r" % e, "connection_lost") from None

    def submit(self, body: Json, key: str) -> Json:
        return self._json("POST", self._base + "/executions", body, headers={"Idempotency-Key": key})

    def execution(self, execution_id: str) -> Json:
        return self._get(_path("executions", execution_id))

    def executions(self, filters: Json) -> Json:
        return self._get("/executions", filters)

    def events(self, execution_id: str, after: int, cancel: Cancel) -> Iterator[Event]:
        return self.events_at(self._base + _path("executions", execution_id, "events"), execution_id, after, cancel)

    def events_at(self, path: str, execution_id: str, after: int, cancel: Cancel) -> Iterator[Event]:
        """A stream that breaks off is taken up behind the last event that came."""
        failures = 0
        while True:
            headers = {"Accept": "text/event-stream"}
            if after:
                headers["Last-Event-ID"] = str(after)
            answer = self._open("GET", path, None, headers, SILENCE, cancel)
            try:
                for event in self._read(answer):
                    failures, after = 0, event.number or after
                    yield event
                    if event.type == "result":
                        return
            except ConnectionLost:
                if cancel.is_set:
                    raise
            finally:
                answer.close()
            failures += 1
            if failures > RESUMES:
                raise ConnectionLost(
                    "the stream of %s ends before its result" % execution_id,
                    "connection_lost",
                    {"execution_id": execution_id},
                    retry_safe=True,
                )

    def kill(self, execution_id: str) -> Json:
        return self._json("DELETE", self._base + _path("executions", execution_id))

    def artifacts(self, execution_id: str) -> Json:
        return self._get(_path("executions", execution_id, "artifacts"))

    def artifact(self, execution_id: str, name: str) -> bytes:
        return self._bytes(
            "GET", self._base + _path("executions", execution_id, "artifacts", name), headers={"Accept": "*/*"}
        )

    # ---- the rest ----

    def scan(self, language: str, code: str) -> Json:
        return self._json("POST", self._base + "/scan", {"language": language, "code": code})

    def agents(self, after: Optional[str], limit: Optional[int]) -> Json:
        return self._get("/agents", {"after": after, "limit": limit})

    def agent(self, agent_id: str) -> Json:
        return self._get(_path("agents", agent_id))

    def set_trust(self, agent_id: str, trust: float, reason: str) -> Json:
        return self._json("PATCH", self._base + _path("agents", agent_id), {"trust": trust, "reason": reason})

    def set_standing(self, agent_id: str, verb: str, reason: str) -> Json:
        return self._json("POST", self._base + _path("agents", agent_id, verb), {"reason": reason})

    def profiles(self) -> Json:
        return self._get("/profiles")

    def profile(self, level: str) -> Json:
        return self._get(_path("profiles", level))

    def audit(self, filters: Json) -> Json:
        return self._get("/audit", filters)

    def capabilities(self) -> Json:
        return self._get("/capabilities")

    def health(self) -> Json:
        return self._json("GET", self.transport.address.root + "/readyz")

    def version(self, timeout: float) -> Json:
        """What listens there says of itself; without a retry."""
        answer = self.transport.open("GET", self.transport.address.root + "/version", timeout=timeout)
        try:
            return dict(json.loads(answer.read())) if answer.status == 200 else {}
        except (ValueError, TypeError):
            return {}
        finally:
            answer.close()
