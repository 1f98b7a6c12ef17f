# class: deployment, ssh configuration; style: template
from pathlib import Path

HOSTS = {"web1": "10.0.1.11", "web2": "10.0.1.12"}
config = Path.home() / ".ssh" / "config.d" / "team"
config.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
with config.open("w") as fh:
    for name, address in HOSTS.items():
        fh.write(f"Host {name}\n    HostName {address}\n    User deploy\n    IdentitiesOnly yes\n\n")
config.chmod(0o600)
