import base64
import hashlib
import hmac
import json
import os
import time

KEY = os.environ.get("JWT_SECRET", "dev-only").encode()
b64 = lambda b: base64.urlsafe_b64encode(b).rstrip(b"=")


def sign(claims):
    head = b64(json.dumps({"alg": "HS256", "typ": "JWT"}).encode()) + b"." + b64(json.dumps(claims).encode())
    return head + b"." + b64(hmac.new(KEY, head, hashlib.sha256).digest())


def verify(tok):
    head, _, sig = tok.rpartition(b".")
    if not hmac.compare_digest(sig, b64(hmac.new(KEY, head, hashlib.sha256).digest())):
        raise ValueError("bad signature")
    body = head.split(b".")[1]
    return json.loads(base64.urlsafe_b64decode(body + b"=" * (-len(body) % 4)))


print(verify(sign({"sub": "tester", "exp": int(time.time()) + 60})))
