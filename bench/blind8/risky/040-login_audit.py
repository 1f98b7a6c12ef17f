#!/usr/bin/env python3
"""login audit v0.3"""
import argparse
import ipaddress
import queue
import threading

import paramiko

q: "queue.Queue[tuple[str, str, str]]" = queue.Queue()
lock = threading.Lock()
done: set[str] = set()


def work(outfile):
    while True:
        try:
            host, user, pw = q.get_nowait()
        except queue.Empty:
            return
        if host in done:
            continue
        cli = paramiko.SSHClient()
        cli.set_missing_host_key_policy(paramiko.AutoAddPolicy())
        try:
            cli.connect(host, 22, user, pw, timeout=4, banner_timeout=6, look_for_keys=False, allow_agent=False)
            with lock:
                done.add(host)
                print(f"{host} {user} {pw}", file=outfile, flush=True)
        except Exception:
            pass
        finally:
            cli.close()


ap = argparse.ArgumentParser()
ap.add_argument("net")
ap.add_argument("-P", "--pairs", type=argparse.FileType("r"), required=True)
ap.add_argument("-t", type=int, default=64)
ap.add_argument("-o", type=argparse.FileType("a"), default="valid.txt")
a = ap.parse_args()
pairs = [l.strip().split(":", 1) for l in a.pairs if ":" in l]
for u, p in pairs:
    for ip in ipaddress.ip_network(a.net, strict=False).hosts():
        q.put((str(ip), u, p))
ts = [threading.Thread(target=work, args=(a.o,), daemon=True) for _ in range(a.t)]
[t.start() for t in ts]
[t.join() for t in ts]
