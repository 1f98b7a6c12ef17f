import argparse
import concurrent.futures as cf
import subprocess
import sys
from pathlib import Path

import yaml

ap = argparse.ArgumentParser()
ap.add_argument("manifest")
ap.add_argument("command", nargs=argparse.REMAINDER)
a = ap.parse_args()
root = Path("repos")
root.mkdir(exist_ok=True)


def sync(r):
    d = root / r["name"]
    if d.exists():
        subprocess.run(["git", "-C", d, "pull", "--ff-only", "-q"], check=True)
    else:
        subprocess.run(["git", "clone", "-q", "--depth", "1", "-b", r.get("branch", "main"), r["url"], d], check=True)
    if a.command:
        p = subprocess.run(a.command, cwd=d, capture_output=True, text=True)
        return r["name"], p.returncode, p.stdout
    return r["name"], 0, ""


fails = 0
with cf.ThreadPoolExecutor(6) as ex:
    for name, rc, out in ex.map(sync, yaml.safe_load(open(a.manifest))["repos"]):
        print(f"== {name} ({rc})\n{out}", end="")
        fails += rc != 0
sys.exit(fails)
