#!/usr/bin/python3
"""Writes the corpus of fuzz_dns: messages as programs and servers send them, and the doors of the parser.
make_dns_corpus.py DIRECTORY"""
import os, struct, sys

TYPES = dict(A=1, NS=2, CNAME=5, SOA=6, PTR=12, MX=15, TXT=16, AAAA=28, SRV=33, HTTPS=65)
OPT = b"\0\0\x29\x04\xd0\0\0\0\0\0\0"

def name(text):
    return b"".join(bytes([len(l)]) + l.encode() for l in text.split(".") if l) + b"\0"

def message(flags, question, qtype, answers=(), authority=(), extra=()):
    head = struct.pack(">6H", 0x1234, flags, 1, len(answers), len(authority), len(extra))
    return head + name(question) + struct.pack(">2H", TYPES[qtype], 1) + b"".join((*answers, *authority, *extra))

def rr(qtype, rdata, owner=b"\xc0\x0c", ttl=300):
    return owner + struct.pack(">2HIH", TYPES[qtype], 1, ttl, len(rdata)) + rdata

def ask(question, qtype, *extra):
    return b"q" + message(0x0100, question, qtype, extra=extra)

def answer(question, qtype, *answers, flags=0x8180, **more):
    return b"a" + message(flags, question, qtype, answers, **more)

soa = rr("SOA", b"\1m\xc0\x0c\1n\xc0\x0c" + struct.pack(">5I", 1, 2, 3, 4, 60))
files = {
    "query": ask("www.example.org", "A"),
    "query_edns": ask("www.example.org", "AAAA", OPT),
    "query_cookie": ask("example.org", "A", b"\0\0\x29\x04\xd0\0\0\0\0\0\x0c\0\x0a\0\x0812345678"),
    "query_https": ask("www.example.org", "HTTPS", OPT),
    "query_localhost": ask("localhost", "A"),
    "query_reverse": ask("4.3.2.10.in-addr.arpa", "PTR"),
    "query_reverse6": ask("1." + "0." * 30 + "2.ip6.arpa", "PTR"),
    "query_long": ask(".".join(["x" * 63] * 3 + ["y" * 61]), "A"),
    "query_pointer": b"q" + message(0x0100, "a", "A")[:12] + b"\xc0\x0c\0\1\0\1",
    "query_denied": ask("evil.test", "A", OPT),
    "a": answer("www.example.org", "A", rr("A", bytes([93, 184, 216, 34]))),
    "a_private": answer("www.example.org", "A", rr("A", bytes([10, 0, 0, 1])), rr("A", bytes([93, 184, 216, 34]))),
    "aaaa": answer("www.example.org", "AAAA", rr("AAAA", bytes.fromhex("26062800000000000000000000000001"))),
    "aaaa_mapped": answer("a.test", "AAAA", rr("AAAA", b"\0" * 10 + b"\xff\xff\x7f\0\0\1"),
                          rr("AAAA", b"\0\x64\xff\x9b" + b"\0" * 8 + b"\x0a\0\0\1")),
    "many": answer("many.test", "A", *[rr("A", bytes([93, 1, 1, i])) for i in range(80)]),
    "chain": answer("www.example.org", "A", rr("CNAME", b"\1b\xc0\x10"),
                    rr("CNAME", b"\1c\xc0\x10", name("b.example.org")), rr("A", b"\x5d\1\1\1", name("c.example.org"))),
    "cloak": answer("www.example.org", "A", rr("CNAME", name("evil.test")), rr("A", b"\x5d\1\1\1", name("evil.test"))),
    "loop": answer("www.example.org", "A", rr("CNAME", b"\xc0\x0c")),
    "mx": answer("example.org", "MX", rr("MX", b"\0\x0a\4mail\xc0\x0c")),
    "srv": answer("_x._tcp.example.org", "SRV", rr("SRV", b"\0\1\0\2\1\xbb\4mail\xc0\x0c")),
    "txt": answer("example.org", "TXT", rr("TXT", b"\5v=spf\x04-all"), rr("TXT", b"\0")),
    "soa": answer("example.org", "SOA", soa),
    "ns": answer("example.org", "NS", rr("NS", b"\2ns\xc0\x0c"), extra=(OPT,)),
    "ptr": answer("34.216.184.93.in-addr.arpa", "PTR", rr("PTR", name("Example.ORG"))),
    "nxdomain": answer("no.example.org", "A", flags=0x8183, authority=(soa,), extra=(OPT,)),
    "truncated": answer("big.example.org", "A", flags=0x8380),
    "formerr": b"a\x12\x34\x81\x81\0\0\0\0\0\0\0\0",
    "conf": b"c# text\nnameserver 10.0.0.1\nnameserver 2001:db8::1\nsearch a b\noptions timeout:3 attempts:9 ndots:2\n"
            b"nameserver [::1]:5353\n",
}
for key, data in files.items():
    with open(os.path.join(sys.argv[1], key), "wb") as f:
        f.write(data)
