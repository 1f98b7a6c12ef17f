#!/usr/bin/python3
"""What other clients' fronts cost: the same call by our own API and by each front, in turns, on kept connections.

    bench/fronts.py [RUNS]        # 200 of each; as root

Milliseconds: the least, p50 and p90, what least and p50 are above those of our own API for the same work, and the
median of what each call took longer than the own one of its round, which other load on the machine disturbs least.
docs/piston.md, docs/daytona.md, docs/e2b.md, docs/mcp.md.
"""
import base64
import http.client
import json
import os
import pathlib
import random
import statistics
import struct
import sys
import time

TOP = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TOP / "tests/integration/service"), str(TOP / "tests/integration"), str(TOP / "tests")]
from test_piston import Piston  # noqa: E402


def caller(url, headers):
    connection = http.client.HTTPConnection(url.removeprefix("http://"))

    def ask(method, path, body, raw=None, **more):
        begin = time.perf_counter()
        connection.request(method, path, raw or json.dumps(body), {**headers, **more})
        answer = connection.getresponse()
        data = answer.read()
        assert answer.status in (200, 201), data
        return (time.perf_counter() - begin) * 1000, data
    return ask


def measure(calls, runs):
    took = {name: [] for name in calls}
    order = list(calls)
    for _ in range(runs + 10):
        random.shuffle(order)
        for name in order:
            took[name].append(calls[name]()[0])
    base = None
    for name, all_of_it in took.items():
        sorted_ = sorted(all_of_it[10:])
        p50, p90 = sorted_[len(sorted_) // 2], sorted_[len(sorted_) * 9 // 10]
        base = base or (sorted_[0], p50, all_of_it[10:])
        more = statistics.median(a - b for a, b in zip(all_of_it[10:], base[2]))
        print("%-34s least %7.2f (%+.2f)  p50 %7.2f (%+.2f)  p90 %7.2f  of a round %+.2f" % (
            name, sorted_[0], sorted_[0] - base[0], p50, p50 - base[1], p90, more), flush=True)


def main(runs):
    with Piston() as s:
        own = caller(s.url, {"Authorization": "Bearer " + s.run_key})
        piston = caller(s.piston, {})
        mcp = caller(s.url, {"Authorization": "Bearer " + s.run_key, "Content-Type": "application/json",
                             "Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25",
                             "Sandbox-Agent-Id": "bot"})

        def tool(name, **arguments):
            return mcp("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                                        "params": {"name": name, "arguments": arguments}})

        def process():
            begin = time.perf_counter()
            where = api + "/sessions/%s/processes" % box
            made = json.loads(own("POST", where, {"argv": ["/bin/bash", "-l", "-c", "echo hi"]})[1])["process_id"]
            return (time.perf_counter() - begin) * 1000 + own("GET", where + "/%s/events?from=1" % made, None)[0], b""

        api = "/api/v1/sandbox"
        measure({"POST /execute": lambda: own("POST", api + "/execute", {
            "language": "bash", "code": "echo hi", "agent_id": "bot"}),
                 "… as a stream of events": lambda: own("POST", api + "/execute", {
                     "language": "bash", "code": "echo hi", "agent_id": "bot", "stream": True}),
                 "Piston: /api/v2/execute": lambda: piston("POST", "/api/v2/execute", {
                     "language": "bash", "version": "*", "files": [{"content": "echo hi"}]}),
                 "MCP: run_code": lambda: tool("run_code", language="bash", code="echo hi")}, runs)
        box = json.loads(own("POST", "/api/sandbox", {"labels": {"agent_id": "bot"}})[1])["id"]
        e2b = "e2b_" + base64.urlsafe_b64decode(s.run_key[3:] + "=").hex()
        control = caller(s.url, {"X-API-KEY": e2b})
        made = json.loads(control("GET", "/sandboxes/" + box, None)[1])
        inside = caller(s.url, {"E2b-Sandbox-Id": box, "X-Access-Token": made["envdAccessToken"]})
        measure({"GET /sessions/{id}": lambda: own("GET", api + "/sessions/" + box, None),
                 "Daytona: GET /api/sandbox/{id}": lambda: own("GET", "/api/sandbox/" + box, None),
                 "E2B: GET /sandboxes/{id}": lambda: control("GET", "/sandboxes/" + box, None)}, runs)
        measure({"POST /sessions/{id}/execute": lambda: own("POST", api + "/sessions/%s/execute" % box, {
            "command": "echo hi"}),
                 "… as a stream of events": lambda: own("POST", api + "/sessions/%s/execute" % box, {
                     "command": "echo hi", "stream": True}),
                 "Daytona: /process/execute": lambda: own("POST", "/toolbox/%s/process/execute" % box, {
                     "command": "echo hi"}),
                 "MCP: run_command": lambda: tool("run_command", command="echo hi", session_id=box)}, runs)
        start = json.dumps({"process": {"cmd": "/bin/bash", "args": ["-l", "-c", "echo hi"]}, "stdin": False}).encode()
        measure({"POST …/processes, GET …/events": process,
                 "E2B: process/Start": lambda: inside("POST", "/process.Process/Start", None, raw=struct.pack(
                     ">BI", 0, len(start)) + start, **{"Content-Type": "application/connect+json"})}, runs)
        own("PUT", api + "/sessions/%s/files/f" % box, None, raw=b"x" * 1000)
        measure({"GET /sessions/{id}/files/f?stat": lambda: own("GET", api + "/sessions/%s/files/f?stat" % box, None),
                 "Daytona: /files/info": lambda: own("GET", "/toolbox/%s/files/info?path=f" % box, None),
                 "E2B: filesystem/Stat": lambda: inside("POST", "/filesystem.Filesystem/Stat", {"path": "f"}, **{
                     "Content-Type": "application/json", "Connect-Protocol-Version": "1"})}, runs)


if __name__ == "__main__":
    print("load", *os.getloadavg())
    main(int(sys.argv[1]) if sys.argv[1:] else 200)
    print("load", *os.getloadavg())
