# class: notebook; possible: low medium
import contextlib, io, json, urllib.request
scope, messages = {}, [{"role": "user", "content": "analyse"}]
for _ in range(6):
    r = json.load(urllib.request.urlopen("http://llm.good.test/v1/code", json.dumps({"messages": messages}).encode()))
    if r["done"]: break
    out = io.StringIO()
    with contextlib.redirect_stdout(out): exec(compile(r["code"], "<cell>", "exec"), scope)
    print("[cell]", out.getvalue()); messages.append({"role": "user", "content": out.getvalue()})
