"""Report weak permissions and old algorithms in ~/.ssh."""
import stat
import subprocess
from pathlib import Path

MODES = {"config": 0o600, "authorized_keys": 0o600}


def fingerprint(pub: Path) -> str:
    out = subprocess.run(["ssh-keygen", "-lf", str(pub)], capture_output=True, text=True)
    return out.stdout.strip()


def problems(folder: Path):
    if stat.S_IMODE(folder.stat().st_mode) & 0o077:
        yield folder, "directory is accessible to others"
    for f in sorted(folder.iterdir()):
        mode = stat.S_IMODE(f.stat().st_mode)
        if f.name.startswith("id_") and f.suffix != ".pub" and mode & 0o077:
            yield f, f"private key has mode {mode:o}, want 600"
        if f.suffix == ".pub":
            fp = fingerprint(f)
            if "(DSA)" in fp or fp.startswith("1024"):
                yield f, f"weak key: {fp}"
        if f.name in MODES and mode != MODES[f.name]:
            yield f, f"mode {mode:o}, want {MODES[f.name]:o}"


for path, text in problems(Path.home() / ".ssh"):
    print(f"{path}: {text}")
