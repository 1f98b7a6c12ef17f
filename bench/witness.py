#!/usr/bin/env python3
"""What it costs that nodes witness each other's audits: three services on one PostgreSQL, each with one run a second.

  bench/witness.py          after make; PostgreSQL from Debian, on a private socket

In turns without witnesses and with them: CPU time a node and second, of its service and of PostgreSQL, and transactions
a node and second. Only the differences mean anything on a busy machine.
"""
import contextlib
import os
import pathlib
import sys
import time

TOP = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TOP / "tests/integration"), str(TOP / "tests/integration/service"), str(TOP / "bench")]
from fleet import cpu_ms  # noqa: E402
from postgresql import PostgreSQL  # noqa: E402
from test_fleet_owner import Node, command  # noqa: E402

NODES, SECONDS, TURNS = "abc", 20, 3


def service_cpu_ms(service):
    ms = 0
    for pid in service.pids("sandboxd"):
        fields = pathlib.Path("/proc/%d/stat" % pid).read_text().rsplit(")", 1)[1].split()
        ms += (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")
    return ms


def look(database, nodes):
    return (sum(map(service_cpu_ms, nodes)), cpu_ms(database),
            int(database.ask("SELECT xact_commit FROM pg_stat_database WHERE datname = 'postgres'")))


def measure(database, witnesses):
    with contextlib.ExitStack() as stack:
        nodes = [stack.enter_context(Node(database, n, {"witnesses": witnesses})) for n in NODES]
        command(nodes[0], "store", "migrate")
        for n in nodes:
            n.start()
            nodes[0].key = n.key = nodes[0].key or database.key
            database.key = nodes[0].key
            n.run("true", "bash")
        time.sleep(12)  # who is there
        before, began = look(database, nodes), time.monotonic()
        for second in range(SECONDS):
            for n in nodes:
                n.run("true", "bash", agent_id="a-%s" % n.port)
            time.sleep(max(0, began + second + 1 - time.monotonic()))
        time.sleep(1)
        took = time.monotonic() - began
        return [(b - a) / took / len(nodes) for a, b in zip(before, look(database, nodes))]


def main():
    database = PostgreSQL()
    database.key = None
    try:
        print("load %s; ms of CPU of a service, of PostgreSQL, and transactions, each a node and second"
              % " ".join("%.1f" % x for x in os.getloadavg()))
        for _ in range(TURNS):
            for witnesses in (0, 3):
                print("%d witnesses: %.2f %.2f %.1f" % (witnesses, *measure(database, witnesses)), flush=True)
    finally:
        database.close()


if __name__ == "__main__":
    main()
