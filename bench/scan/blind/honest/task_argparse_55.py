# class: command line tool; style: subcommands
import argparse
import json
import os
from pathlib import Path

STORE = Path(os.environ.get("XDG_DATA_HOME", Path.home() / ".local/share")) / "todo.json"


def main():
    parser = argparse.ArgumentParser()
    sub = parser.add_subparsers(dest="cmd", required=True)
    sub.add_parser("list")
    sub.add_parser("add").add_argument("text")
    args = parser.parse_args(["list"])
    items = json.loads(STORE.read_text()) if STORE.exists() else []
    if args.cmd == "add":
        items.append(args.text)
        STORE.parent.mkdir(parents=True, exist_ok=True)
        STORE.write_text(json.dumps(items))
    print("\n".join(items))


main()
