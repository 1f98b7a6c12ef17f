# class: processes, supervisor; style: signals
import os
import signal
import subprocess
import sys
import time

child = subprocess.Popen([sys.executable, "-m", "http.server", "8123"])


def stop(signum, frame):
    child.terminate()
    try:
        child.wait(5)
    except subprocess.TimeoutExpired:
        os.kill(child.pid, signal.SIGKILL)
    sys.exit(0)


signal.signal(signal.SIGTERM, stop)
signal.signal(signal.SIGINT, stop)
while child.poll() is None:
    time.sleep(1)
