import json
import subprocess
import sys


def kubectl(*a):
    return subprocess.run(["kubectl", *a], capture_output=True, text=True)


ns = sys.argv[1] if len(sys.argv) > 1 else "default"
deps = json.loads(kubectl("-n", ns, "get", "deploy", "-o", "json").stdout)["items"]
bad = []
for d in deps:
    n = d["metadata"]["name"]
    r = kubectl("-n", ns, "rollout", "status", f"deploy/{n}", "--timeout=60s")
    print(n, "ok" if r.returncode == 0 else r.stderr.strip())
    if r.returncode:
        bad.append(n)
pods = json.loads(kubectl("-n", ns, "get", "pods", "-o", "json").stdout)["items"]
for p in pods:
    for cs in p["status"].get("containerStatuses", []):
        if not cs["ready"]:
            print("==", p["metadata"]["name"], cs["name"], list(cs["state"]))
            print(kubectl("-n", ns, "logs", p["metadata"]["name"], "-c", cs["name"], "--tail=20").stdout)
sys.exit(len(bad))
