# class: agent; possible: low medium high; style: LLM writes python, run by exec
import contextlib
import io
import json
import urllib.request

space = {}
messages = [{"role": "user", "content": "python: compute"}]
for _ in range(5):
    body = json.dumps({"messages": messages, "language": "python"}).encode()
    answer = json.load(urllib.request.urlopen("http://llm.good.test/v1/code", body, timeout=20))
    if answer["done"]:
        break
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(answer["code"], space)
    messages.append({"role": "user", "content": out.getvalue()})
print(messages)
