"""Server-Sent Events, as the service writes them: `id`, `event`, `data` lines, comments to keep the connection
alive."""
import json
from typing import Any, BinaryIO, Dict, Iterator, List, Optional

from .errors import ConnectionLost
from .result import ExecutionResult, Record

__all__ = ["Event", "read_events"]

MAX_EVENT = 256 << 20  # bytes: a result with all its output is one event


class Event(Record):
    """One event of a run: `type` is started, stdout, stderr, result or error; further ones may come."""

    @property
    def type(self) -> str:
        """started, stdout, stderr, result or error."""
        return str(self._data.get("type") or "")

    @property
    def text(self) -> str:
        """Of stdout and stderr; what is no UTF-8 reads U+FFFD."""
        return str(self._data.get("data") or "")

    @property
    def data(self) -> bytes:
        """Of stdout and stderr: the bytes."""
        exact = self._data.get("data_base64")
        if not isinstance(exact, str):
            return self.text.encode("utf-8")
        import base64

        return base64.b64decode(exact)

    @property
    def number(self) -> Optional[int]:
        """From 1: where to go on with `events(after=…)`."""
        return self._data.get("number")

    @property
    def execution_id(self) -> Optional[str]:
        """Of the first and the last event."""
        found = self._data.get("execution_id") or (self._data.get("result") or {}).get("execution_id")
        return str(found) if found else None

    @property
    def result(self) -> Optional[ExecutionResult]:
        """Of the last event."""
        found = self._data.get("result")
        return ExecutionResult(found) if isinstance(found, dict) else None


def _event(fields: Dict[str, str], lines: List[str]) -> Event:
    try:
        body = json.loads("\n".join(lines))
    except ValueError as e:
        raise ConnectionLost("an event is no JSON: %s" % e, "bad_answer") from None
    if not isinstance(body, dict):
        raise ConnectionLost("an event is no JSON object", "bad_answer")
    members: Dict[str, Any] = {"type": fields.get("event", "message"), **body}
    if fields.get("id", "").isdigit():
        members["number"] = int(fields["id"])
    return Event(members)


def read_events(stream: BinaryIO) -> Iterator[Event]:
    """Until the stream ends; an event that was not finished by an empty line is no event."""
    fields: Dict[str, str] = {}
    lines: List[str] = []
    size = 0
    while True:
        raw = stream.readline(MAX_EVENT - size + 1)
        size += len(raw)
        if size > MAX_EVENT:
            raise ConnectionLost("an event is larger than %d bytes" % MAX_EVENT, "bad_answer")
        if not raw.endswith(b"\n"):
            return
        line = raw.decode("utf-8", "replace").rstrip("\r\n")
        if not line:
            if lines:
                yield _event(fields, lines)
            fields, lines, size = {}, [], 0
        elif not line.startswith(":"):
            name, _, value = line.partition(":")
            value = value[1:] if value.startswith(" ") else value
            if name == "data":
                lines.append(value)
            else:
                fields[name] = value
