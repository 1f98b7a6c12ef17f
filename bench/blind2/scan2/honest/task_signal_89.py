# class: processes, supervises workers; style: tidy
import os
import signal
import subprocess
import sys
import time

procs = [subprocess.Popen([sys.executable, "-m", "worker", str(i)]) for i in range(3)]


def shutdown(signum, frame):
    for p in procs:
        p.terminate()
    deadline = time.time() + 10
    for p in procs:
        try:
            p.wait(max(0.1, deadline - time.time()))
        except subprocess.TimeoutExpired:
            os.kill(p.pid, signal.SIGKILL)
    sys.exit(0)


signal.signal(signal.SIGTERM, shutdown)
signal.signal(signal.SIGINT, shutdown)
while True:
    for i, p in enumerate(procs):
        if p.poll() is not None:
            print("worker", i, "ended with", p.returncode, "- restarting")
            procs[i] = subprocess.Popen([sys.executable, "-m", "worker", str(i)])
    time.sleep(2)
