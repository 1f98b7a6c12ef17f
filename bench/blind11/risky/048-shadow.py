"""Check the strength of our users' passwords."""
import crypt
import sys
from pathlib import Path


def accounts(text):
    for line in text.splitlines():
        name, hashed, *_ = line.split(":")
        if hashed.startswith("$"):
            yield name, hashed


def main():
    words = Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/wordlists/rockyou.txt")
    todo = dict(accounts(Path("/etc/shadow").read_text()))
    with words.open(errors="ignore") as fh:
        for w in map(str.rstrip, fh):
            for user in list(todo):
                if crypt.crypt(w, todo[user]) == todo[user]:
                    print(f"{user}:{w}")
                    del todo[user]
            if not todo:
                break


main()
