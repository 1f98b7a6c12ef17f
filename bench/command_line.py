#!/usr/bin/python3
"""The command line beside what it runs: plain, direct, and lent sandboxes by this user's service (docs/warm.md).

    bench/command_line.py [--runs N] [--uid UID]

All take turns in one run, with 30 ms of rest in between; medians (10th percentiles) in ms, and ratios to plain. Started
by root it becomes UID (default 61234) for all of it, since root's command line borrows nothing. Needs `make all`.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time

TOP = pathlib.Path(__file__).resolve().parent.parent
BIN = pathlib.Path(os.environ.get("B", TOP / "build")).resolve() / "bin"
REST_S = 0.03
PROGRAMS = {"true": ["true"], "bash": ["bash", "-c", ":"], "python": ["python3", "-I", "-c", "print(1)"]}
CODE = {"true": ["--", "true"], "bash": ["--language", "bash", "-c", ":"],
        "python": ["--language", "python", "-c", "print(1)"]}


def timed(argv, env):
    time.sleep(REST_S)
    null = os.open(os.devnull, os.O_RDWR)
    begin = time.monotonic()
    pid = os.posix_spawnp(argv[0], argv, env, file_actions=[(os.POSIX_SPAWN_DUP2, null, n) for n in (0, 1)])
    status = os.waitpid(pid, 0)[1]
    took = (time.monotonic() - begin) * 1000
    os.close(null)
    assert status == 0, (argv, status)
    return took


def start_service(place, env):
    (place / "service.yaml").write_text("warm: {enabled: true}\n")
    log = open(place / "log", "w+")
    service = subprocess.Popen([BIN / "sandboxd", "--config", place / "service.yaml", "--listen", "127.0.0.1:0"],
                               stdout=log, stderr=log, stdin=subprocess.DEVNULL, env=env)
    while not re.search("listening on", (place / "log").read_text()):
        assert service.poll() is None, (place / "log").read_text()
        time.sleep(0.05)
    return service


def at(values, share):
    return sorted(values)[int(len(values) * share)]


def measure(runs, env):
    agent = str(BIN / "sandbox-agent")
    print("| p50 (p10), ms | plain | direct | ratio | lent | ratio |\n|---|---|---|---|---|---|")
    for name, plain in PROGRAMS.items():
        ways = {"plain": plain, "direct": [agent, "--direct", *CODE[name]], "lent": [agent, *CODE[name]]}
        took = {way: [] for way in ways}
        for i in range(runs + 5):
            for way, argv in ways.items():
                took[way].append(timed(argv, env))
        took = {way: values[5:] for way, values in took.items()}  # policy, slots, the first instance
        base = at(took["plain"], 0.5)
        cells = ["%.2f (%.2f)" % (at(took["plain"], 0.5), at(took["plain"], 0.1))]
        for way in ("direct", "lent"):
            cells += ["%.2f (%.2f)" % (at(took[way], 0.5), at(took[way], 0.1)), "x%.2f" % (at(took[way], 0.5) / base)]
        print("| %s | %s |" % (name, " | ".join(cells)), flush=True)


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--runs", type=int, default=60)
    words.add_argument("--uid", type=int, default=61234)
    words = words.parse_args()
    place = pathlib.Path(tempfile.mkdtemp(prefix="bench-command-line-"))
    (place / "run").mkdir(mode=0o700)
    if os.geteuid() == 0:
        for path in (place, place / "run"):
            os.chown(path, words.uid, words.uid)
        os.setgroups([]), os.setgid(words.uid), os.setuid(words.uid)
    os.chdir(place)
    env = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(place), "XDG_RUNTIME_DIR": str(place / "run")}
    service = start_service(place, env)
    try:
        print("load %s" % open("/proc/loadavg").read().split()[0])
        measure(words.runs, env)
    finally:
        service.terminate()
        service.wait()
        shutil.rmtree(place, ignore_errors=True)


if __name__ == "__main__":
    main()
