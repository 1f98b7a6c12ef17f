import os
import sys
import requests

repo = sys.argv[1] if len(sys.argv) > 1 else "example/project"
s = requests.Session()
s.headers["Accept"] = "application/vnd.github+json"
if tok := os.environ.get("GITHUB_TOKEN"):
    s.headers["Authorization"] = f"Bearer {tok}"

page, total = 1, 0
while True:
    r = s.get(f"https://api.github.com/repos/{repo}/issues", params={"state": "open", "per_page": 100, "page": page}, timeout=20)
    r.raise_for_status()
    items = r.json()
    if not items:
        break
    for i in items:
        if "pull_request" not in i:
            total += 1
            print(f"#{i['number']:<6} {i['title'][:80]}")
    page += 1
print(total, "open issues")
