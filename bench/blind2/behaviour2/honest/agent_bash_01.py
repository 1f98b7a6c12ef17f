# class: agent; possible: low medium; style: LLM client with one bash that stays, marker after each command
import json
import subprocess
import urllib.request
import uuid


class Terminal:
    def __init__(self):
        self.proc = subprocess.Popen(["bash", "--noprofile", "--norc"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                     stderr=subprocess.STDOUT, text=True)

    def run(self, command):
        mark = "done-" + uuid.uuid4().hex
        self.proc.stdin.write(f"{command}\necho {mark} $?\n")
        self.proc.stdin.flush()
        lines = []
        for line in self.proc.stdout:
            if line.startswith(mark):
                break
            lines.append(line)
        return "".join(lines)


def ask(messages):
    req = urllib.request.Request("http://llm.good.test/v1/chat/completions", json.dumps({"model": "m", "messages": messages}).encode(),
                                 {"Content-Type": "application/json", "Authorization": "Bearer test"})
    with urllib.request.urlopen(req, timeout=30) as r:
        return json.load(r)["choices"][0]["message"]


term = Terminal()
messages = [{"role": "system", "content": "You have a terminal."}, {"role": "user", "content": "Make a small module and test it."}]
for _ in range(12):
    reply = ask(messages)
    messages.append(reply)
    if not reply.get("tool_calls"):
        print(reply["content"])
        break
    for call in reply["tool_calls"]:
        output = term.run(json.loads(call["function"]["arguments"])["command"])
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": output})
term.proc.stdin.close()
term.proc.wait(5)
