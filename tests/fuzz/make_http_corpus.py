#!/usr/bin/python3
"""Writes the corpus of fuzz_http: requests, some of them malformed, each behind the byte that says in how many pieces
it is sent.

    make_http_corpus.py DIRECTORY
"""
import pathlib
import sys

H = b"Host: localhost\r\n"
CHUNKED = b"POST /c HTTP/1.1\r\n" + H + b"Transfer-Encoding: chunked\r\n\r\n"
INPUTS = {
    "get": b"GET /a%20b?x=1&y=a+b HTTP/1.1\r\n" + H + b"X-Token:\t q \r\n\r\n",
    "pipelined": b"GET /1 HTTP/1.1\r\n" + H + b"\r\nPOST /2 HTTP/1.1\r\n" + H
    + b"Content-Length: 5\r\n\r\nhelloHEAD /3 HTTP/1.1\r\n" + H + b"\r\n",
    "chunked": CHUNKED + b"5;x=y\r\nhello\r\n00a\r\n0123456789\r\n0\r\nT: v\r\n\r\n",
    "chunked-twice": CHUNKED + b"5\r\nhello\r\n0\r\n\r\n" + CHUNKED + b"0\r\n\r\n",
    "large": b"POST /l HTTP/1.1\r\n" + H + b"Content-Length: 4096\r\n\r\n" + b"x" * 4096,
    "too-large": CHUNKED + b"1001\r\n" + b"x" * 4097 + b"\r\n0\r\n\r\n",
    "expect": b"PUT /e HTTP/1.1\r\n" + H + b"Content-Length: 3\r\nExpect: 100-continue\r\n\r\nabc",
    "length-and-chunked": b"POST /p HTTP/1.1\r\n" + H
    + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n" + H + b"\r\n",
    "two-lengths": b"POST /p HTTP/1.1\r\n" + H + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
    "folded": b"GET / HTTP/1.1\r\n" + H + b"X: a\r\n b\r\n\tc: d\r\n\r\n",
    "line-ends": b"GET / HTTP/1.1\r\n" + H + b"X: a\rY: b\nZ: c\r\n\n",
    "nul": b"POST /\0 HTTP/1.1\r\n" + H + b"X\0: \0\r\n\0\0\r\nContent-Length: 4\r\n\r\n\0\0\0\0",
    "cookies": b"GET /s?a HTTP/1.0\r\n" + H
    + b"Cookie: a=b; =c;d; e=\"f;g\"\r\nConnection: keep-alive\r\n\r\nGET / HTTP/1.1\r\n" + H + b"\r\n",
    "hosts": b"OPTIONS / HTTP/1.1\r\nHost: [::1]:80\r\nOrigin: null\r\nAccess-Control-Request-Method: GET\r\n\r\n",
}

for i, (name, data) in enumerate(INPUTS.items()):
    (pathlib.Path(sys.argv[1]) / name).write_bytes(bytes([i]) + data)
