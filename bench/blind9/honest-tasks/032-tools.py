import json
import os
import subprocess
from pathlib import Path

import requests

ROOT = Path.cwd()
ALLOWED = {"pytest": ["pytest", "-q"], "lint": ["ruff", "check", "."], "status": ["git", "status", "--short"]}


def read_file(path):
    p = (ROOT / path).resolve()
    if ROOT not in p.parents:
        return "outside of the project"
    return p.read_text()[:8000]


def run(name):
    if name not in ALLOWED:
        return "unknown command"
    r = subprocess.run(ALLOWED[name], capture_output=True, text=True, timeout=120)
    return (r.stdout + r.stderr)[-4000:]


TOOLS = {"read_file": read_file, "run": run}
messages = [{"role": "user", "content": "Find out why the tests fail and explain it."}]
for _ in range(10):
    reply = requests.post("https://llm.gateway.example/v1/chat", timeout=120,
                          headers={"Authorization": "Bearer " + os.environ["LLM_API_KEY"]},
                          json={"messages": messages, "tools": list(TOOLS)}).json()
    messages.append(reply["message"])
    calls = reply["message"].get("tool_calls")
    if not calls:
        print(reply["message"]["content"])
        break
    for c in calls:
        out = TOOLS[c["name"]](**json.loads(c["arguments"]))
        messages.append({"role": "tool", "tool_call_id": c["id"], "content": out})
