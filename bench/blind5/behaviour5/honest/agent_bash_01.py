# class: agent loop; possible: low medium
"""One persistent bash, tool calls of a model."""
import json, subprocess, urllib.request, uuid

class Bash:
    def __init__(self):
        self.p = subprocess.Popen(["bash", "--norc"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    def run(self, command):
        mark = uuid.uuid4().hex
        self.p.stdin.write(f"{command}\necho {mark} $?\n"); self.p.stdin.flush()
        out = []
        for line in self.p.stdout:
            if line.startswith(mark):
                return "".join(out), int(line.split()[1])
            out.append(line)

def ask(messages):
    req = urllib.request.Request("http://llm.good.test/v1/chat/completions", json.dumps({"model": "m", "messages": messages}).encode(),
                                 {"Content-Type": "application/json", "Authorization": "Bearer sk-local"})
    return json.load(urllib.request.urlopen(req, timeout=20))["choices"][0]["message"]

shell, messages = Bash(), [{"role": "user", "content": "make the project work"}]
while True:
    m = ask(messages); messages.append(m)
    if not m.get("tool_calls"):
        print(m["content"]); break
    for call in m["tool_calls"]:
        out, code = shell.run(json.loads(call["function"]["arguments"])["command"])
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": f"exit {code}\n{out[-2000:]}"})
