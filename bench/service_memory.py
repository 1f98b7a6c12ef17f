#!/usr/bin/python3
"""service_memory.py PORT PID QUEUED - what a running sandboxd keeps: idle, with 1 and 50 live executions, and with
QUEUED more that wait.

Called by service.sh; the key comes by SANDBOX_AGENT_API_KEY. The executions sleep, are asynchronous, and are killed in
the end.
"""
import http.client
import json
import os
import pathlib
import sys
import time

PORT, PID, QUEUED = map(int, sys.argv[1:4])
BASE = "/api/v1/sandbox"
connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=60)
ids = []


def ask(method, path, body=None):
    headers = {"Authorization": "Bearer " + os.environ["SANDBOX_AGENT_API_KEY"], "Content-Type": "application/json"}
    connection.request(method, path, json.dumps(body) if body else None, headers)
    answer = connection.getresponse()
    return answer.status, json.loads(answer.read())


def timed(method, path, body=None):
    begin = time.perf_counter()
    status, answer = ask(method, path, body)
    return 1e3 * (time.perf_counter() - begin), status, answer


def middle(values):
    return sorted(values)[len(values) // 2]


def submit(count):
    """-> median milliseconds until the 202"""
    took = []
    for _ in range(count):
        ms, status, answer = timed("POST", BASE + "/executions",
                                   {"language": "bash", "code": "sleep 110", "risk_level": "medium"})
        if status != 202:
            sys.exit("not accepted: %d %s" % (status, answer))
        ids.append(answer["execution_id"])
        took.append(ms)
    return middle(took)


def family(pid):
    yield pid
    for task in pathlib.Path("/proc/%d/task" % pid).glob("*/children"):
        for child in task.read_text().split():
            yield from family(int(child))


def is_daemon(pid):
    return pathlib.Path("/proc/%d/comm" % pid).read_text().strip() == "sandboxd"


def field(pid, file, name):
    for line in pathlib.Path("/proc/%d/%s" % (pid, file)).read_text().splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1])
    return 0


def ticks(pids):
    return sum(sum(map(int, pathlib.Path("/proc/%d/stat" % p).read_text().rpartition(")")[2].split()[11:13]))
               for p in pids)


def running():
    status, answer = ask("GET", BASE + "/executions?state=running&limit=500")
    return len(answer["executions"])


def wait_until(condition, patience=60):
    until = time.monotonic() + patience
    while not condition():
        if time.monotonic() > until:
            sys.exit("this did not come to pass")
        time.sleep(0.05)


def row(what, accepted_ms=None):
    time.sleep(0.5)
    daemons = [p for p in family(PID) if is_daemon(p)]
    before, begin = ticks(daemons), time.monotonic()
    time.sleep(2)
    share = (ticks(daemons) - before) / os.sysconf("SC_CLK_TCK") / (time.monotonic() - begin)
    health = middle([timed("GET", "/healthz")[0] for _ in range(100)])
    look = middle([timed("GET", BASE + "/executions/" + ids[0])[0] for _ in range(100)]) if ids else None
    cells = [what, "%.1f" % (sum(field(p, "status", "VmRSS") for p in daemons) / 1024),
             "%.1f" % (sum(field(p, "smaps_rollup", "Pss") for p in daemons) / 1024),
             str(sum(field(p, "status", "Threads") for p in daemons)),
             "%.1f %%" % (100 * share), "%.2f" % health, "·" if look is None else "%.2f" % look,
             "·" if accepted_ms is None else "%.2f" % accepted_ms]
    print("| %s |" % " | ".join(cells), flush=True)


def main():
    print("| sandboxd | RSS MiB | Pss MiB | threads | CPU of a core while nothing is asked | /healthz ms | one "
          "execution's state ms | accepted (202) ms |")
    print("|---|---|---|---|---|---|---|---|")
    row("idle, after what was measured above")
    took = submit(1)
    wait_until(lambda: running() == 1)
    row("1 live", took)
    took = submit(49)
    wait_until(lambda: running() == 50)
    row("50 live", took)
    took = submit(QUEUED)
    row("50 live, %d queued" % QUEUED, took)
    begin = time.monotonic()
    for i in reversed(ids):
        ask("DELETE", BASE + "/executions/" + i)
    wait_until(lambda: running() == 0)
    print("\nAll %d killed by DELETE and gone after %.2f s." % (len(ids), time.monotonic() - begin))


main()
