"""HTTP to the service: connections that are kept and used again, by many threads, and what can be tried a second time.

A kept connection may have been closed by the service meanwhile. If it ends before one byte of an answer has come, the
request is sent once more on a new one: requests that run code carry an Idempotency-Key, so that even a request that
did arrive runs once. Proxies of the environment are not used, redirects not followed: the key goes to the address that
was configured and nowhere else. """
import http.client
import json
import math
import socket
import ssl
import threading
import time
from typing import Any, Dict, List, Mapping, Optional, Tuple, Union

from ._version import __version__
from .cancel import Cancel
from .config import Address
from .errors import ConnectionLost, SandboxError, Timeout, Unavailable, error_from

__all__ = ["Transport", "Answer"]

MAX_IDLE = 8
MAX_ANSWER = 1 << 30  # bytes
CONNECT_TIMEOUT = 10.0
# what http.client raises when a peer closed the connection without a word
GONE = (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError, ConnectionAbortedError)
_PlainOrTls = Union[http.client.HTTPConnection, http.client.HTTPSConnection]


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: str, timeout: float) -> None:
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


class Answer:
    """One answer whose body is still to be read; `close()` gives the connection back when the body was read to its
    end."""

    def __init__(
        self, transport: "Transport", connection: _PlainOrTls, response: http.client.HTTPResponse, cancel: Cancel
    ) -> None:
        self._transport = transport
        self._connection: Optional[_PlainOrTls] = connection
        self._cancel = cancel
        self.response = response
        self.status = response.status
        self.headers = response.headers

    def read(self) -> bytes:
        """The whole body, or an error that says how it broke off."""
        try:
            data = self.response.read(MAX_ANSWER + 1)
        except socket.timeout:
            raise Timeout("the service did not finish its answer in time", "client_timeout") from None
        except (OSError, http.client.HTTPException, ValueError) as e:
            raise ConnectionLost("the answer broke off: %r" % e, "connection_lost") from None
        if len(data) > MAX_ANSWER:
            raise ConnectionLost("the answer is larger than %d bytes" % MAX_ANSWER, "bad_answer")
        expected = self.headers.get("Content-Length")
        if expected is not None and expected.isdigit() and len(data) < int(expected):
            raise ConnectionLost(
                "the answer broke off after %d of %s bytes" % (len(data), expected), "connection_lost"
            )
        return data

    def close(self) -> None:
        """Gives the connection back, or ends it when something is left in it."""
        connection, self._connection = self._connection, None
        if connection is None:
            return
        self._cancel.remove(self._transport.closer(connection))
        is_reusable = self.response.isclosed() and not self.response.will_close and not self._cancel.is_set
        self.response.close()
        if is_reusable:
            self._transport.keep(connection)
        else:
            connection.close()


class _Closer:
    """Ends a connection from another thread: shutdown() wakes the thread that reads; close() alone would not."""

    def __init__(self, connection: _PlainOrTls) -> None:
        self.connection = connection

    def __call__(self) -> None:
        sock = self.connection.sock
        if sock is not None:
            try:
                # of TLS the socket below: SSLSocket.shutdown() is no business of another thread
                socket.socket.shutdown(sock, socket.SHUT_RDWR)
            except OSError:
                pass  # it had ended by itself

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Closer) and self.connection is other.connection

    def __hash__(self) -> int:
        return id(self.connection)


class Transport:
    """Thread-safe; at most MAX_IDLE connections are kept."""

    def __init__(self, address: Address, api_key: Optional[str] = None, ca_file: Optional[str] = None) -> None:
        self.address = address
        self._api_key = api_key
        self._tls: Optional[ssl.SSLContext] = None
        if address.scheme == "https":
            try:
                self._tls = ssl.create_default_context(cafile=ca_file)
            except (OSError, ssl.SSLError) as e:
                raise SandboxError("ca_file %s: %s" % (ca_file, e), "bad_configuration", retry_safe=True) from None
        self._lock = threading.Lock()
        self._idle: List[_PlainOrTls] = []
        self._is_closed = False

    def __repr__(self) -> str:
        return "<Transport %s>" % self.address

    @staticmethod
    def closer(connection: _PlainOrTls) -> _Closer:
        """What ends this connection from another thread."""
        return _Closer(connection)

    def _new(self) -> _PlainOrTls:
        a = self.address
        if a.scheme == "unix":
            return _UnixConnection(a.socket, CONNECT_TIMEOUT)
        if self._tls is not None:
            return http.client.HTTPSConnection(a.host, a.port, timeout=CONNECT_TIMEOUT, context=self._tls)
        return http.client.HTTPConnection(a.host, a.port, timeout=CONNECT_TIMEOUT)

    def _connected(self) -> _PlainOrTls:
        connection = self._new()
        try:
            connection.connect()
        except socket.timeout:
            raise Unavailable("%s does not answer" % self.address, "unavailable") from None
        except ssl.SSLError as e:
            raise SandboxError(
                "%s: %s" % (self.address, e),
                "tls_failed",
                {"remedy": "ca_file or SANDBOX_AGENT_CA_FILE names the certificates to trust"},
                retry_safe=True,
            ) from None
        except OSError as e:
            raise Unavailable("%s: %s" % (self.address, e.strerror or e), "unavailable") from None
        return connection

    def _take(self) -> Tuple[_PlainOrTls, bool]:
        """A connection, and whether it was used before."""
        with self._lock:
            if self._is_closed:
                raise SandboxError("this client was closed", "closed", retry_safe=True)
            if self._idle:
                return self._idle.pop(), True
        return self._connected(), False

    def keep(self, connection: _PlainOrTls) -> None:
        """For the next request, if there is room."""
        with self._lock:
            if not self._is_closed and len(self._idle) < MAX_IDLE and connection.sock is not None:
                self._idle.append(connection)
                return
        connection.close()

    def close(self) -> None:
        """Ends the kept connections; a later request is refused."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def forget_idle(self) -> None:
        """After fork(): the parent's connections are the parent's."""
        self._lock = threading.Lock()
        self._idle = []

    def _headers(self, body: Optional[bytes], more: Mapping[str, str]) -> Dict[str, str]:
        headers = {"Accept": "application/json", "User-Agent": "sandbox-agent-python/" + __version__}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if self._api_key:
            headers["Authorization"] = "Bearer " + self._api_key
        headers.update(more)
        return headers

    def open(
        self,
        method: str,
        path: str,
        body: Optional[bytes] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: float = 60.0,
        cancel: Optional[Cancel] = None,
        is_repeatable: bool = True,
    ) -> Answer:
        """Sends, and waits for the head of the answer. path is whole. The caller closes the answer, whatever its
        status. What is not repeatable goes over a new connection, and so never twice."""
        cancel = cancel or Cancel()
        while True:
            connection, is_used = self._take() if is_repeatable else (self._connected(), False)
            try:
                return self._exchange(
                    connection, method, path, body, self._headers(body, headers or {}), timeout, cancel
                )
            except GONE as e:
                connection.close()
                if is_used and not cancel.is_set:
                    continue  # bounded: each round takes one idle connection away, the last one is new
                raise ConnectionLost(
                    "%s closed the connection without an answer: %s" % (self.address, e), "connection_lost"
                ) from None
            except socket.timeout:
                connection.close()
                raise Timeout("no answer within %g s" % timeout, "client_timeout") from None
            except (OSError, http.client.HTTPException) as e:
                connection.close()
                raise ConnectionLost("%s: %r" % (self.address, e), "connection_lost") from None
            except BaseException:
                connection.close()
                raise

    def _exchange(
        self,
        connection: _PlainOrTls,
        method: str,
        path: str,
        body: Optional[bytes],
        headers: Mapping[str, str],
        timeout: float,
        cancel: Cancel,
    ) -> Answer:
        closer = self.closer(connection)
        cancel.add(closer)
        try:
            connection.sock.settimeout(timeout)
            connection.request(method, path, body=body, headers=dict(headers))
            return Answer(self, connection, connection.getresponse(), cancel)
        except BaseException:
            cancel.remove(closer)
            raise


def _date(text: str) -> Optional[float]:
    from email.utils import parsedate_to_datetime

    try:
        return parsedate_to_datetime(text).timestamp()
    except (TypeError, ValueError, IndexError, OverflowError):
        return None


def _retry_after(headers: "http.client.HTTPMessage") -> Optional[int]:
    """Seconds. The header has those, or a date (a proxy writes one), which is compared with the server's own clock
    where it shows that."""
    text = (headers.get("Retry-After") or "").strip()
    if text.isdecimal():
        return int(text[:9])
    until = _date(text) if text else None
    if until is None:
        return None
    now = _date(headers.get("Date") or "")
    return max(0, math.ceil(until - (time.time() if now is None else now)))


def error_of(answer: Answer) -> SandboxError:
    """Of an answer whose status is no success. Reads its body."""
    data = answer.read()
    body: Any = None
    try:
        body = json.loads(data)
    except ValueError:
        pass
    error = body.get("error") if isinstance(body, dict) else None
    if not isinstance(error, dict):
        return error_from(
            "", "status %d without an error object: is this the service?" % answer.status, {}, answer.status
        )
    details: Dict[str, Any] = dict(error.get("details") or {})
    after = _retry_after(answer.headers)
    if after is not None:
        details.setdefault("retry_after_seconds", after)
    if answer.headers.get("X-Execution-Id"):
        details.setdefault("execution_id", answer.headers["X-Execution-Id"])
    return error_from(
        str(error.get("code") or "internal_error"),
        str(error.get("message") or "status %d" % answer.status),
        details,
        answer.status,
    )
