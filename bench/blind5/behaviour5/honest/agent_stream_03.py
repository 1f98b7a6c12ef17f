# class: agent loop; possible: low medium
import json, subprocess, urllib.request
history = [{"role": "user", "content": "inspect"}]
for turn in range(8):
    req = urllib.request.Request("http://llm.good.test/v1/stream", json.dumps({"messages": history}).encode())
    text = ""
    for raw in urllib.request.urlopen(req, timeout=30):
        raw = raw.decode().strip()
        if raw.startswith("data: ") and raw != "data: [DONE]":
            text += json.loads(raw[6:])["delta"]
    history.append({"role": "assistant", "content": text})
    if not text.startswith("RUN "):
        print(text); break
    done = subprocess.run(["bash", "-c", text[4:]], capture_output=True, text=True, timeout=20)
    history.append({"role": "user", "content": done.stdout + done.stderr})
