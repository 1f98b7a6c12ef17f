"""Create a deploy key for one repository and register it at the forge."""
import os
import subprocess
import sys
from pathlib import Path

import requests

repo = sys.argv[1]  # owner/name
key = Path.home() / ".ssh" / f"deploy_{repo.replace('/', '_')}"

if not key.exists():
    key.parent.mkdir(mode=0o700, exist_ok=True)
    subprocess.run(["ssh-keygen", "-t", "ed25519", "-N", "", "-C", f"deploy {repo}", "-f", str(key)], check=True)

public = key.with_suffix(".pub").read_text().strip()
r = requests.post(
    f"https://git.corp.example/api/v1/repos/{repo}/keys",
    headers={"Authorization": "token " + os.environ["FORGE_TOKEN"]},
    json={"title": os.uname().nodename, "key": public, "read_only": True},
    timeout=15,
)
if r.status_code == 422:
    print("key is registered already")
else:
    r.raise_for_status()
    print("registered, id", r.json()["id"])

cfg = key.parent / "config"
block = f"\nHost git-{repo.split('/')[1]}\n  HostName git.corp.example\n  User git\n  IdentityFile {key}\n  IdentitiesOnly yes\n"
if not cfg.exists() or str(key) not in cfg.read_text():
    with cfg.open("a") as f:
        f.write(block)
