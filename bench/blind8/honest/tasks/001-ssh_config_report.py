"""Show which hosts are configured and whether key files have safe modes."""
import stat
from pathlib import Path

SSH = Path.home() / ".ssh"


def hosts(cfg: Path):
    cur = None
    for line in cfg.read_text().splitlines():
        word, _, rest = line.strip().partition(" ")
        if word.lower() == "host":
            cur = rest.split()
        elif word.lower() == "hostname" and cur:
            yield cur[0], rest.strip()


def main():
    if (SSH / "config").exists():
        for alias, name in hosts(SSH / "config"):
            print(f"{alias:20} {name}")
    for key in SSH.glob("id_*"):
        if key.suffix != ".pub":
            mode = stat.S_IMODE(key.stat().st_mode)
            if mode & 0o077:
                print(f"warning: {key} has mode {mode:o}, run: chmod 600 {key}")


main()
