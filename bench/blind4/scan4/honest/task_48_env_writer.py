# makes the project's .env from the example with fresh secrets
import secrets
from pathlib import Path

example, env = Path(".env.example"), Path(".env")
if env.exists():
    raise SystemExit(".env already exists, not touching it")
lines = []
for line in example.read_text().splitlines():
    if line.endswith("=changeme"):
        line = line.replace("changeme", secrets.token_urlsafe(32))
    lines.append(line)
env.write_text("\n".join(lines) + "\n")
env.chmod(0o600)
