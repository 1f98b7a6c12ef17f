import socket
import sys
import time

import yaml


def ports(compose):
    for name, svc in yaml.safe_load(open(compose))["services"].items():
        for p in svc.get("ports", []):
            host = str(p).split(":")[-2] if ":" in str(p) else str(p)
            yield name, int(host.split("/")[0])


def is_open(port, host="127.0.0.1"):
    with socket.socket() as s:
        s.settimeout(1)
        return s.connect_ex((host, port)) == 0


def main(path="docker-compose.yml", wait=30):
    todo = dict(ports(path))
    end = time.monotonic() + wait
    while todo and time.monotonic() < end:
        for n in [n for n, p in todo.items() if is_open(p)]:
            print("up  ", n, todo.pop(n))
        time.sleep(1)
    for n, p in todo.items():
        print("DOWN", n, p)
    return bool(todo)


sys.exit(main(*sys.argv[1:2]))
