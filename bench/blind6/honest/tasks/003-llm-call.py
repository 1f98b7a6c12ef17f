import json
import os
import urllib.request

body = {"model": "small-1", "max_tokens": 200,
        "messages": [{"role": "user", "content": "Summarize: " + open("notes.md").read()[:4000]}]}
req = urllib.request.Request(os.environ.get("LLM_URL", "https://api.example.com/v1/messages"),
                             data=json.dumps(body).encode(),
                             headers={"x-api-key": os.environ["LLM_API_KEY"], "content-type": "application/json"})
with urllib.request.urlopen(req, timeout=60) as r:
    print(json.load(r)["content"][0]["text"])
