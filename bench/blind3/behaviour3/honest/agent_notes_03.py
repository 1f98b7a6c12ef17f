# class: agent; possible: low medium; style: thinks, then runs python cells in a subprocess kernel
import http.client
import json
import subprocess
import sys

KERNEL = """
import sys, io, contextlib, json
scope = {}
for line in sys.stdin:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            exec(json.loads(line), scope)
        except Exception as e:
            print(type(e).__name__, e)
    print(json.dumps(out.getvalue()), flush=True)
"""
kernel = subprocess.Popen([sys.executable, "-c", KERNEL], stdin=-1, stdout=-1, text=True, bufsize=1)
cells = ["x = [n * n for n in range(50)]", "print(sum(x))", "print(max(x) / len(x))", "print(undefined)"]
history = []
for cell in cells:
    try:
        c = http.client.HTTPConnection("llm.good.test", timeout=10)
        c.request("POST", "/v1/chat/completions", json.dumps({"model": "m", "messages": history or [{"role": "user", "content": "go"}]}))
        comment = c.getresponse().read().decode(errors="replace")[:200]
    except OSError as e:
        comment = str(e)
    kernel.stdin.write(json.dumps(cell) + "\n")
    kernel.stdin.flush()
    out = json.loads(kernel.stdout.readline())
    history += [{"role": "assistant", "content": comment}, {"role": "user", "content": out}]
    print(cell, "=>", out.strip())
kernel.stdin.close()
kernel.wait()
