#!/usr/bin/env python3
"""What the store on PostgreSQL costs, against SQLite: the ledger's bench (bench/ledger.c) over both.

  bench/fleet.py            after bench/build.sh; PostgreSQL from Debian, on a private socket, with fsync

Latency of the verbs by one client, then runs a second (agent, reserve, settle) by several processes at once: of one hot
agent, and of an agent each; with PostgreSQL's CPU time a run. Then the same time for a node that idles, and a run of it
by HTTP (bash, no limits set). Only the ratios mean anything on a busy machine.

  bench/fleet.py node       one node alone: threads that share its connection (bench/node.c), ends settled one by one
                            and together in turns; then runs by HTTP, one after the other, of a node with SQLite and of
                            one with PostgreSQL in turns: how much later the answer comes
"""
import concurrent.futures
import os
import pathlib
import statistics
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


def threads(database, turns=3, seconds=2):
    """Throughput and PostgreSQL's CPU a run, the two ways in turns."""
    for count, agents, limits in ((1, 1, "free"), (16, 1, "free"), (16, 16, "free"), (16, 1, "limits")):
        said = {"one": [], "together": []}
        for turn in range(turns):
            for how in ("one", "together") if turn % 2 else ("together", "one"):
                begun = cpu_ms(database)
                argv = [TOP / "build/bench/node", place(database, False), str(count), str(agents), how, str(seconds),
                        limits]
                out = subprocess.run(argv, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
                said[how].append((float(out[0]), (cpu_ms(database) - begun) / int(out[3])))
        for how, list_ in said.items():
            told = "%2d threads, %2d agents, %-6s, %-8s: %5.0f runs/s, PostgreSQL's CPU %.2f ms a run (medians of %d)"
            speed, cpu = (statistics.median(v[i] for v in list_) for i in (0, 1))
            print(told % (count, agents, limits, how, speed, cpu, turns), flush=True)


def by_http(database, turns=8, block=15):
    """By HTTP, one after the other: how much later than with SQLite, in turns ABBA."""
    limits = {"rate_limiting": {"enabled": False}}
    with Service(limits) as alone, Service({**limits, **database.config("node")}) as shared:
        both, took = (alone, shared), ([], [])
        for turn in range(-1, turns):
            for which in (0, 1, 1, 0):
                for _ in range(block if turn >= 0 else 4):
                    begun = time.monotonic()
                    both[which].run("true", "bash", agent_id="bench")
                    if turn >= 0:
                        took[which].append((time.monotonic() - begun) * 1000)
        p50 = [statistics.median(t) for t in took]
        print("by HTTP, one after the other: SQLite p50 %.2f ms, PostgreSQL p50 %.2f ms (%+.2f), p10 %+.2f" % (
            *p50, p50[1] - p50[0], *(statistics.quantiles(took[1], n=10)[0] - statistics.quantiles(took[0], n=10)[0],)))


def main():
    only_node = sys.argv[1:] == ["node"]
    postgresql.FAST[:] = [word for word in postgresql.FAST if word != "-F"]
    database = postgresql.PostgreSQL()
    try:
        with tempfile.TemporaryDirectory() as work:
            migrate(database, pathlib.Path(work))
            print("load %.1f" % os.getloadavg()[0])
            if only_node:
                threads(database)
                by_http(database)
                return
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
