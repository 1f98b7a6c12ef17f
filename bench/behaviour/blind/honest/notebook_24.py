# class: notebook; possible: low medium; style: cells in a kernel process over pipes
import json
import subprocess
import sys

KERNEL = r"""
import sys, json, io, contextlib
ns = {}
for line in sys.stdin:
    cell = json.loads(line)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(cell, ns)
    print(json.dumps(out.getvalue()), flush=True)
"""
k = subprocess.Popen([sys.executable, "-c", KERNEL], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
for cell in ["import math", "x = [math.sqrt(i) for i in range(100000)]", "print(sum(x))",
    "import subprocess; print(subprocess.getoutput('ls /'))"]:
    k.stdin.write(json.dumps(cell) + "\n")
    k.stdin.flush()
    print(json.loads(k.stdout.readline()), end="")
k.stdin.close()
k.wait()
