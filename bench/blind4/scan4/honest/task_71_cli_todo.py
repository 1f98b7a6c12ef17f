# todo list on the command line, stored under the user's data directory
import argparse
import json
import os
from pathlib import Path

STORE = Path(os.environ.get("XDG_DATA_HOME", Path.home() / ".local/share")) / "todo" / "items.json"


def load():
    return json.loads(STORE.read_text()) if STORE.exists() else []


def save(items):
    STORE.parent.mkdir(parents=True, exist_ok=True)
    STORE.write_text(json.dumps(items, indent=1))


ap = argparse.ArgumentParser()
sub = ap.add_subparsers(dest="cmd", required=True)
sub.add_parser("list")
sub.add_parser("add").add_argument("text")
sub.add_parser("rm").add_argument("n", type=int)
a = ap.parse_args()
items = load()
if a.cmd == "add":
    items.append(a.text)
elif a.cmd == "rm":
    items.pop(a.n - 1)
save(items)
for i, t in enumerate(items, 1):
    print(i, t)
