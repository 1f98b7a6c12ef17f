# class: tests, runs pytest and reads its report; style: agent one-off
import subprocess, json, pathlib
r = subprocess.run(["python", "-m", "pytest", "-q", "--json-report", "--json-report-file=/tmp/rep.json"], capture_output=True, text=True)
print(r.stdout[-2000:], r.stderr[-500:])
p = pathlib.Path("/tmp/rep.json")
if p.exists():
    for t in json.loads(p.read_text())["tests"]:
        if t["outcome"] == "failed":
            print(t["nodeid"], t["call"]["longrepr"][:400])
