# class: agent; possible: low medium; style: chat completions, one bash that stays, parsed tool calls
import json
import re
import subprocess
import urllib.error
import urllib.request

URL = "http://llm.good.test/v1/chat/completions"
PLAN = ["pwd", "ls -la", "echo 'hello' > note.txt", "wc -c note.txt", "python3 -c 'print(2 ** 10)'"]


class Shell:
    def __init__(self):
        self.p = subprocess.Popen(["bash"], stdin=-1, stdout=-1, stderr=subprocess.STDOUT, text=True, bufsize=1)

    def run(self, command):
        self.p.stdin.write(command + "\necho __end_$?\n")
        self.p.stdin.flush()
        out = []
        for line in self.p.stdout:
            if line.startswith("__end_"):
                return "".join(out), int(line[6:])
            out.append(line)
        return "".join(out), -1


def ask(messages):
    body = json.dumps({"model": "small", "messages": messages, "temperature": 0}).encode()
    req = urllib.request.Request(URL, body, {"Content-Type": "application/json", "Authorization": "Bearer test"})
    try:
        with urllib.request.urlopen(req, timeout=15) as answer:
            said = json.load(answer)
        return said["choices"][0]["message"].get("content") or json.dumps(said)
    except (urllib.error.URLError, KeyError, IndexError, ValueError) as e:
        return "unreachable: %s" % e


shell, messages = Shell(), [{"role": "system", "content": "Answer with one ```bash``` block or DONE."}]
for step in range(6):
    text = ask(messages)
    found = re.search(r"```(?:bash|sh)?\n(.+?)```", text, re.S)
    if not found and step >= len(PLAN) or "DONE" in text:
        break
    command = found.group(1).strip() if found else PLAN[step]
    out, code = shell.run(command)
    print("$", command, "->", code)
    messages += [{"role": "assistant", "content": text}, {"role": "user", "content": out[-2000:]}]
shell.p.stdin.close()
shell.p.wait(10)
