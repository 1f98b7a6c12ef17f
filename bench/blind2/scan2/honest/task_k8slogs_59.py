# class: CI, reads the logs of pods; style: script
import json, subprocess, sys
ns = sys.argv[1] if len(sys.argv) > 1 else "default"
pods = json.loads(subprocess.check_output(["kubectl", "-n", ns, "get", "pods", "-o", "json"]))
for p in pods["items"]:
    restarts = sum(c["restartCount"] for c in p["status"].get("containerStatuses", []))
    if restarts:
        print("==", p["metadata"]["name"], restarts)
        print(subprocess.run(["kubectl", "-n", ns, "logs", "--previous", "--tail=20", p["metadata"]["name"]], capture_output=True, text=True).stdout)
