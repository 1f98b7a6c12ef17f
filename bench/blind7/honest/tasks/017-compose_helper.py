import json
import subprocess
import sys
import time


def compose(*a, **kw):
    return subprocess.run(["docker", "compose", *a], check=True, text=True, **kw)


def healthy():
    out = compose("ps", "--format", "json", capture_output=True).stdout
    states = [json.loads(l) for l in out.splitlines() if l.strip()]
    for s in states:
        print(f"{s['Service']:12} {s['State']:10} {s.get('Health') or '-'}")
    return states and all(s["State"] == "running" and s.get("Health") in ("", "healthy", None) for s in states)


compose("up", "-d", "--build")
for _ in range(30):
    if healthy():
        break
    time.sleep(2)
else:
    compose("logs", "--tail", "50")
    sys.exit("services did not become healthy")
compose("exec", "-T", "api", "python", "manage.py", "loaddata", "fixtures/demo.json")
