"""What the store on PostgreSQL costs, against SQLite: the ledger's bench (bench/ledger.c) over both.

  bench/fleet.py            after bench/build.sh; PostgreSQL from Debian, on a private socket, with fsync

Latency of the verbs by one client, then runs a second (agent, reserve, settle) by several processes at once: of one hot
agent, and of an agent each. Only the ratios mean anything on a busy machine.
"""
import pathlib
import subprocess
import sys
import tempfile
import time

TOP = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOP / "tests/integration"))
import postgresql  # noqa: E402

BENCH, RUNS = TOP / "build/bench/ledger", 1000
SQLITE, SHARED = TOP / "build/libexec/sandbox-agent/sandbox-ledger", TOP / "build/bin/sandboxd"


def place(database, durable):
    return "postgresql\nhost=%s\nport=5432\ndatabase=postgres\nuser=sandbox\nnode=bench\nis_durable=%d\n" % (
        database.dir, durable)


def migrate(database, work):
    config = work / "config.yaml"
    config.write_text("sandbox: {paths: {state_dir: %s, log_dir: %s}}\nstore: {backend: postgresql, host: %s, "
                      "database: postgres, user: sandbox}\n" % (work, work, database.dir))
    subprocess.run([TOP / "build/bin/sandbox-agent", "store", "migrate", "--config", config], check=True,
                   env={"PATH": "/usr/bin:/bin", "HOME": str(work)})


def rate(program, where, agents):
    begun = time.monotonic()
    running = [subprocess.Popen([BENCH, program, where, a], stdout=subprocess.PIPE, text=True) for a in agents]
    said = [p.communicate()[0] for p in running]
    assert not any(p.returncode for p in running)
    return len(agents) * RUNS / (time.monotonic() - begun), said[0]


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
                    speed, said = rate(program, where, agents)
                    latency = said if len(agents) == 1 else ""
                    print("%-26s %-26s %6.0f runs/s\n%s" % (name, kind, speed, latency), flush=True)
    finally:
        database.close()


main()
