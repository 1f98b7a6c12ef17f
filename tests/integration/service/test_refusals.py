"""What libmicrohttpd refuses by itself is told in the contract's form, once; and what cannot be is what
docs/openapi.yaml says."""
import contextlib
import json
import re
import socket
import urllib.parse

import pytest
from service import Service

HOST = "Host: localhost\r\n"
RUN = json.dumps({"language": "bash", "code": "true"})
KEY = "<the key>"
CHUNKED = "Transfer-Encoding: chunked\r\n"
GET = "GET /healthz HTTP/1.1\r\n"
# -> status, and what the message says
REFUSED = {
    "no host": (GET + "\r\n", 400, "Host is missing"),
    "a line without a colon": (GET + HOST + "nocolon\r\n\r\n", 400, "malformed"),
    "a list of lengths": (GET + HOST + "Content-Length: 5, 5\r\n\r\n", 400, "Content-Length"),
    "a signed length": (GET + HOST + "Content-Length: +5\r\n\r\n", 400, "Content-Length"),
    "an empty length": (GET + HOST + "Content-Length:\r\n\r\n", 400, "Content-Length"),
    "an enormous length": (GET + HOST + "Content-Length: 99999999999999999999999\r\n\r\n", 413, "max_body"),
    "a bad chunk": ("POST /x HTTP/1.1\r\n" + HOST + KEY + CHUNKED + "\r\nzz\r\nhello\r\n0\r\n\r\n", 400, "chunk"),
    "an enormous chunk": ("POST /x HTTP/1.1\r\n" + HOST + KEY + CHUNKED
                          + "\r\nffffffffffffffffff\r\nhello\r\n0\r\n\r\n", 413, "max_body"),
    "a chunk with a long extension": ("POST /x HTTP/1.1\r\n" + HOST + KEY + CHUNKED + "\r\n5;" + "a" * 70000
                                      + "\r\nhello\r\n0\r\n\r\n", 400, "chunk"),
    "a long header": (GET + HOST + "X: " + "a" * 70000 + "\r\n\r\n", 431, "head"),
    "a long header's name": (GET + HOST + "X" * 70000 + ": a\r\n\r\n", 431, "head"),
    "many headers": (GET + HOST + "".join("X-%d: a\r\n" % i for i in range(5000)) + "\r\n", 431, "head"),
    "large cookies": (GET + HOST + "Cookie: " + "a=b; " * 3400 + "\r\n\r\n", 431, "head"),
    "another HTTP on a kept connection": (GET + HOST + "\r\n" + "GET /healthz HTTP/9.9\r\n" + HOST + "\r\n", 400,
                                          "malformed"),
}
CODES = {400: "invalid_request", 413: "body_too_large", 431: "headers_too_large"}
PAGES = {
    "no version": ("GET /healthz\r\n" + HOST + "\r\n", 400),
    "another HTTP": ("GET /healthz HTTP/9.9\r\n" + HOST + "\r\n", 505),
}  # not a long line: the library closes with the rest of it unread, and the reset may be faster than its page


@pytest.fixture(scope="module")
def service():
    with Service() as s:
        yield s


def answers(service, data):
    """-> [(status, headers, body)] of all that comes until the connection is closed"""
    at = urllib.parse.urlsplit(service.url)
    got = b""
    with contextlib.closing(socket.create_connection((at.hostname, at.port), timeout=60)) as s:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            s.sendall(data.encode())
        while chunk := s.recv(65536):
            got += chunk
    parts = re.split(rb"(?=HTTP/1\.1 \d\d\d )", got)[1:]
    return [(int(p[9:12]), *p.partition(b"\r\n\r\n")[::2]) for p in parts]


@pytest.mark.parametrize("what", REFUSED)
def test_what_the_library_refuses_is_told_in_our_form_and_once(service, what):
    data, status, words = REFUSED[what]
    # without one a body is not read
    got = answers(service, data.replace(KEY, "Authorization: Bearer %s\r\n" % service.key))
    if what.endswith("kept connection"):
        assert got.pop(0)[0] == 200
    assert [a[0] for a in got] == [status], got
    head, body = got[0][1:]
    assert b"\r\nContent-Type: application/json" in head and b"\r\nConnection: close" in head, head
    error = json.loads(body)["error"]
    assert error["code"] == CODES[status] and words in error["message"] and error["details"] == {}, error


@pytest.mark.parametrize("what", PAGES)
def test_a_request_line_that_is_none_gets_the_page_of_which_the_document_tells(service, what):
    data, status = PAGES[what]
    assert [(a[0], a[2].startswith(b"<html>")) for a in answers(service, data)] == [(status, True)]
