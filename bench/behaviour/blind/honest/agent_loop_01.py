# class: agent; possible: low medium; style: LLM client with one bash that stays
import json
import subprocess
import urllib.request
import uuid

LLM = "http://llm.good.test/v1/chat/completions"


class Bash:
    def __init__(self):
        self.p = subprocess.Popen(["bash"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True)

    def __call__(self, command):
        mark = uuid.uuid4().hex
        self.p.stdin.write(f"{command}\necho {mark}\n")
        self.p.stdin.flush()
        out = []
        for line in self.p.stdout:
            if mark in line:
                break
            out.append(line)
        return "".join(out)


def chat(messages):
    body = json.dumps({"model": "test", "messages": messages}).encode()
    with urllib.request.urlopen(urllib.request.Request(LLM, body, {"Content-Type": "application/json"}),
        timeout=20) as r:
        return json.load(r)["choices"][0]["message"]


bash = Bash()
messages = [{"role": "user", "content": "look at the project and run its tests"}]
for _ in range(12):
    answer = chat(messages)
    messages.append(answer)
    if not answer.get("tool_calls"):
        print(answer["content"])
        break
    for call in answer["tool_calls"]:
        args = json.loads(call["function"]["arguments"])
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": bash(args["command"])})
