#!/usr/bin/env python3
"""What the store on PostgreSQL costs, against SQLite: the ledger's bench (bench/ledger.c) over both.

  bench/fleet.py            after bench/build.sh; PostgreSQL from Debian, on a private socket, with fsync

Latency of the verbs by one client, then runs a second (agent, reserve, settle) by several processes at once: of one hot
agent, and of an agent each; with PostgreSQL's CPU time a run. Then the same time for a node that idles, and a run of it
by HTTP (bash, no limits set). Only the ratios mean anything on a busy machine.
"""
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile
import time

TOP = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TOP / "tests/integration"), str(TOP / "tests/integration/service")]
import postgresql  # noqa: E402
from service import Service  # noqa: E402

BENCH, RUNS = TOP / "build/bench/ledger", 1000
IDLE_S, REQUESTS = 30, 400
SQLITE, SHARED = TOP / "build/libexec/sandbox-agent/sandbox-ledger", TOP / "build/bin/sandboxd"


def place(database, durable):
    return "postgresql\nhost=%s\nport=5432\ndatabase=postgres\nuser=sandbox\nnode=bench\nis_durable=%d\n" % (
        database.dir, durable)


def migrate(database, work):
    config = work / "config.yaml"
    config.write_text("sandbox: {paths: {state_dir: %s, log_dir: %s}}\nstore: {backend: postgresql, host: %s, "
                      "database: postgres, user: sandbox}\n" % (work, work, database.dir))
    subprocess.run([TOP / "build/bin/sandbox-agent", "store", "migrate", "--config", config], check=True,
                   env={"PATH": "/usr/bin:/bin", "HOME": str(work), "XDG_CACHE_HOME": str(work / "cache")})


def cpu_ms(database):
    """-> of the server and its children, those that have ended as well"""
    total = 0
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended meanwhile
            continue
        if database.process.pid in (int(path.parent.name), int(fields[1])):
            total += sum(map(int, fields[11:15 if int(path.parent.name) == database.process.pid else 13]))
    return total * 1000 / os.sysconf("SC_CLK_TCK")


def rate(program, where, agents):
    begun = time.monotonic()
    running = [subprocess.Popen([BENCH, program, where, a], stdout=subprocess.PIPE, text=True) for a in agents]
    said = [p.communicate()[0] for p in running]
    assert not any(p.returncode for p in running)
    return len(agents) * RUNS / (time.monotonic() - begun), said[0]


def node(database):
    with Service({"rate_limiting": {"enabled": False}, **database.config("node")}) as s:
        s.run("true", "bash")
        begun = cpu_ms(database)
        time.sleep(IDLE_S)
        idle = (cpu_ms(database) - begun) / IDLE_S
        print("a node that idles: PostgreSQL's CPU %.2f ms a second" % idle, flush=True)
        for clients in (1, 4):
            begun, begun_s = cpu_ms(database), time.monotonic()
            with concurrent.futures.ThreadPoolExecutor(clients) as pool:
                list(pool.map(lambda i: s.run("true", "bash", agent_id="bench-%d" % (i % clients)), range(REQUESTS)))
            took_s = time.monotonic() - begun_s
            print("a node, %d clients: %.0f runs/s, PostgreSQL's CPU %.2f ms a run" % (
                clients, REQUESTS / took_s, (cpu_ms(database) - begun - idle * took_s) / REQUESTS), flush=True)


def main():
    postgresql.FAST[:] = [word for word in postgresql.FAST if word != "-F"]
    database = postgresql.PostgreSQL()
    try:
        with tempfile.TemporaryDirectory() as work:
            migrate(database, pathlib.Path(work))
            for name, program, where in (("SQLite", SQLITE, work + "/state/state.db"),
                                         ("PostgreSQL", SHARED, place(database, False)),
                                         ("PostgreSQL, wait_for_disk", SHARED, place(database, True))):
                for kind, agents in (("one client", ["%s-one" % name]),
                                     ("4 clients, one hot agent", ["%s-hot" % name] * 4),
                                     ("4 clients, an agent each", ["%s-%d" % (name, i) for i in range(4)])):
                    begun = cpu_ms(database)
                    speed, said = rate(program, where, agents)
                    cpu = (cpu_ms(database) - begun) / (len(agents) * RUNS)
                    latency = said if len(agents) == 1 else ""
                    used = ", PostgreSQL's CPU %.2f ms a run" % cpu if program == SHARED else ""
                    print("%-26s %-26s %6.0f runs/s%s\n%s" % (name, kind, speed, used, latency), flush=True)
            node(database)
    finally:
        database.close()


if __name__ == "__main__":
    main()
