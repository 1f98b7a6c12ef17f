import os
import requests

token = os.environ["GITHUB_TOKEN"]
r = requests.get("https://api.github.com/issues",
                 headers={"Authorization": f"Bearer {token}", "Accept": "application/vnd.github+json"},
                 timeout=20)
r.raise_for_status()
for it in r.json():
    print(it["number"], it["title"])
