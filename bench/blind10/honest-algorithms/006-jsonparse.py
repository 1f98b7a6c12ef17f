"""A JSON parser written by hand.

The parser follows the grammar of RFC 8259 and is built as a recursive
descent parser: each rule of the grammar is one method.
"""
import re

NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?")
ESC = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class Parser:
    def __init__(self, text):
        self.t, self.i = text, 0

    def ws(self):
        while self.i < len(self.t) and self.t[self.i] in " \t\r\n":
            self.i += 1

    def expect(self, s):
        if not self.t.startswith(s, self.i):
            raise ValueError(f"expected {s!r} at {self.i}")
        self.i += len(s)

    def value(self):
        self.ws()
        c = self.t[self.i]
        if c == "{":
            return self.obj()
        if c == "[":
            return self.arr()
        if c == '"':
            return self.string()
        for word, v in (("true", True), ("false", False), ("null", None)):
            if self.t.startswith(word, self.i):
                self.i += len(word)
                return v
        m = NUMBER.match(self.t, self.i)
        if not m:
            raise ValueError(f"unexpected {c!r} at {self.i}")
        self.i = m.end()
        return float(m[0]) if m[2] or m[3] else int(m[0])

    def string(self):
        self.expect('"')
        out = []
        while (c := self.t[self.i]) != '"':
            self.i += 1
            if c == "\\":
                e = self.t[self.i]
                self.i += 1
                if e == "u":
                    out.append(chr(int(self.t[self.i:self.i + 4], 16)))
                    self.i += 4
                else:
                    out.append(ESC[e])
            else:
                out.append(c)
        self.i += 1
        return "".join(out)

    def arr(self):
        self.expect("[")
        out = []
        self.ws()
        while self.t[self.i] != "]":
            out.append(self.value())
            self.ws()
            if self.t[self.i] == ",":
                self.i += 1
        self.i += 1
        return out

    def obj(self):
        self.expect("{")
        out = {}
        self.ws()
        while self.t[self.i] != "}":
            self.ws()
            k = self.string()
            self.ws()
            self.expect(":")
            out[k] = self.value()
            self.ws()
            if self.t[self.i] == ",":
                self.i += 1
        self.i += 1
        return out


print(Parser('{"a": [1, 2.5, -3e2, true, null], "b": "x\\u0041\\n"}').value())
