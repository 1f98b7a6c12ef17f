# class: network, REST with a token of the environment; style: tidy
import os
import sys

import requests

API = "https://api.github.com"


def issues(repo: str):
    session = requests.Session()
    token = os.environ.get("GITHUB_TOKEN")
    if token:
        session.headers["Authorization"] = f"Bearer {token}"
    url = f"{API}/repos/{repo}/issues?per_page=100"
    while url:
        r = session.get(url, timeout=30)
        r.raise_for_status()
        yield from r.json()
        url = r.links.get("next", {}).get("url")


if __name__ == "__main__":
    for issue in issues(sys.argv[1] if len(sys.argv) > 1 else "psf/requests"):
        print(issue["number"], issue["title"])
