"""The HTTP server alone (src/http), by raw sockets: what is refused, what is cut off, who is served meanwhile.

http_echo.c is a server with a handler that does what the path says; it counts what reaches the handler and how often
`done` was called.
"""
import contextlib
import json
import os
import pathlib
import shutil
import socket
import ssl
import subprocess
import threading
import time

import pytest
from helpers import make_preload

HERE = pathlib.Path(__file__).parent
SRC = HERE.parents[1] / "src"
PATIENCE = 60  # seconds until a test gives up: nothing here is meant to take so long
HOST = b"Host: localhost\r\n"
SMUGGLED = b"GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    compiler = shutil.which("gcc") or shutil.which("cc")
    assert compiler, "a compiler is needed"
    out = tmp_path_factory.mktemp("http") / "http_echo"
    sources = [*sorted((SRC / "http").glob("*.c")),
               *(SRC / "base" / f"{n}.c" for n in ("arena", "buf", "error", "parse", "strlist", "unix_socket"))]
    subprocess.run([compiler, "-std=gnu17", "-D_GNU_SOURCE", "-I", str(SRC), "-O1", "-g", str(HERE / "http_echo.c"),
                    *map(str, sources),
                    "-lmicrohttpd", "-lgnutls", "-pthread", "-o", str(out)], check=True)
    return out


class Server:
    def __init__(self, program, *options, pass_fds=(), env=None):
        self.process = subprocess.Popen([program, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        bufsize=1, pass_fds=pass_fds, env=env)
        first = self.process.stdout.readline()
        assert first.startswith("port "), first
        self.port = int(first.split()[1])
        self.lines = []

    def ask(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline()

    def stats(self):
        return json.loads(self.ask("stats"))

    def until(self, condition, what):
        end = time.monotonic() + PATIENCE
        while not condition(self.stats()):
            assert time.monotonic() < end, f"{what}: {self.stats()}"
            time.sleep(0.02)

    def connect(self, timeout=PATIENCE):
        return socket.create_connection(("127.0.0.1", self.port), timeout=timeout)

    def stop(self):
        if self.process.stdin.closed:
            return ""
        self.process.stdin.close()
        rest = self.process.stdout.read()
        code = self.process.wait(PATIENCE)
        assert code == 0, (code, rest)
        last = dict(w.split("=") for w in rest.splitlines()[-1].split()[1:])
        assert last["given"] == last["done"], last  # `done` is called once for every answer, however its request ended
        return rest


@pytest.fixture
def serve(program):
    with contextlib.ExitStack() as stack:
        def start(*options, **more):
            s = Server(program, *options, **more)
            stack.callback(s.stop)
            return s
        yield start


def read_all(s):
    """Until the server closes; a reset is told as such."""
    data = b""
    try:
        while piece := s.recv(65536):
            data += piece
    except ConnectionResetError:
        data += b"<reset>"
    return data


def read_answer(s, body=True):
    """One answer: (status, headers, body)."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = s.recv(65536)
        assert piece, data
        data += piece
    head, rest = data.split(b"\r\n\r\n", 1)
    lines = head.decode().split("\r\n")
    headers = {k.lower(): v for k, v in (line.split(": ", 1) for line in lines[1:])}
    size = int(headers.get("content-length", 0)) if body else 0
    while len(rest) < size:
        piece = s.recv(65536)
        assert piece, rest
        rest += piece
    assert len(rest) == size
    return int(lines[0].split()[1]), headers, rest


def ask(server, target="/", method="GET", headers=b"", body=b"", host=HOST):
    with server.connect() as s:
        length = b"Content-Length: %d\r\n" % len(body) if body else b""
        s.sendall(f"{method} {target} HTTP/1.1\r\n".encode() + host + length + headers + b"\r\n" + body)
        return read_answer(s, body=method != "HEAD")


def refused_as(answer):
    return json.loads(answer[2])["error"]["code"]


# --- framing
# ------------------------------------------------------------------------------------------------------------------


def post(*headers, body=b"hello", line=b"POST /p HTTP/1.1\r\n", host=HOST):
    return line + host + b"".join(headers) + b"\r\n" + body


MALFORMED = {
    "two lengths": post(b"Content-Length: 5\r\n", b"Content-Length: 5\r\n"),
    "two lengths that differ": post(b"Content-Length: 5\r\n", b"Content-Length: 50\r\n"),
    "length and chunked": post(b"Content-Length: 5\r\n", b"Transfer-Encoding: chunked\r\n", body=b"0\r\n\r\n"),
    "chunked and length": post(b"Transfer-Encoding: chunked\r\n", b"Content-Length: 5\r\n", body=b"0\r\n\r\n"),
    "chunked twice": post(b"Transfer-Encoding: chunked\r\n", b"Transfer-Encoding: chunked\r\n", body=b"0\r\n\r\n"),
    "another coding": post(b"Transfer-Encoding: gzip, chunked\r\n", body=b"0\r\n\r\n"),
    "identity": post(b"Transfer-Encoding: identity\r\n"),
    "chunked with a parameter": post(b"Transfer-Encoding: chunked;x=1\r\n", body=b"0\r\n\r\n"),
    "chunked in HTTP/1.0": post(b"Transfer-Encoding: chunked\r\n", line=b"POST /p HTTP/1.0\r\n", body=b"0\r\n\r\n"),
    "length with a sign": post(b"Content-Length: +5\r\n"),
    "negative length": post(b"Content-Length: -5\r\n"),
    "list of lengths": post(b"Content-Length: 5, 5\r\n"),
    "length with a blank behind": post(b"Content-Length: 5 \r\n"),
    "hexadecimal length": post(b"Content-Length: 0x5\r\n"),
    "no length in the length": post(b"Content-Length:\r\n"),
    "length beyond 64 bits": post(b"Content-Length: 18446744073709551621\r\n"),
    "blank before the colon": post(b"Content-Length : 5\r\n"),
    "continuation line": post(b"X: y\r\n Content-Length: 5\r\n"),
    "continuation that names another header": post(b"Content: 5\r\n -Length\r\n"),
    "continuation of the request line": b"POST /p HTTP/1.1\r\n " + HOST + b"Content-Length: 5\r\n\r\nhello",
    "lone CR": post(b"X: y\rContent-Length: 5\r\n"),
    "lone LF": post(b"X: y\nContent-Length: 5\r\n"),
    "lone LF behind the request line": post(b"Content-Length: 5\r\n", line=b"POST /p HTTP/1.1\n"),
    "lone LF as the empty line": post(b"Content-Length: 5\r\n", b"\n", body=b"")[:-2] + b"hello",
    "lone LF as the empty line, then NUL": post(b"Content-Length: 5\r\n", b"\n", body=b"")[:-2] + b"\0ello",
    "lone CR as the empty line": post(b"Content-Length: 5\r\n", b"\r", body=b"")[:-2] + b"hello",
    "CR CR LF": post(b"Content-Length: 5\r\n", b"\r"),
    "NUL in a value": post(b"X: a\0b\r\n", b"Content-Length: 5\r\n"),
    "NUL in the length": post(b"Content-Length: 5\x00012\r\n"),
    "NUL in a name": post(b"X\0: a\r\n", b"Content-Length: 5\r\n"),
    "NUL before a line": post(b"\0X: a\r\n", b"Content-Length: 5\r\n"),
    "two NUL before a line": post(b"\0\0X: a\r\n", b"Content-Length: 5\r\n"),
    "a line of two NUL": post(b"\0\0\r\n", b"Content-Length: 5\r\n"),
    "NUL in the method": post(b"Content-Length: 5\r\n", line=b"PO\0ST /p HTTP/1.1\r\n"),
    "NUL in the target": post(b"Content-Length: 5\r\n", line=b"POST /p\0q HTTP/1.1\r\n"),
    "NUL behind the version": post(b"Content-Length: 5\r\n", line=b"POST /p HTTP/1.1\0\r\n"),
    "control character in a value": post(b"X: a\x0bb\r\n", b"Content-Length: 5\r\n"),
    "control character in a name": post(b"X\x01: a\r\n", b"Content-Length: 5\r\n"),
    "line without a colon": post(b"Xyz\r\n", b"Content-Length: 5\r\n"),
    "line without a name": post(b": x\r\n", b"Content-Length: 5\r\n"),
    "two blanks in the request line": post(b"Content-Length: 5\r\n", line=b"POST  /p HTTP/1.1\r\n"),
    "blank behind the version": post(b"Content-Length: 5\r\n", line=b"POST /p HTTP/1.1 \r\n"),
    "blank in the target": post(b"Content-Length: 5\r\n", line=b"POST /p q HTTP/1.1\r\n"),
    "tabs in the request line": post(b"Content-Length: 5\r\n", line=b"POST\t/p\tHTTP/1.1\r\n"),
    "another version": post(b"Content-Length: 5\r\n", line=b"POST /p HTTP/1.2\r\n"),
    "version 2": post(b"Content-Length: 5\r\n", line=b"POST /p HTTP/2.0\r\n"),
    "no version": b"GET /p\r\n\r\n",
    "version in small letters": post(b"Content-Length: 5\r\n", line=b"POST /p http/1.1\r\n"),
    "no Host": post(b"Content-Length: 5\r\n", host=b""),
    "no Host in HTTP/1.0": post(b"Content-Length: 5\r\n", line=b"POST /p HTTP/1.0\r\n", host=b""),
    "two Host": post(b"Content-Length: 5\r\n", host=HOST + HOST),
    "two Authorization": post(b"Authorization: a\r\n", b"authorization: b\r\n", b"Content-Length: 5\r\n"),
    "two Idempotency-Key": post(b"Idempotency-Key: a\r\n", b"Idempotency-Key: a\r\n", b"Content-Length: 5\r\n"),
    "two traceparent": post(b"traceparent: a\r\n", b"Traceparent: a\r\n", b"Content-Length: 5\r\n"),
    "whole URL without a host": post(b"Content-Length: 5\r\n", line=b"POST http:///p HTTP/1.1\r\n"),
    "whole URL with a user": post(b"Content-Length: 5\r\n", line=b"POST http://me@localhost/p HTTP/1.1\r\n"),
    "whole URL with a port that is none": post(b"Content-Length: 5\r\n",
                                               line=b"POST http://localhost:x/p HTTP/1.1\r\n"),
    "whole URL of another scheme": post(b"Content-Length: 5\r\n", line=b"POST ftp://localhost/p HTTP/1.1\r\n"),
    "whole URL without Host": post(b"Content-Length: 5\r\n", line=b"POST http://localhost/p HTTP/1.1\r\n", host=b""),
    "star as target": post(b"Content-Length: 5\r\n", line=b"OPTIONS * HTTP/1.1\r\n"),
    "CONNECT": post(b"Content-Length: 5\r\n", line=b"CONNECT a:1 HTTP/1.1\r\n"),
    "an escape that is none": post(b"Content-Length: 5\r\n", line=b"POST /%zz HTTP/1.1\r\n"),
    "half an escape": post(b"Content-Length: 5\r\n", line=b"POST /%4 HTTP/1.1\r\n"),
    "an escape that is none in the query": post(b"Content-Length: 5\r\n", line=b"POST /?a=% HTTP/1.1\r\n"),
    "escaped NUL": post(b"Content-Length: 5\r\n", line=b"POST /a%00b HTTP/1.1\r\n"),
    "escaped NUL in the query": post(b"Content-Length: 5\r\n", line=b"POST /?a=%00 HTTP/1.1\r\n"),
    "a fragment": post(b"Content-Length: 5\r\n", line=b"POST /p#q HTTP/1.1\r\n"),
    "bytes beyond ASCII in the target": post(b"Content-Length: 5\r\n", line=b"POST /\xff HTTP/1.1\r\n"),
    "more parameters than anybody needs": post(b"Content-Length: 5\r\n",
                                               line=b"POST /?" + b"a&" * 65 + b" HTTP/1.1\r\n"),
    "size of a chunk with 0x": post(b"Transfer-Encoding: chunked\r\n", body=b"0x5\r\nhello\r\n0\r\n\r\n"),
    "size of a chunk with a sign": post(b"Transfer-Encoding: chunked\r\n", body=b"+5\r\nhello\r\n0\r\n\r\n"),
    "negative size of a chunk": post(b"Transfer-Encoding: chunked\r\n", body=b"-5\r\nhello\r\n0\r\n\r\n"),
    "size of a chunk with a blank": post(b"Transfer-Encoding: chunked\r\n", body=b"5 \r\nhello\r\n0\r\n\r\n"),
    "no size of a chunk": post(b"Transfer-Encoding: chunked\r\n", body=b"\r\nhello\r\n0\r\n\r\n"),
    "only an extension": post(b"Transfer-Encoding: chunked\r\n", body=b";x\r\n"),
    "chunk size beyond 64 bits": post(b"Transfer-Encoding: chunked\r\n",
                                      body=b"10000000000000000\r\nhello\r\n0\r\n\r\n"),
    "lone CR behind a chunk's size": post(b"Transfer-Encoding: chunked\r\n", body=b"5\rhello\r\n0\r\n\r\n"),
    "no line end behind a chunk": post(b"Transfer-Encoding: chunked\r\n", body=b"5\r\nhelloXX0\r\n\r\n"),
}


def test_what_is_malformed_is_refused_and_nothing_behind_it_is_taken_for_a_request(program):
    server = Server(program, "announce=1")
    wrong = []
    for name, request in MALFORMED.items():
        with server.connect() as s:
            s.sendall(request + SMUGGLED)
            answer = read_all(s)
        # where libmicrohttpd itself sees it, it sometimes says nothing, or 413 or 505
        if answer and not answer.startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 413 ", b"HTTP/1.1 505 ")):
            wrong.append((name, answer[:200]))
    assert not wrong
    assert "handled" not in server.stop()


@pytest.mark.parametrize("target, seen", [("http://localhost/p/q?x=1", b"/p/q"), ("HTTP://LOCALHOST:99/p", b"/p"),
                                          ("http://127.0.0.1", b"/"), ("https://localhost?x=1", b"/"),
                                          ("http://[::1]:8080/p", b"/p")])
def test_a_target_in_absolute_form_is_the_path_in_it_and_its_host_counts(serve, target, seen):
    server = serve()
    status, _, body = ask(server, target, host=b"Host: evil.example\r\n")  # RFC 9112 3.2.2: Host is ignored then
    assert status == 200 and body.startswith(b"GET " + seen + b" "), body
    assert (b"x=1;" in body) == ("x=1" in target), body
    assert refused_as(ask(server, "http://evil.example/p")) == "wrong_host"
    assert refused_as(ask(server, "http://localhost.evil.example/p")) == "wrong_host"


def starts_with(program, tmp_path, source):
    """-> (exit code or None where it listens, standard error), with this preloaded"""
    make_preload(tmp_path / "other.so", source)
    p = subprocess.Popen([program, "announce=1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                         text=True,
                         env={**os.environ, "LD_PRELOAD": str(tmp_path / "other.so")})
    out, err = p.communicate(timeout=PATIENCE)
    return p.returncode, out, err


# libmicrohttpd lays a head out otherwise than ours: names and values are copies.
COPIES = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <microhttpd.h>
struct both { MHD_KeyValueIteratorN each; void *cls; };
static char *copy(const char *s, size_t n) { char *c = calloc(1, n + 64); memcpy(c, s, n); return c; }
static enum MHD_Result on(void *cls, enum MHD_ValueKind kind, const char *k, size_t ks, const char *v, size_t vs)
{
    struct both *b = cls;
    return b->each(b->cls, kind, copy(k, ks), ks, v ? copy(v, vs) : NULL, vs);
}
int MHD_get_connection_values_n(struct MHD_Connection *c, enum MHD_ValueKind kind, MHD_KeyValueIteratorN each, void *cls)
{
    struct both b = { each, cls };
    int (*real)(struct MHD_Connection *, enum MHD_ValueKind, MHD_KeyValueIteratorN, void *) = dlsym(RTLD_NEXT, "MHD_get_connection_values_n");
    return real(c, kind, on, &b);
}
"""
# And one that tells of no header at all: nothing malformed could be seen in it.
BLIND = r"""
#include <microhttpd.h>
int MHD_get_connection_values_n(struct MHD_Connection *c, enum MHD_ValueKind kind, MHD_KeyValueIteratorN each, void *cls) { return 0; }
"""
# And one that mends what is malformed before it is seen: each NUL becomes a letter.
MENDS = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
#include <sys/socket.h>
ssize_t recv(int fd, void *p, size_t n, int flags)
{
    ssize_t (*real)(int, void *, size_t, int) = dlsym(RTLD_NEXT, "recv");
    ssize_t r = real(fd, p, n, flags);
    for (ssize_t i = 0; i < r; i++)
        if (!((char *)p)[i])
            ((char *)p)[i] = 'x';
    return r;
}
"""


@pytest.mark.parametrize("source", [COPIES, BLIND, MENDS], ids=["copies", "blind", "mends"])
def test_where_the_check_of_heads_would_be_blind_the_server_does_not_start(program, tmp_path, source):
    code, out, err = starts_with(program, tmp_path, source)
    assert code == 1 and out == "", (code, out, err)
    assert "libmicrohttpd" in err and "reads heads of requests otherwise than this program can check" in err, err


def test_the_check_of_heads_does_not_depend_on_the_version_s_name(program, tmp_path):
    make_preload(tmp_path / "other.so", 'const char *MHD_get_version(void) { return "1.0.9"; }')
    server = Server(program, "announce=1", env={**os.environ, "LD_PRELOAD": str(tmp_path / "other.so")})
    for name in ("lone LF", "NUL in a value", "lone LF as the empty line", "NUL before a line"):
        with server.connect() as s:
            s.sendall(MALFORMED[name] + SMUGGLED)
            assert read_all(s).startswith(b"HTTP/1.1 400 "), name
    assert "handled" not in server.stop()


def test_a_request_in_the_body_of_a_refused_one_never_reaches_the_handler(program):
    server = Server(program, "announce=1", "max_body=100")
    for method in (b"GET", b"POST", b"PUT", b"PATCH", b"DELETE", b"HEAD", b"OPTIONS"):
        for host, length in ((b"Host: evil.example\r\n", len(SMUGGLED)),
                             (HOST + b"Origin: http://evil.example\r\n", len(SMUGGLED)), (HOST, 101)):
            with server.connect() as s:
                s.sendall(method + b" /p HTTP/1.1\r\n" + host + b"Content-Length: %d\r\n\r\n" % length + SMUGGLED * 3)
                assert read_all(s).split()[1] in (b"421", b"403", b"413")
    assert "handled" not in server.stop()


def test_after_a_chunked_request_nothing_is_read_since_its_lines_cannot_be_checked(program):
    server = Server(program, "announce=1")
    for body in (b"5\r\nhello\r\n0\r\n\r\n", b"5;x\nhello\r\n0\r\n\r\n", b"5\nhello\n0\n\n"):
        with server.connect() as s:
            s.sendall(post(b"Transfer-Encoding: chunked\r\n", body=body) + SMUGGLED)
            answer = read_all(s)
            assert b"body=5:hello" in answer and b"Connection: close" in answer and answer.count(b"HTTP/1.1") == 1
    assert "smuggled" not in server.stop()


def test_requests_that_are_well_formed_are_served_one_after_the_other_on_one_connection(serve):
    server = serve()
    with server.connect() as s:
        s.sendall(b"GET /a%20b/../c//.%2f?x=1&y=a+b%26&z HTTP/1.1\r\nHost: LOCALHOST.:1\r\nX-Token:\t q\r\n\r\n")
        status, headers, body = read_answer(s)
        assert (status, body) == (200,
                                  b"GET /a b/../c//./ unix=0 uid=0 loopback=1 token=q query=x=1;y=a b&;z=; body=0:")
        assert (headers["x-content-type-options"] == "nosniff" and headers["cache-control"] == "no-store"
                and headers["server"] == "sandboxd")
        assert "date" in headers and headers["content-type"] == "application/json" and "connection" not in headers
        s.sendall(post(b"Content-Length: 5\r\n") + post(b"Content-Length: 0\r\n", body=b"") + b"GET /last HTTP/1.1\r\n"
                  + HOST + b"\r\n")
        data = b""
        while b"/last" not in data:
            data += s.recv(65536)
        assert data.count(b"HTTP/1.1 200") == 3 and b"body=5:hello" in data
    assert server.stats()["connections"] == 1


def test_head_is_a_get_without_its_body_and_options_tells_what_there_is(serve):
    server = serve()
    status, headers, _ = ask(server, method="HEAD")
    assert status == 200 and int(headers["content-length"]) > 20
    status, headers, _ = ask(server, method="OPTIONS")
    assert status == 204 and "PATCH" in headers["allow"]
    assert ask(server, "/stream?count=100000&gap=1000", method="HEAD")[0] == 200


# --- limits
# -------------------------------------------------------------------------------------------------------------------


def test_heads_that_are_too_large_are_refused(serve):
    server = serve()
    assert ask(server, headers=b"X: " + b"y" * 20000 + b"\r\n")[0] == 431
    assert refused_as(ask(server, headers=b"X: y\r\n" * 101)) == "headers_too_large"
    with server.connect() as s:
        with contextlib.suppress(OSError):
            s.sendall(b"GET / HTTP/1.1\r\n" + HOST + (b"X: " + b"y" * 1000 + b"\r\n") * 1000)
        assert read_all(s).startswith((b"HTTP/1.1 431", b"HTTP/1.1 413"))
    assert server.stats()["handled"] == 0


# A thread that reads what is left behind a refusal takes its time to see that there is nothing any more.
SLOW_END = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/socket.h>
#include <unistd.h>
ssize_t recv(int fd, void *to, size_t size, int flags)
{
    ssize_t (*real)(int, void *, size_t, int) = (ssize_t (*)(int, void *, size_t, int))dlsym(RTLD_NEXT, "recv");
    ssize_t n = real(fd, to, size, flags);
    if (n <= 0 && flags == MSG_DONTWAIT)
        usleep(300000);
    return n;
}
"""


def test_a_refusal_that_meets_the_server_s_end_is_no_crash(serve, tmp_path):
    """libmicrohttpd took no answer any more, and sent it."""
    library = tmp_path / "slow.so"
    make_preload(library, SLOW_END)
    server = serve(env={"LD_PRELOAD": str(library)})
    with server.connect() as s:
        s.sendall(b"GET / HTTP/1.1\r\n" + HOST + b"X: y\r\n" * 20000)
        assert read_all(s).startswith((b"HTTP/1.1 431", b"HTTP/1.1 413"))
        server.stop()


def test_a_body_that_says_that_it_is_too_large_is_refused_before_it_is_sent(serve):
    server = serve("max_body=1000")
    with server.connect() as s:
        s.sendall(b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 1001\r\nExpect: 100-continue\r\n\r\n")
        answer = read_answer(s)
        assert answer[0] == 413 and refused_as(answer) == "body_too_large"
    assert ask(server, method="POST", body=b"x" * 1000)[0] == 200


def test_a_chunked_body_that_becomes_too_large_is_refused_and_its_client_learns_why(serve):
    server = serve("max_body=1000")
    with server.connect() as s:
        s.sendall(b"POST / HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n")
        with contextlib.suppress(OSError):
            for _ in range(200):
                s.sendall(b"400\r\n" + b"x" * 1024 + b"\r\n")
        assert read_all(s).startswith(b"HTTP/1.1 413")
    assert server.stats()["handled"] == 0


def test_bodies_of_all_requests_together_have_a_limit_that_is_given_back(serve):
    server = serve("max_bodies=50000")
    for _ in range(3):
        with server.connect() as holds:
            holds.sendall(post(b"Content-Length: 40001\r\n", body=b"x" * 40000))
            end = time.monotonic() + PATIENCE
            while (answer := ask(server, method="POST", body=b"y" * 20000))[0] != 503:  # until the first is taken in
                assert time.monotonic() < end
            assert refused_as(answer) == "unavailable"
        server.until(lambda st: st["live"] == 0, "all have gone")
        assert ask(server, method="POST", body=b"y" * 50000)[0] == 200


def test_a_client_that_waits_for_100_continue_gets_it(serve):
    server = serve()
    with server.connect() as s:
        s.sendall(b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 5\r\nExpect: 100-continue\r\n\r\n")
        assert s.recv(100).startswith(b"HTTP/1.1 100")
        s.sendall(b"hello")
        assert read_answer(s)[2].endswith(b"body=5:hello")


@pytest.mark.parametrize("what", ["head", "line", "body", "chunks"])
def test_a_byte_now_and_then_does_not_extend_the_time_for_a_request(serve, what):
    server = serve("request=400", "idle=5000")
    begin = {"head": b"GET / HTTP/1.1\r\n" + HOST + b"X: ", "line": b"GET /",
             "body": post(b"Content-Length: 5000\r\n", body=b""),
             "chunks": post(b"Transfer-Encoding: chunked\r\n", body=b"fff\r\n")}[what]
    with server.connect() as s:
        s.sendall(begin)
        stop = threading.Event()

        def drip():
            with contextlib.suppress(OSError):
                while not stop.wait(0.03):
                    s.sendall(b"x")
        t = threading.Thread(target=drip)
        t.start()
        answer = read_all(s)  # times out, and fails, when the server does not end it
        stop.set()
        t.join()
    assert answer.startswith(b"HTTP/1.1 408") and b"request_timeout" in answer
    assert server.stats()["timeouts"] == 1 and server.stats()["handled"] == 0


def test_the_time_for_a_request_also_counts_for_the_second_one_of_a_connection(serve):
    server = serve("request=300", "idle=60000")
    with server.connect() as s:
        s.sendall(b"GET / HTTP/1.1\r\n" + HOST + b"\r\n")
        assert read_answer(s)[0] == 200
        time.sleep(0.2)
        s.sendall(b"GE")
        assert read_all(s).startswith(b"HTTP/1.1 408")


def test_a_connection_that_says_nothing_is_closed_after_the_idle_time_without_a_word(serve):
    server = serve("idle=200", "request=60000")
    with server.connect() as s:
        assert read_all(s) == b""
    with server.connect() as s:
        s.sendall(b"GET / HTTP/1.1\r\n" + HOST + b"\r\n")
        assert read_answer(s)[0] == 200
        assert read_all(s) == b""


def test_a_handler_may_take_longer_than_any_timeout(serve):
    server = serve("idle=100", "request=100", "write=100")
    with server.connect() as s:
        s.sendall(b"GET /wait?ms=600 HTTP/1.1\r\n" + HOST + b"\r\n")
        assert read_answer(s)[0] == 200


@pytest.mark.parametrize("target", ["/big?size=20000000", "/stream?count=1000000&gap=0&size=16000"])
@pytest.mark.parametrize("reads", [0, 64])
def test_a_client_that_does_not_take_its_answer_is_dropped(serve, target, reads):
    server = serve("write=400")
    with server.connect() as s:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        s.sendall(f"GET {target} HTTP/1.1\r\n".encode() + HOST + b"\r\n")
        end = time.monotonic() + PATIENCE
        while server.stats()["done"] == 0:
            assert time.monotonic() < end
            if reads:
                with contextlib.suppress(OSError):
                    s.recv(reads)
            time.sleep(0.05)
    assert server.stats()["timeouts"] == 1


def test_a_large_answer_may_take_long_as_long_as_it_goes_on(serve):
    """Slower than write_timeout in all, faster in each part."""
    server = serve("write=1500")
    with server.connect() as s:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
        s.sendall(b"GET /big?size=2097152 HTTP/1.1\r\n" + HOST + b"\r\n")
        got, start = 0, time.monotonic()
        while got < 2097152:
            piece = s.recv(65536)
            assert piece, "the connection was cut"
            got += len(piece)
            time.sleep(len(piece) / 65536 * 0.06)
        assert time.monotonic() - start > 1.6
    assert server.stats()["timeouts"] == 0


# --- room
# ---------------------------------------------------------------------------------------------------------------------


def test_one_connection_too_many_replaces_the_one_that_waits_longest_without_a_request(serve):
    server = serve("connections=3")
    socks = []
    with contextlib.ExitStack() as stack:
        def add(data=b""):
            before = server.stats()["connections"]
            s = stack.enter_context(server.connect())
            s.sendall(data)
            server.until(lambda st: st["connections"] > before, "is accepted")
            socks.append(s)
            return s
        busy = add(b"GET /wait?ms=60000 HTTP/1.1\r\n" + HOST + b"\r\n")
        server.until(lambda st: st["handled"] == 1, "is with the handler")
        oldest, younger = add(b"GET / HT"), add()
        add()
        assert read_all(oldest) == b""
        assert server.stats()["evicted"] == 1
        younger.sendall(b"GET / HTTP/1.1\r\n" + HOST + b"\r\n")
        assert read_answer(younger)[0] == 200
        busy.settimeout(0.05)
        with pytest.raises(TimeoutError):
            busy.recv(1)  # it is still there


def test_who_may_send_a_body_is_evicted_after_those_of_whom_nothing_is_known(serve):
    s = serve("connections=8", "admits=1")
    with s.connect() as known:
        known.sendall(b"POST /p HTTP/1.1\r\n" + HOST + b"X-Key: k\r\nContent-Length: 5\r\n\r\nhe")
        time.sleep(0.1)
        with contextlib.ExitStack() as stack:
            for _ in range(40):
                stack.enter_context(s.connect()).sendall(b"POST /p HTTP/1.1\r\n" + HOST)
            s.until(lambda x: x["evicted"] >= 33, "nobody made room")
            known.sendall(b"llo")
            assert read_answer(known)[0] == 200


def test_a_body_that_is_not_admitted_is_not_waited_for_and_not_read(serve):
    s = serve("admits=1")
    for length in (b"Content-Length: 1000000\r\n", b"Transfer-Encoding: chunked\r\n"):
        with s.connect() as c:
            c.sendall(b"POST /p HTTP/1.1\r\n" + HOST + length + b"\r\n")
            status, headers, body = read_answer(c)
            assert (status, headers["connection"]) == (200, "close") and body.endswith(b" body=0:"), body
            assert read_all(c) == b""
    answer = ask(s, method="POST", headers=b"X-Key: k\r\n", body=b"hello")
    assert answer[2].endswith(b" body=5:hello")
    assert ask(s)[0] == 200  # without a body there is nothing to admit


def test_a_head_has_ten_seconds_whatever_a_request_has(serve):
    s = serve("request=300000", "idle=300000")
    begin = time.monotonic()
    with s.connect() as c, s.connect() as body:
        body.sendall(b"POST /p HTTP/1.1\r\n" + HOST + b"Content-Length: 5\r\n\r\nhe")
        c.sendall(b"GET / HTTP/1.1\r\nX-Slow: ")
        data = b""
        while b"408" not in data:
            with contextlib.suppress(OSError):
                c.sendall(b"a")
            c.settimeout(0.5)
            with contextlib.suppress(TimeoutError):
                piece = c.recv(65536)
                assert piece, data
                data += piece
            assert time.monotonic() - begin < PATIENCE, "a slow head keeps its connection"
        assert time.monotonic() - begin > 9
        body.sendall(b"llo")  # it has its request_timeout
        assert read_answer(body)[0] == 200


def test_when_all_are_with_the_handler_a_newcomer_is_told_so(serve):
    server = serve("connections=2")
    with server.connect() as a, server.connect() as b:
        for s in (a, b):
            s.sendall(b"GET /wait?ms=60000 HTTP/1.1\r\n" + HOST + b"\r\n")
        server.until(lambda st: st["handled"] == 2, "both are with the handler")
        answer = ask(server)
        assert answer[0] == 503 and refused_as(answer) == "unavailable" and answer[1]["retry-after"] == "1"
        with server.connect() as silent:
            assert read_all(silent).startswith(b"HTTP/1.1 503")
        assert server.stats()["refused"] == 2 and server.stats()["evicted"] == 0
    server.until(lambda st: st["live"] == 0, "all have gone")
    assert ask(server)[0] == 200


def served(server, target):
    """Who comes in the very moment in which a place is made for him can be taken for the one who makes it: he comes
    again, as every client does."""
    for _ in range(2):
        with contextlib.suppress(AssertionError, ConnectionError):
            return ask(server, target)
    return ask(server, target)


def test_honest_clients_are_served_during_a_flood_of_slow_ones(serve):
    server = serve("connections=20", "request=2000")
    stop = threading.Event()

    def flood():
        held = []
        while not stop.is_set():
            with contextlib.suppress(OSError):
                s = server.connect()
                s.sendall(b"GET / HTTP/1.1\r\nX: ")
                held.append(s)
            if len(held) > 60:
                held.pop(0).close()
            time.sleep(0.002)
        for s in held:
            s.close()
    threads = [threading.Thread(target=flood) for _ in range(2)]
    for t in threads:
        t.start()
    try:
        server.until(lambda st: st["evicted"] > 20, "the flood is there")
        for i in range(40):
            assert served(server, f"/{i}")[0] == 200
    finally:
        stop.set()
        for t in threads:
            t.join()
    assert server.stats()["refused"] == 0
    server.until(lambda st: st["live"] <= 20, "no more than the limit stay")


# --- streams
# ------------------------------------------------------------------------------------------------------------------


def events_of(s):
    """Delays in microseconds of each «at TIME» as it comes."""
    data, delays = b"", []
    while b"\r\n0\r\n\r\n" not in data:
        piece = s.recv(65536)
        now = time.monotonic_ns() // 1000
        assert piece, data
        delays += [now - int(w.split()[0]) for w in piece.split(b"at ")[1:]]
        data += piece
    return delays


def test_each_part_of_a_stream_is_sent_at_once(serve):
    server = serve()
    with server.connect() as s:
        s.sendall(b"GET /stream?count=20&gap=20&first=300 HTTP/1.1\r\n" + HOST + b"\r\n")
        head = s.recv(65536)  # long before the first part
        assert b"Transfer-Encoding: chunked" in head and b"at " not in head
        delays = sorted(events_of(s))
    assert len(delays) == 20  # none waited for another


def test_a_stream_ends_once_whatever_becomes_of_its_client(serve):
    server = serve()
    for i in range(12):
        with server.connect() as s:
            s.sendall(b"GET /stream?count=100000&gap=%d&size=%d HTTP/1.1\r\n" % (i % 3 * 20, 20 + i * 1000) + HOST
                      + b"\r\n")
            if i % 2:
                s.recv(100)
            if i % 3 == 0:
                s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    server.until(lambda st: st["connections"] == 12 and st["live"] == 0 and st["done"] == st["given"] > 0,
                 "all have ended")


def test_a_handler_sees_that_its_client_has_left(serve):
    server = serve()
    with server.connect() as s:
        s.sendall(b"GET /wait?ms=60000 HTTP/1.1\r\n" + HOST + b"\r\n")
        server.until(lambda st: st["handled"] == 1, "runs")
    server.until(lambda st: st["done"] == 1, "has ended")


def test_clients_that_leave_anywhere_leave_nothing_behind(serve):
    server = serve()
    whole = post(b"Content-Length: 200000\r\n", body=b"x" * 200000)
    for i in range(60):
        with server.connect() as s:
            s.sendall(whole[:i * len(whole) // 59] if i % 2 else whole[:i * 3])
            if i % 5 == 0:
                s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    server.until(lambda st: st["live"] == 0 and st["done"] == st["given"], "all have ended")
    assert ask(server)[0] == 200


# --- Host, Origin
# -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["localhost", "LocalHost:1", "localhost.", "127.0.0.1:80", "127.1.2.3", "[::1]",
                                  "[::1]:8080", "api.example.org",
                                  "API.example.org.:443", "[fd00::1]", "only.example.org:444"])
def test_hosts_that_are_ours(serve, host):
    server = serve("allow_host=api.example.org", "allow_host=fd00::1", "allow_host=only.example.org:444")
    assert ask(server, host=f"Host: {host}\r\n".encode())[0] == 200


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example",
                                  "xapi.example.org", "[::2]", "10.0.0.1", "127.1",
                                  "2130706433", "only.example.org:443", "only.example.org", "0.0.0.0", "localhostx"])
def test_hosts_that_are_not_ours_are_misdirected(serve, host):
    server = serve("allow_host=api.example.org", "allow_host=only.example.org:444")
    answer = ask(server, host=f"Host: {host}\r\n".encode())
    assert answer[0] == 421 and refused_as(answer) == "wrong_host"
    assert server.stats()["handled"] == 0


def test_listening_everywhere_the_address_that_was_called_is_a_host_and_the_wildcard_is_none(serve):
    server = serve("host=0.0.0.0")
    assert ask(server, host=b"Host: 127.0.0.1\r\n")[0] == 200
    assert ask(server, host=b"Host: 0.0.0.0\r\n")[0] == 421
    assert ask(server, host=b"Host: 192.0.2.1\r\n")[0] == 421


@pytest.mark.parametrize("host",
                         ["", "a b", "localhost:x", "localhost:123456", "[::1", "[::1]x", "localhost:80:80",
                          "user@localhost", "localhost/"])
def test_hosts_that_are_none_are_refused(serve, host):
    assert ask(serve(), host=f"Host: {host}\r\n".encode())[0] in (400, 421)


def test_web_pages_may_call_only_from_origins_that_are_allowed(serve):
    server = serve("allow_origin=https://agents.example.org")
    good, bad = b"Origin: https://agents.example.org\r\n", [b"https://evil.example", b"null",
                                                            b"https://agents.example.org.evil.example", b""]
    for origin in bad:
        answer = ask(server, headers=b"Origin: " + origin + b"\r\n")
        assert answer[0] == 403 and "access-control-allow-origin" not in answer[1]
        assert ask(server, method="OPTIONS",
                   headers=b"Origin: " + origin + b"\r\nAccess-Control-Request-Method: POST\r\n")[0] == 403
    status, headers, _ = ask(server, headers=good)
    assert (status == 200 and headers["access-control-allow-origin"] == "https://agents.example.org"
            and headers["vary"] == "Origin")
    status, headers, _ = ask(server, method="OPTIONS", headers=good + b"Access-Control-Request-Method: POST\r\n")
    assert (status == 204 and "POST" in headers["access-control-allow-methods"]
            and "Authorization" in headers["access-control-allow-headers"])
    assert ask(server, headers=good + good)[0] == 400
    assert ask(server, headers=b"Sec-Fetch-Site: cross-site\r\n")[0] == 403
    assert ask(server, headers=b"Sec-Fetch-Site: cross-site\r\n" + good)[0] == 200
    assert server.stats()["handled"] == 2


# --- sockets
# ------------------------------------------------------------------------------------------------------------------


def ask_unix(path, request):
    with socket.socket(socket.AF_UNIX) as s:
        s.settimeout(PATIENCE)
        s.connect(str(path))
        s.sendall(request)
        return read_answer(s)


def test_a_unix_socket_knows_who_calls_takes_any_host_and_replaces_a_dead_one(serve, program, tmp_path):
    path = tmp_path / "s"
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    server = serve("host=", f"socket={path}")
    assert path.stat().st_mode & 0o777 == 0o660
    status, _, body = ask_unix(path, b"GET / HTTP/1.1\r\nHost: sandboxd\r\n\r\n")
    assert status == 200 and b"unix=1 uid=%d " % os.getuid() in body
    assert ask_unix(path, b"GET / HTTP/1.0\r\n\r\n")[0] == 200
    second = subprocess.run([program, "host=", f"socket={path}"], stdin=subprocess.DEVNULL, capture_output=True,
                            text=True)
    assert second.returncode == 1 and "in use" in second.stderr
    server.stop()
    assert not path.exists()


def test_what_is_no_socket_is_not_replaced(program, tmp_path):
    path = tmp_path / "s"
    path.write_text("precious")
    r = subprocess.run([program, "host=", f"socket={path}"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert r.returncode == 1 and path.read_text() == "precious"


def test_a_port_in_use_and_a_socket_that_does_not_listen_are_errors(program):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        r = subprocess.run([program, f"port={taken.getsockname()[1]}"], stdin=subprocess.DEVNULL, capture_output=True,
                           text=True)
        assert r.returncode == 1 and "in use" in r.stderr
    with socket.socket() as mute:
        r = subprocess.run([program, "host=", f"fd={mute.fileno()}"], stdin=subprocess.DEVNULL, capture_output=True,
                           text=True, pass_fds=[mute.fileno()])
        assert r.returncode == 1 and "no listening" in r.stderr


def test_a_socket_that_listens_already_is_served_and_left_to_others(serve):
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        for _ in range(2):
            server = serve("host=", f"fd={listening.fileno()}", pass_fds=[listening.fileno()])
            assert server.port == listening.getsockname()[1] and ask(server)[0] == 200
            server.stop()


# --- TLS
# ----------------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def certificate(tmp_path_factory):
    d = tmp_path_factory.mktemp("tls")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                    "-days", "2", "-subj",
                    "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", d / "key", "-out",
                    d / "certificate"],
                   check=True, capture_output=True)
    return d


def client_context(certificate):
    return ssl.create_default_context(cafile=str(certificate / "certificate"))


def test_tls_serves_what_plain_http_does_and_only_tls(serve, certificate):
    server = serve(f"certificate={certificate / 'certificate'}", f"key={certificate / 'key'}", "max_body=300000",
                   "request=3000")
    context = client_context(certificate)
    with context.wrap_socket(server.connect(), server_hostname="localhost") as s:
        assert s.version() == "TLSv1.3"
        s.sendall(post(b"Content-Length: 200000\r\n", body=b"y" * 200000))
        status, _, body = read_answer(s)
        assert status == 200 and body.endswith(b"y" * 200000)
        s.sendall(b"GET /stream?count=5&gap=20&first=300 HTTP/1.1\r\n" + HOST + b"\r\n")
        assert b"at " not in s.recv(65536)
        assert len(events_of(s)) == 5
    with context.wrap_socket(server.connect(), server_hostname="localhost") as s:
        s.sendall(post(b"Transfer-Encoding: chunked\r\n", body=b"61a80\r\n" + b"z" * 400000 + b"\r\n0\r\n\r\n"))
        assert read_answer(s)[0] == 413
    with context.wrap_socket(server.connect(), server_hostname="localhost") as s, s.makefile("rb") as f:
        s.sendall(b"GET /tunnel HTTP/1.1\r\n" + HOST + b"\r\n")
        assert f.readline() == b"HTTP/1.1 101 Switching Protocols\r\n"
        while f.readline() != b"\r\n":
            pass
        assert f.read(5) == b"first"
        for size in (1, 100, 16384, 20000):
            s.sendall(b"x" * size)
            assert f.read(size) == b"x" * size
    with server.connect() as s:
        s.sendall(b"GET / HTTP/1.1\r\n" + HOST + b"\r\n")
        assert b"200 OK" not in read_all(s)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("version, ciphers, is_good", [("TLSv1_2", "ECDHE+AESGCM", True),
                                                       ("TLSv1_2", "ECDHE+AES:!AESGCM:!AESCCM", False),
                                                       ("TLSv1_1", "ALL", False)])
def test_only_strong_tls_is_spoken(serve, certificate, version, ciphers, is_good):
    server = serve(f"certificate={certificate / 'certificate'}", f"key={certificate / 'key'}")
    context = client_context(certificate)
    context.minimum_version = context.maximum_version = ssl.TLSVersion[version]
    context.set_ciphers(ciphers + ":@SECLEVEL=0")
    with contextlib.nullcontext() if is_good else pytest.raises((ssl.SSLError, OSError)):
        with context.wrap_socket(server.connect(), server_hostname="localhost") as s:
            s.sendall(b"GET / HTTP/1.1\r\n" + HOST + b"\r\n")
            assert read_answer(s)[0] == 200


def test_a_handshake_that_does_not_go_on_is_ended(serve, certificate):
    server = serve(f"certificate={certificate / 'certificate'}", f"key={certificate / 'key'}", "request=300",
                   "idle=60000")
    with server.connect() as s:
        s.sendall(b"\x16\x03\x01\x02\x00\x01")
        assert read_all(s) == b""
    assert server.stats()["timeouts"] == 1


def test_a_key_that_is_none_is_an_error(program, certificate):
    r = subprocess.run([program, f"certificate={certificate / 'certificate'}", f"key={certificate / 'certificate'}"],
                       stdin=subprocess.DEVNULL,
                       capture_output=True, text=True)
    assert r.returncode == 1 and "PEM" in r.stderr


# --- answers, end
# -------------------------------------------------------------------------------------------------------------


def test_a_header_that_would_be_two_is_not_sent(serve):
    server = serve()
    assert ask(server, "/header?value=good")[1]["x-given"] == "good"
    with server.connect() as s:
        s.sendall(b"GET /header?value=a%0d%0aX-Evil:%201 HTTP/1.1\r\n" + HOST + b"\r\n")
        assert b"X-Evil" not in read_all(s)


def test_draining_lets_what_runs_end_and_accepts_nothing_new(serve):
    server = serve()
    with server.connect() as running, server.connect() as idle:
        running.sendall(b"GET /wait?ms=1200 HTTP/1.1\r\n" + HOST + b"\r\n")
        server.until(lambda st: st["handled"] == 1 and st["live"] == 2, "runs")
        assert server.ask("drain") == "draining\n"
        with pytest.raises(OSError):
            server.connect()
        assert read_all(idle) == b""
        status, headers, _ = read_answer(running)
        assert status == 200 and headers["connection"] == "close"


def test_stopping_ends_streams_handlers_and_half_requests(serve):
    server = serve("request=60000", "idle=60000")
    with server.connect() as stream, server.connect() as waits, server.connect() as half, server.connect():
        stream.sendall(b"GET /stream?count=100000&gap=100 HTTP/1.1\r\n" + HOST + b"\r\n")
        waits.sendall(b"GET /wait?ms=60000 HTTP/1.1\r\n" + HOST + b"\r\n")
        half.sendall(b"GET / HT")
        server.until(lambda st: st["handled"] == 2 and st["live"] == 4, "all are there")
        start = time.monotonic()
        server.stop()
        assert time.monotonic() - start < PATIENCE / 2
