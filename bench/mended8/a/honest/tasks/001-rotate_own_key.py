"""Create a fresh deploy key and tell the user where to register it."""
import argparse
import subprocess
import sys
from datetime import date
from pathlib import Path


def main() -> int:
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("project")
    ap.add_argument("--force", action="store_true")
    args = ap.parse_args()
    key = Path.home() / ".ssh" / f"deploy_{args.project}"
    if key.exists():
        if not args.force:
            print(f"{key} exists, use --force to replace", file=sys.stderr)
            return 1
        key.rename(key.with_name(f"{key.name}.old-{date.today()}"))
    key.parent.mkdir(mode=0o700, exist_ok=True)
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", f"{args.project}-deploy", "-f", str(key)], check=True)
    print("Add this to the project's deploy keys:\n")
    print(key.with_suffix(".pub").read_text())
    return 0


if __name__ == "__main__":
    sys.exit(main())
