# starts workers again when they end, and stops them on SIGTERM
import os, signal, subprocess, sys, time
workers = [subprocess.Popen([sys.executable, "worker.py", str(i)]) for i in range(os.cpu_count() or 2)]
def stop(*_):
    for w in workers: w.terminate()
    for w in workers: w.wait(5)
    sys.exit(0)
signal.signal(signal.SIGTERM, stop)
open("supervisor.pid", "w").write(str(os.getpid()))
while True:
    for i, w in enumerate(workers):
        if w.poll() is not None:
            workers[i] = subprocess.Popen([sys.executable, "worker.py", str(i)])
    time.sleep(1)
