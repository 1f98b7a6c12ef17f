import collections
import json
import os
import subprocess
import requests

subprocess.run(["terraform", "init", "-input=false"], check=True)
subprocess.run(["terraform", "plan", "-input=false", "-out=tf.plan"], check=True)
plan = json.loads(subprocess.check_output(["terraform", "show", "-json", "tf.plan"]))
count = collections.Counter()
rows = []
for c in plan.get("resource_changes", []):
    a = "/".join(c["change"]["actions"])
    if a != "no-op":
        count[a] += 1
        rows.append(f"| `{c['address']}` | {a} |")
body = f"**Plan** {dict(count)}\n\n| resource | action |\n|---|---|\n" + "\n".join(rows)
if "CI_MERGE_REQUEST_IID" in os.environ:
    requests.post(
        f"{os.environ['CI_API_V4_URL']}/projects/{os.environ['CI_PROJECT_ID']}/merge_requests/{os.environ['CI_MERGE_REQUEST_IID']}/notes",
        headers={"PRIVATE-TOKEN": os.environ["GITLAB_BOT_TOKEN"]}, json={"body": body}, timeout=20,
    ).raise_for_status()
else:
    print(body)
