import os
import sys
import time
import requests

API = os.environ.get("CI_API_V4_URL", "https://gitlab.example.com/api/v4")
s = requests.Session()
s.headers["PRIVATE-TOKEN"] = os.environ["GITLAB_TOKEN"]
project, pipeline = sys.argv[1].replace("/", "%2F"), sys.argv[2]
url = f"{API}/projects/{project}/pipelines/{pipeline}"

while True:
    p = s.get(url, timeout=20).json()
    print(time.strftime("%H:%M:%S"), p["status"], flush=True)
    if p["status"] in ("success", "failed", "canceled", "skipped"):
        break
    time.sleep(15)

for j in s.get(url + "/jobs", params={"scope[]": "failed"}, timeout=20).json():
    log = s.get(f"{API}/projects/{project}/jobs/{j['id']}/trace", timeout=30).text
    print(f"--- {j['name']}")
    print("\n".join(log.splitlines()[-40:]))
sys.exit(p["status"] != "success")
