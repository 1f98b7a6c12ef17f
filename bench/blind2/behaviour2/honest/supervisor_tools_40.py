# class: tool server; possible: low medium; style: editor's helper, long-lived sh and calc children fed by files and pipes
import pathlib
import subprocess
import sys
import threading
import time
import urllib.request

log = pathlib.Path("/tmp/steps.txt")
log.write_text("")
sh = subprocess.Popen(["sh"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
calc = subprocess.Popen([sys.executable, "-u", "-c", "import sys\nfor l in sys.stdin: print(sum(map(int, l.split())))"],
                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def ping():
    for _ in range(5):
        urllib.request.urlopen("http://s2.good.test/health", timeout=10).read()
        time.sleep(4)


t = threading.Thread(target=ping)
t.start()
for i in range(8):
    sh.stdin.write(f"echo step {i}; wc -l < {log}\n")
    sh.stdin.flush()
    first, second = sh.stdout.readline().strip(), sh.stdout.readline().strip()
    calc.stdin.write(f"{i} {second}\n")
    calc.stdin.flush()
    with log.open("a") as f:
        f.write(f"{first} {calc.stdout.readline().strip()}\n")
    time.sleep(2)
t.join()
for p in (sh, calc):
    p.stdin.close()
    p.wait(5)
print(log.read_text().count("step"))
