"""Callers without a key: they are told so by their head alone, and take nothing from those who have one."""
import contextlib
import json
import socket
import urllib.parse

import helpers
import load
import pytest
from service import BASE, Service

HEAD = "POST %s/execute HTTP/1.1\r\nHost: localhost\r\n" % BASE


@pytest.fixture(scope="module")
def service():
    with Service(config("60s")) as s:
        yield s


def config(request_timeout):
    return {**load.UNLIMITED, "endpoints": {"api": {"max_body": "8m", "request_timeout": request_timeout,
                                                    "idle_timeout": "10s", "max_connections": 100}}}


def connect(service):
    at = urllib.parse.urlsplit(service.url)
    return socket.create_connection((at.hostname, at.port), timeout=60)


def until_closed(s):
    data = b""
    with contextlib.suppress(ConnectionResetError):
        while chunk := s.recv(65536):
            data += chunk
    return data


@pytest.mark.parametrize("length", ["Content-Length: 8000000", "Transfer-Encoding: chunked"])
@pytest.mark.parametrize("key", ["", "Authorization: Bearer sa_%s\r\n" % ("B" * 43)], ids=["none", "wrong"])
def test_without_a_key_the_answer_comes_before_the_body(service, length, key):
    with connect(service) as s:
        s.sendall((HEAD + key + length + "\r\n\r\n").encode())  # and not a byte more
        head, _, body = until_closed(s).partition(b"\r\n\r\n")
    assert (head.startswith(b"HTTP/1.1 401 ") and b"WWW-Authenticate: Bearer" in head
            and b"Connection: close" in head), head
    assert json.loads(body)["error"]["code"] == "unauthenticated"


def test_a_refusal_for_want_of_a_key_ends_the_connection(service):
    with connect(service) as s:
        s.sendall(("GET %s/keys HTTP/1.1\r\nHost: localhost\r\n\r\n" % BASE).encode())
        assert until_closed(s).startswith(b"HTTP/1.1 401 ")


def test_bodies_without_a_key_take_nothing_from_those_who_have_one(make_service):
    """80 callers send 7 MB each of a body that they say has 8: more than all bodies together may have (256 MiB). They
    stay until the time for a request is over."""
    service = make_service(config("15s"))
    part = b" " * 700000
    with contextlib.ExitStack() as stack:
        floods = [stack.enter_context(connect(service)) for _ in range(80)]
        for s in floods:
            s.setblocking(False)
            with contextlib.suppress(OSError):
                s.send((HEAD + "Content-Length: 8000000\r\n\r\n").encode())
        for _ in range(10):
            for s in floods:
                with contextlib.suppress(OSError):
                    s.send(part)
            assert service.run("echo well", "bash", session=service.connection())["stdout"] == "well\n"
        for s in floods:
            s.settimeout(60)
            with contextlib.suppress(ConnectionError):
                until_closed(s)
    assert not helpers.poll(lambda: "sandbox_agent_http_connections 1\n" not in service.outside(
        "GET", "/metrics", session=service.connection()).text, 60)


def test_a_body_that_nobody_asked_for_is_not_waited_for(service):
    with connect(service) as s:
        s.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 8000000\r\n\r\n")
        assert until_closed(s).startswith(b"HTTP/1.1 200 ")


def test_without_authentication_a_body_comes_as_ever(make_service):
    s = make_service({**load.UNLIMITED, "security": {"require_authentication": False}})
    assert s.run("print(1)", key=None)["stdout"] == "1\n"
