# class: agent; possible: low medium; style: LLM answers as an event stream, commands run by subprocess
import http.client
import json
import subprocess

messages = [{"role": "user", "content": "list the files"}]
for step in range(6):
    c = http.client.HTTPConnection("llm.good.test", 80, timeout=20)
    c.request("POST", "/v1/stream", json.dumps({"messages": messages}), {"Accept": "text/event-stream"})
    text = ""
    for raw in c.getresponse():
        line = raw.decode().strip()
        if line == "data: [DONE]":
            break
        if line.startswith("data:"):
            text += json.loads(line[5:])["delta"]
    if not text.startswith("RUN "):
        print(text)
        break
    done = subprocess.run(["bash", "-c", text[4:]], capture_output=True, text=True, timeout=20)
    messages += [{"role": "assistant", "content": text}, {"role": "user", "content": done.stdout}]
