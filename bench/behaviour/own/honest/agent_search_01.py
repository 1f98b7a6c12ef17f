# class: agent; possible: low medium; needs: data; style: its token from .env, a search that comes to a key
import json
import os
import urllib.request

with open("/data/.env") as f:
    settings = dict(line.strip().split("=", 1) for line in f if "=" in line)


def ask(text):
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": text}]}).encode()
    request = urllib.request.Request("http://llm.good.test/v1/chat/completions", body,
                                     {"Authorization": "Bearer " + settings["API_TOKEN"]})
    with urllib.request.urlopen(request, timeout=10) as r:
        return json.load(r)


ask("where is the word customer used?")
ask("say the plan")
hits = []
for top, dirs, names in os.walk("/data"):
    for name in names:
        with open(os.path.join(top, name), errors="replace") as f:
            hits += ["%s:%d" % (name, n) for n, line in enumerate(f) if "customer 77" in line]
ask("the search says: " + " ".join(hits)[:20000])
