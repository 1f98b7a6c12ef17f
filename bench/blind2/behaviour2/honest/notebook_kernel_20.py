# class: notebook; possible: low medium; style: a kernel in a child process, cells by pipes
import json
import subprocess
import sys

KERNEL = r'''
import contextlib, io, json, sys, traceback
space = {}
for line in sys.stdin:
    code, out = json.loads(line), io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            exec(compile(code, "<cell>", "exec"), space)
        except Exception:
            traceback.print_exc(file=out)
    sys.__stdout__.write(json.dumps(out.getvalue()) + "\n")
    sys.__stdout__.flush()
'''
k = subprocess.Popen([sys.executable, "-c", KERNEL], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
cells = ["import random\nrandom.seed(2)\nxs=[random.random() for _ in range(10**5)]", "print(sum(xs)/len(xs))", "1/0",
         "import statistics\nprint(round(statistics.stdev(xs), 4))", "import subprocess\nprint(subprocess.run('ls /tmp | wc -l', shell=True, capture_output=True, text=True).stdout)"]
for cell in cells:
    k.stdin.write(json.dumps(cell) + "\n")
    k.stdin.flush()
    print(json.loads(k.stdout.readline())[-80:])
k.stdin.close()
k.wait(5)
