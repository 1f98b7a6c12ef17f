import os
import requests

repo = os.environ.get("GITHUB_REPOSITORY", "example/project")
base = os.environ.get("GITHUB_API_URL", "https://git.example.org/api/v3")
h = {"Accept": "application/vnd.github+json"}
if tok := os.environ.get("GITHUB_TOKEN"):
    h["Authorization"] = f"Bearer {tok}"
url = f"{base}/repos/{repo}/issues?per_page=50&state=open"
while url:
    r = requests.get(url, headers=h, timeout=20)
    r.raise_for_status()
    for i in r.json():
        if "pull_request" not in i:
            print(f"#{i['number']:5} {i['title'][:70]}  [{', '.join(l['name'] for l in i['labels'])}]")
    url = r.links.get("next", {}).get("url")
