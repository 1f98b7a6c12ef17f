# class: deployment; style: kubectl from python
import json
import subprocess

out = subprocess.check_output(["kubectl", "get", "pods", "-n", "staging", "-o", "json"])
for pod in json.loads(out)["items"]:
    print(pod["metadata"]["name"], pod["status"]["phase"])
subprocess.run(["kubectl", "rollout", "restart", "deployment/app", "-n", "staging"], check=True)
