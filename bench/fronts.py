#!/usr/bin/python3
"""What other clients' fronts cost: the same call by our own API and by each front, in turns, on kept connections.

    bench/fronts.py [RUNS]        # 200 of each; as root

Milliseconds: the least, p50 and p90, and what least and p50 are above those of our own API for the same work. Beside
other load only the least means something. docs/piston.md, docs/daytona.md, docs/e2b.md.
"""
import base64
import http.client
import json
import pathlib
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
    for i in range(runs + 10):
        for name, call in calls.items():
            took[name].append(call()[0])
    base = None
    for name, all_of_it in took.items():
        sorted_ = sorted(all_of_it[10:])
        p50, p90 = sorted_[len(sorted_) // 2], sorted_[len(sorted_) * 9 // 10]
        base = base or (sorted_[0], p50)
        print("%-34s least %7.2f (%+.2f)  p50 %7.2f (%+.2f)  p90 %7.2f" % (
            name, sorted_[0], sorted_[0] - base[0], p50, p50 - base[1], p90))


def main(runs):
    with Piston() as s:
        own = caller(s.url, {"Authorization": "Bearer " + s.run_key})
        piston = caller(s.piston, {})
        api = "/api/v1/sandbox"
        measure({"POST /execute": lambda: own("POST", api + "/execute", {
            "language": "bash", "code": "echo hi", "agent_id": "bot"}),
                 "Piston: /api/v2/execute": lambda: piston("POST", "/api/v2/execute", {
                     "language": "bash", "version": "*", "files": [{"content": "echo hi"}]})}, runs)
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
                 "Daytona: /process/execute": lambda: own("POST", "/toolbox/%s/process/execute" % box, {
                     "command": "echo hi"})}, runs)
        own("PUT", api + "/sessions/%s/files/f" % box, None, raw=b"x" * 1000)
        measure({"GET /sessions/{id}/files/f?stat": lambda: own("GET", api + "/sessions/%s/files/f?stat" % box, None),
                 "Daytona: /files/info": lambda: own("GET", "/toolbox/%s/files/info?path=f" % box, None),
                 "E2B: filesystem/Stat": lambda: inside("POST", "/filesystem.Filesystem/Stat", {"path": "f"}, **{
                     "Content-Type": "application/json", "Connect-Protocol-Version": "1"})}, runs)


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 200)
