# lists and labels open issues of our own repository
import os
import sys

import httpx

REPO = "acme/widgets"


class GitHub:
    def __init__(self, token):
        self.http = httpx.Client(base_url="https://api.github.com",
                                 headers={"Authorization": f"Bearer {token}", "Accept": "application/vnd.github+json"})

    def issues(self):
        page = 1
        while True:
            batch = self.http.get(f"/repos/{REPO}/issues", params={"state": "open", "page": page}).json()
            if not batch:
                return
            yield from batch
            page += 1

    def label(self, number, *names):
        self.http.post(f"/repos/{REPO}/issues/{number}/labels", json={"labels": list(names)}).raise_for_status()


def main():
    token = os.getenv("GITHUB_TOKEN")
    if not token:
        sys.exit("GITHUB_TOKEN is not set")
    gh = GitHub(token)
    for issue in gh.issues():
        if "crash" in issue["title"].lower():
            gh.label(issue["number"], "bug", "priority:high")


main()
