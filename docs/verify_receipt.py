#!/usr/bin/env python3
"""Verifies a receipt of sandbox-agent without sandbox-agent, and without any library: DSSE, Ed25519 (RFC 8032), in-toto.

    verify_receipt.py RECEIPT PUBLIC_KEY_HEX [SUBJECT=FILE ...]         for example code=program.py
"""
import base64
import hashlib
import json
import sys

P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D, ROOT = -121665 * pow(121666, P - 2, P) % P, pow(2, (P - 1) // 4, P)
TYPE = "application/vnd.in-toto+json"


def decode(data):
    """-> a point (X, Y, Z, T)"""
    y, sign = int.from_bytes(data, "little") & (1 << 255) - 1, data[31] >> 7
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if (x * x - square) % P == 0 else x * ROOT % P
    if y >= P or (x * x - square) % P or (x == 0 and sign):
        raise ValueError("no point of the curve")
    x = P - x if x & 1 != sign else x
    return x, y, 1, x * y % P


def add(a, b):
    m, n = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    c, d = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    e, f, g, h = n - m, d - c, d + c, n + m
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(s, point):
    result = (0, 1, 1, 0)
    while s:
        result, point, s = add(result, point) if s & 1 else result, add(point, point), s >> 1
    return result


def is_signed(public, message, signature):
    a, r, s = decode(public), decode(signature[:32]), int.from_bytes(signature[32:], "little")
    h = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % L
    x, y = times(s, decode((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))), add(r, times(h, a))
    return s < L and (x[0] * y[2] - y[0] * x[2]) % P == 0 and (x[1] * y[2] - y[1] * x[2]) % P == 0


envelope = json.load(open(sys.argv[1]))
public, body = bytes.fromhex(sys.argv[2]), base64.b64decode(envelope["payload"], validate=True)
signed = b"DSSEv1 %d %s %d %s" % (len(TYPE), TYPE.encode(), len(body), body)
if envelope["payloadType"] != TYPE or not any(is_signed(public, signed, base64.b64decode(s["sig"])) for s in envelope["signatures"]):
    sys.exit("not signed with this key")
statement = json.loads(body)
subjects = {s["name"]: s["digest"]["sha256"] for s in statement["subject"]}
for name, path in (word.split("=", 1) for word in sys.argv[3:]):
    if subjects.get(name) != hashlib.sha256(open(path, "rb").read()).hexdigest():
        sys.exit("%s is not the %s of this receipt" % (path, name))
print(json.dumps(statement["predicate"], indent=2))
