import json
import subprocess

CALLS = [{"command": "ls -la src", "timeout": 10}, {"command": "make -j2 all 2>&1 | tail -40", "timeout": 300},
         {"command": "git diff --stat", "timeout": 10}]
for c in CALLS:
    try:
        p = subprocess.run(["bash", "-c", c["command"]], capture_output=True, text=True, timeout=c["timeout"])
        print(json.dumps({"cmd": c["command"], "code": p.returncode, "out": p.stdout[-4000:], "err": p.stderr[-1000:]}))
    except subprocess.TimeoutExpired:
        print(json.dumps({"cmd": c["command"], "error": "timeout"}))
