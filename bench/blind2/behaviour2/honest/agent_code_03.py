# class: agent; possible: low medium high; style: code interpreter, executes cells in its own namespace
import contextlib
import io
import json
import urllib.request

messages, space = [{"role": "user", "content": "sum of squares"}], {}
for _ in range(6):
    req = urllib.request.Request("http://llm.good.test/v1/code", json.dumps({"messages": messages}).encode())
    with urllib.request.urlopen(req, timeout=20) as r:
        answer = json.load(r)
    if answer["done"]:
        break
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(answer["code"], space)
    messages += [{"role": "assistant", "content": answer["code"]}, {"role": "user", "content": out.getvalue() or "ok"}]
print(space.get("x"))
